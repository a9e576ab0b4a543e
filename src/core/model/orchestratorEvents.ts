import type { UsageFacts } from '../../contracts/launchEvidence';
import type { RefusalCode } from '../../contracts/vocabulary/codes/codes';
import type { AuditSeal, InvocationRecord } from '../../contracts/audit';
import type { ProcessRecord } from '../../contracts/launch';
import type { LaunchEnd, PreparedLaunch } from './facts';
import type {
  AnsweredRequest,
  AskedRevision,
  OutcomeChoice,
  ProposedDraft,
  SessionResult,
  SessionStop,
} from './sessionFacts';

/** Events of the runtime orchestrator's sessions. An accepted decision is the `PacketResolved` or `QuestionAsked` after an end. */
export type OrchestratorEvent =
  | {
      readonly type: 'OrchestratorDispatched';
      readonly packet_id: string;
      readonly task_id: string;
      readonly launch_id: string;
      readonly session_id: string;
      readonly nonce: string;
      /** Name of the run directory below `runs/`. */
      readonly run_dir: string;
    }
  | {
      readonly type: 'OrchestratorPrepared';
      readonly launch_id: string;
      readonly prepared: PreparedLaunch;
      /** Checks the signature of its requests; the private half never reaches the disk. */
      readonly token_public_key: string;
      /** The baseline of the workspace. */
      readonly manifest_sha256: string;
    }
  | { readonly type: 'OrchestratorStarted'; readonly launch_id: string; readonly process: ProcessRecord }
  | { readonly type: 'OrchestratorUsageSeen'; readonly launch_id: string; readonly usage: UsageFacts }
  /** A request that would change something and its answer. `choice`: the outcome that was accepted. */
  | ({
      readonly type: 'OrchestratorAsked';
      readonly launch_id: string;
      readonly choice?: OutcomeChoice;
      /** The revision that was accepted. */
      readonly revision?: AskedRevision;
      /** The DRAFT that was written. */
      readonly draft?: ProposedDraft;
    } & AnsweredRequest)
  | ({ readonly type: 'OrchestratorStopRequested'; readonly launch_id: string } & SessionStop)
  | {
      readonly type: 'OrchestratorEnded';
      readonly launch_id: string;
      readonly end: LaunchEnd;
      readonly result: SessionResult;
      /** Digest of the look afterwards; null: the runner could not look. */
      readonly observed_sha256: string | null;
    }
  /** The invocation record of a session, sealed by itself; written when its end is known. */
  | {
      readonly type: 'SessionRecorded';
      readonly task_id: string;
      /** The attempt whose block the session was asked about. */
      readonly attempt: number;
      readonly launch_id: string;
      readonly record: InvocationRecord;
      readonly seal: AuditSeal;
    }
  /** No session could start, so a person decides alone. */
  | {
      readonly type: 'OrchestratorUnavailable';
      readonly packet_id: string;
      readonly task_id: string;
      readonly launch_id: string;
      readonly code: RefusalCode;
      readonly reason: string;
    };
