import type { HumanDecision } from '../../contracts/record/header';
import type { ExternalSave } from '../observation/change';
import type { Launch } from './attempt';
import type {
  AnsweredRequest,
  AskedRevision,
  OutcomeChoice,
  ProposedDraft,
  SessionResult,
  SessionStop,
} from './sessionFacts';

interface WithSessions {
  readonly sessions: readonly Session[];
}

/** One session of the runtime orchestrator: one launch for one recovery packet. It belongs to the mission and holds no lock. */
export interface Session {
  readonly packet_id: string;
  readonly task_id: string;
  readonly launch: SessionLaunch;
  /** Checks the signature of its requests (base64url SPKI DER); null until it is prepared. */
  readonly token_public_key: string | null;
  /** The workspace before it; null until it is prepared. */
  readonly manifest_sha256: string | null;
  readonly external_saves: readonly ExternalSave[];
  /** Its requests that would change something, refused ones too, oldest first. */
  readonly requests: readonly AnsweredRequest[];
  /** The first outcome that was accepted; it counts once the session has ended. */
  readonly choice: OutcomeChoice | null;
  /** What it revised, in order; counts with its outcome. */
  readonly revisions: readonly AskedRevision[];
  /** Plans that it proposed; each is a DRAFT, whatever becomes of its decision. */
  readonly drafts: readonly ProposedDraft[];
  /** Why it is ended before it ends by itself; null: nothing asks for that. */
  readonly stop: SessionStop | null;
  /** Set when a person stopped it. */
  readonly stopped_by: HumanDecision | null;
  readonly result: SessionResult | null;
  readonly ended_at: string | null;
}

export type SessionLaunch = Omit<Launch, 'purpose' | 'adjustment' | 'modes' | 'call_index'>;

/** The session that is prepared, starts or runs; there is at most one. */
export function liveSession({ sessions }: WithSessions): Session | undefined {
  const last = sessions.at(-1);
  return last?.result === null ? last : undefined;
}

export function sessionOf(mission: WithSessions, launchId: string): Session | undefined {
  const live = liveSession(mission);
  return live?.launch.launch_id === launchId ? live : undefined;
}
