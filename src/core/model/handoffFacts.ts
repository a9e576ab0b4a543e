import type { ReasonCategory } from '../../contracts/vocabulary/codes';
import type { LedgerStatus, TaskEvidenceStatus } from '../../contracts/vocabulary/execution';
import type { HandoffCause } from '../../contracts/vocabulary/handoff';
import type { AttemptFacts } from '../evidence/facts';
import type { Outstanding, HumanDecision } from '../observation/outstanding';

/** One handoff of a mission: asked for, then written or refused. */
export interface Handoff {
  /** 1, 2, 3 ...: its folder is `handoff/<n>/`. */
  readonly n: number;
  readonly why: HandoffCause;
  /** The command that asked for it; null when the runner did. */
  readonly command_id: string | null;
  /** Set when the run is given away with it. */
  readonly move: HumanDecision | null;
  readonly state:
    | { readonly kind: 'pending' }
    | { readonly kind: 'written'; readonly path: string; readonly sha256: string }
    | { readonly kind: 'refused'; readonly code: string; readonly file: string | null; readonly reason: string };
}

/** The handoff a mission goes on from. */
export interface ImportedHandoff {
  readonly run_id: string;
  readonly mission_id: string;
  readonly handoff: number;
  readonly bundle_sha256: string;
  readonly moved: boolean;
  readonly base_commit: string | null;
  /** Folder of the copies, relative to the mission's own folder. */
  readonly kept_in: string;
  /** Who resumed it, why, and when. */
  readonly decision: HumanDecision;
  /** Decisions of people before: who retried what, and why. */
  readonly decisions: readonly CarriedDecision[];
}

export interface CarriedDecision extends HumanDecision {
  readonly decision: string;
  readonly task_id: string | null;
  readonly packet_id: string | null;
}

/** What a row brings along from where the run was before. */
export interface CarriedRow {
  /** Ended attempts, oldest first, as the evidence tells them. */
  readonly attempts: readonly AttemptFacts[];
  /** Why the task is blocked; null when it is not. */
  readonly category: ReasonCategory | null;
  /** TASK_<task_id>.json as it was written there; null while the task was open. */
  readonly evidence: { readonly file: string; readonly sha256: string; readonly status: TaskEvidenceStatus } | null;
}

export interface ImportedRow extends CarriedRow {
  readonly task_id: string;
  /** What blocked it where the run was before, settled or not; absent: nothing. */
  readonly outstanding?: readonly Outstanding[];
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly retry: HumanDecision | null;
}

export interface Transition {
  readonly task_id: string;
  readonly from: LedgerStatus;
  readonly to: LedgerStatus;
  readonly code: string | null;
  readonly reason: string;
}

/** A judged bundle, ready to become the first events of a mission. */
export interface HandoffImport {
  readonly source: Omit<ImportedHandoff, 'decision'>;
  readonly reason: string;
  /** Every transition of the run so far, in order. */
  readonly transitions: readonly Transition[];
  readonly rows: readonly ImportedRow[];
  readonly launches: number;
}

export type HandoffEvent =
  | {
      readonly type: 'HandoffRequested';
      readonly n: number;
      readonly why: HandoffCause;
      readonly command_id: string | null;
      readonly move: HumanDecision | null;
    }
  | {
      readonly type: 'HandoffWritten';
      readonly n: number;
      /** Folder, relative to the workspace root. */
      readonly path: string;
      /** Of bundle.json, which has the digests of all other files. */
      readonly sha256: string;
      /** Last sign of life of tasks in progress, by task; ISO-8601. */
      readonly heartbeats: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'HandoffRefused';
      readonly n: number;
      readonly code: string;
      readonly file: string | null;
      readonly reason: string;
    }
  | { readonly type: 'MissionMoved'; readonly n: number; readonly sha256: string; readonly decision: HumanDecision }
  | {
      readonly type: 'HandoffImported';
      readonly source: ImportedHandoff;
      readonly rows: readonly ImportedRow[];
      readonly launches: number;
    };

export type HandoffReport =
  | {
      readonly type: 'HandoffWasWritten';
      readonly n: number;
      readonly path: string;
      readonly sha256: string;
      readonly heartbeats: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'HandoffWasRefused';
      readonly n: number;
      readonly code: string;
      readonly file: string | null;
      readonly reason: string;
    };
