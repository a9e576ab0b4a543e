import { verdictOf, type ShapedDocument, type Verdict } from '../../src/core/documents/verdict';
import { ledgerFindings } from '../../src/core/ledger/reconcile';
import type { LockSurroundings } from '../../src/core/locks/lockPath';
import { lockFindings } from '../../src/core/locks/validateLocks';

/** What `mission check ledger` says, as the one verdict of the contract. */
export function validateLedger(document: ShapedDocument): Verdict {
  return verdictOf(document.value, ledgerFindings(document));
}

/** What `mission check locks` says. */
export function validateLocks(document: ShapedDocument, surroundings?: LockSurroundings): Verdict {
  return verdictOf(document.value, lockFindings(document, surroundings));
}
