import { errorCodes } from '../../contracts/vocabulary/codes/errorCodes';
import { carriedAs, type ContractCode } from '../../contracts/vocabulary/codes/codes';
import type { Finding } from './finding';
import { inDocumentOrder } from './documentOrder';

/** Answer of every validator of Fresh Context: exactly one primary code, and all findings. */
export interface Verdict {
  readonly allow: boolean;
  readonly code: ContractCode | 'OK';
  /** The primary finding in words. */
  readonly reason: string;
  readonly details: { readonly findings: readonly Finding[] };
}

/** A parsed document and the schema's findings about its shape; null when the schema is not available. */
export interface ShapedDocument {
  readonly value: unknown;
  readonly shape: readonly Finding[] | null;
}

/** The primary code is that of the first error in document order; without an error the document is allowed. */
export function verdictOf(value: unknown, findings: readonly Finding[]): Verdict {
  const ordered = inDocumentOrder(value, findings);
  const primary = ordered.find(({ severity }) => severity === 'error');
  return primary === undefined
    ? { allow: true, code: 'OK', reason: 'Valid.', details: { findings: ordered } }
    : { allow: false, code: contractCode(primary.code), reason: primary.message, details: { findings: ordered } };
}

/** The code of the contract for a code of ours. What a rule finds in a document, and no table lists, is its form. */
export function contractCode(code: string): ContractCode {
  if (isContractCode(code)) return code;
  return Object.hasOwn(carriedAs, code) ? carriedAs[code as keyof typeof carriedAs] : 'SCHEMA_INVALID';
}

function isContractCode(code: string): code is ContractCode {
  return Object.hasOwn(errorCodes, code);
}
