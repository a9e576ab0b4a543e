import type { MetadataChanges } from '../../contracts/commands/metadataChanges';
import type { RefusalCode } from '../../contracts/vocabulary/codes/codes';
import type { RecoveryOutcome } from '../../contracts/vocabulary/recovery';
import type { AgentName } from '../../contracts/vocabulary/workers';
import type { Change } from '../observation/change';

/** The agent that decides about blocks, as the mission was started with it. */
export interface OrchestratorChoice {
  readonly worker: AgentName;
  /** Null: what this machine's settings name for it, or its own choice. */
  readonly model: string | null;
}

export interface CommandAnswer {
  readonly accepted: boolean;
  /** `OK`, or why it was refused. */
  readonly code: string;
  readonly reason: string;
  readonly next: readonly string[];
}

export interface AnsweredRequest extends CommandAnswer {
  readonly request_id: string;
  readonly tool: string;
}

/** What the orchestrator chose for its packet. `question` and `choices`: of the outcome ask-user. */
export interface OutcomeChoice {
  readonly outcome: RecoveryOutcome;
  readonly reason: string;
  readonly question?: string;
  readonly choices?: readonly string[];
}

/** Metadata that the orchestrator revises, if its decision counts. */
export interface AskedRevision {
  readonly task_id: string;
  readonly changes: MetadataChanges;
  readonly reason: string;
}

export interface ProposedDraft {
  readonly plan_id: string;
  /** POSIX, relative to the workspace root. */
  readonly path: string;
  /** Upper-case. */
  readonly sha256: string;
}

export interface SessionStop {
  readonly code: RefusalCode | 'TASK_TIMEOUT';
  readonly reason: string;
}

/**
 * What became of a session. `discarded`: it had decided, and that does not count. `undecided`: it ended without a
 * decision. `unavailable`: there was none.
 */
export type SessionResult =
  | { readonly kind: 'applied'; readonly outcome: RecoveryOutcome; readonly changes: readonly Change[] }
  | {
      readonly kind: 'discarded' | 'undecided' | 'unavailable';
      readonly code: string;
      readonly reason: string;
      /** What was changed in the workspace while it ran. */
      readonly changes: readonly Change[];
    };

/** A request that would change something, read and checked; `invalid`: another text, or its sender is unknown. */
export type SessionAsk =
  | ({ readonly tool: 'choose_outcome' } & OutcomeChoice)
  | ({ readonly tool: 'revise_metadata' } & AskedRevision)
  /** A proposed plan that was written as a DRAFT; the runner did that, not the session. */
  | ({ readonly tool: 'propose_plan_revision'; readonly reason: string } & ProposedDraft)
  | {
      readonly tool: 'invalid';
      readonly code: RefusalCode;
      readonly reason: string;
      /** The tool that was asked for, and what else is possible; absent: unknown. */
      readonly asked?: string;
      readonly next?: readonly string[];
    };
