import type { SubagentResult } from '../../contracts/result';
import type { ProposedMemory } from '../../contracts/memory';
import type { ValidationReport } from '../../contracts/validationReport';
import type { ContractCode } from '../../contracts/vocabulary/codes/codes';

/** The worker's result, after validation against `subagent_result_v1` and the assignment. */
export type Claim =
  | { readonly kind: 'not_applicable' }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | {
      readonly kind: 'valid';
      readonly result: SubagentResult;
      /** Its changes in granted directories outside the workspace, which the runner does not observe. */
      readonly elsewhere?: readonly string[];
      /** Absent or null: the result may be integrated. */
      readonly refused?: IntegrationRefusal | null;
      /** What its worker proposes to remember; absent: nothing. */
      readonly memory?: ClaimedMemory;
    }
  /** The report of an agent that validates a milestone; verification judges whether it can be followed. */
  | { readonly kind: 'report'; readonly report: ValidationReport };

/** `ignored`: its task may not propose anything, so nothing of it is kept. */
export type ClaimedMemory =
  | { readonly kind: 'proposed'; readonly entries: readonly ProposedMemory[] }
  | { readonly kind: 'ignored'; readonly reason: string };

export interface IntegrationRefusal {
  readonly code: ContractCode;
  readonly reason: string;
  readonly findings: readonly string[];
}

/** Returns what a worker that is blocked asks: notes that end with a question mark. */
export function askedIn({ status, notes_for_orchestrator }: SubagentResult): readonly string[] {
  return status === 'blocked' ? notes_for_orchestrator.filter((note) => /[?？؟]["'”’)\s]*$/u.test(note)) : [];
}
