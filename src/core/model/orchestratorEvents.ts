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
export interface OrchestratorEvents {
  OrchestratorDispatched: {
    packet_id: string;
    task_id: string;
    launch_id: string;
    session_id: string;
    nonce: string;
    /** Name of the run directory below `runs/`. */
    run_dir: string;
  };
  OrchestratorPrepared: {
    launch_id: string;
    prepared: PreparedLaunch;
    /** Checks the signature of its requests; the private half never reaches the disk. */
    token_public_key: string;
    manifest_sha256: string;
  };
  OrchestratorStarted: { launch_id: string; process: ProcessRecord };
  OrchestratorUsageSeen: { launch_id: string; usage: UsageFacts };
  /** A request that would change something and its answer. `choice`: the outcome that was accepted. */
  OrchestratorAsked: AnsweredRequest & {
    launch_id: string;
    choice?: OutcomeChoice;
    revision?: AskedRevision;
    draft?: ProposedDraft;
  };
  OrchestratorStopRequested: SessionStop & { launch_id: string };
  OrchestratorEnded: {
    launch_id: string;
    end: LaunchEnd;
    result: SessionResult;
    /** Digest of the look afterwards; null: the runner could not look. */
    observed_sha256: string | null;
  };
  /** The invocation record of a session, sealed by itself; written when its end is known. */
  SessionRecorded: {
    task_id: string;
    /** The attempt whose block the session was asked about. */
    attempt: number;
    launch_id: string;
    record: InvocationRecord;
    seal: AuditSeal;
  };
  /** No session could start, so a person decides alone. */
  OrchestratorUnavailable: { packet_id: string; task_id: string; launch_id: string; code: RefusalCode; reason: string };
}
