import type { JournalFacts, Question } from '../../contracts/handoff';
import type { HumanDecision } from '../../contracts/record/header';
import type { ReasonCategory } from '../../contracts/vocabulary/codes/codes';
import type { LedgerStatus } from '../../contracts/vocabulary/execution';
import type { HandoffCause } from '../../contracts/vocabulary/handoff';
import type { Answer, AttemptEvidence, TaskEvidence } from '../../contracts/taskEvidence';

export interface Handoff {
  /** 1, 2, 3 ...: its folder is `handoff/<n>/`. */
  readonly n: number;
  readonly why: HandoffCause;
  /** The command that requested it; null: the runner did. */
  readonly command_id: string | null;
  /** The decision to move the run; null: it stays here. */
  readonly move: HumanDecision | null;
  readonly state:
    | { readonly kind: 'pending' }
    | { readonly kind: 'written'; readonly path: string; readonly sha256: string }
    | { readonly kind: 'refused'; readonly code: string; readonly file: string | null; readonly reason: string };
}

export interface ImportedHandoff {
  readonly run_id: string;
  readonly mission_id: string;
  readonly handoff: number;
  readonly bundle_sha256: string;
  readonly moved: boolean;
  readonly base_commit: string | null;
  /** Folder with a copy of the handoff, relative to the mission's folder. */
  readonly kept_in: string;
  /** Who resumed it, why, and when. */
  readonly decision: HumanDecision;
  /** Digests of the bundles that the run went on from before, oldest first. */
  readonly bundles: readonly string[];
}

/** What a row has from before the handoff. */
export interface CarriedRow {
  /** Ended attempts, oldest first, as the evidence has them. */
  readonly attempts: readonly AttemptEvidence[];
  /** What permission recovery did in them, in order. */
  readonly relaunches: NonNullable<TaskEvidence['recovery']>['relaunches'];
  /** Why the task is blocked; null when it is not. */
  readonly category: ReasonCategory | null;
  /** Digest of TASK_<task_id>.json, which says how the task ended there; null: it was open. */
  readonly sha256: string | null;
}

export interface ImportedRow extends Pick<CarriedRow, 'category' | 'sha256'> {
  readonly task_id: string;
  /** TASK_<task_id>.json as it came: the row goes on from what it says. */
  readonly evidence: TaskEvidence;
  readonly retry: HumanDecision | null;
  /** What its packet asks; absent: nothing. */
  readonly question?: Question;
  /** Absent: it had asked nothing. */
  readonly answers?: readonly Answer[];
}

export interface Transition {
  readonly task_id: string;
  readonly from: LedgerStatus;
  readonly to: LedgerStatus;
  readonly code: string | null;
  readonly reason: string;
}

/** A judged bundle, as the data for the first events of a mission. */
export interface HandoffImport {
  readonly source: Omit<ImportedHandoff, 'decision'>;
  readonly reason: string;
  /** Every transition of the run so far, in order. */
  readonly transitions: readonly Transition[];
  readonly rows: readonly ImportedRow[];
  readonly launches: number;
  /** What stands here as it did there; null: a person resumes the run, and decides anew. */
  readonly stands: Pick<JournalFacts, 'paused' | 'canceled' | 'held' | 'acknowledged' | 'used'> | null;
}

export interface HandoffEvents {
  HandoffRequested: { n: number; why: HandoffCause; command_id: string | null; move: HumanDecision | null };
  HandoffWritten: {
    n: number;
    /** Folder, relative to the workspace root. */
    path: string;
    /** Digest of bundle.json, which has the digests of all other files. */
    sha256: string;
    /** Last sign of life of tasks in progress, by task; ISO-8601. */
    heartbeats: Readonly<Record<string, string>>;
  };
  HandoffRefused: { n: number; code: string; file: string | null; reason: string };
  MissionMoved: { n: number; sha256: string; decision: HumanDecision };
  HandoffImported: {
    source: ImportedHandoff;
    rows: readonly ImportedRow[];
    launches: number;
    /** What counts here against the budget; absent: the budget counts anew. */
    used?: JournalFacts['used'];
  };
}
