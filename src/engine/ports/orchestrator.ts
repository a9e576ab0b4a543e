import type { OrchestratorAnswerFile, OrchestratorAsk } from '../../contracts/orchestratorTools';
import type { RefusalCode } from '../../contracts/vocabulary/codes/codes';
import type { ProcessRecord } from '../../contracts/launch';
import type { Outcome } from '../../base/outcome';
import type { McpProgram } from '../../workers/worker';

/** The runtime orchestrator's sessions on this machine: tokens, requests and answers. */
export interface OrchestratorSessions {
  /** Returns how the server of the mission tools is started. */
  server(): Promise<Outcome<McpProgram>>;
  /** Makes the token of a launch, whose private half stays in this process. Returns the public one. */
  issue(launchId: string): string;
  /** The variable with the token, for the start of the launch; null: another process made the token. */
  secret(launchId: string): Readonly<Record<string, string>> | null;
  /** Makes the folders of requests and answers in a prepared run directory. */
  open(runDir: string): Promise<Outcome<null>>;
  /** Once each, in turn, until disposed. `invalid`: no request of this session. `onFlood`: more than is answered. */
  watch(
    session: WatchedSession,
    onRequest: (request: ReceivedRequest) => Promise<void>,
    onFlood: () => void,
  ): { dispose(): Promise<void> };
  answer(runDir: string, answer: OrchestratorAnswerFile): Promise<void>;
  /** Returns whether the server of the mission tools has started in the session. */
  toolsStarted(runDir: string): Promise<boolean>;
  /** A part of a file as text; null: the path holds no regular file. `path`: POSIX, relative to the workspace. */
  page(path: string, offset: number, limit: number): Promise<ArtifactPage | null>;
}

export interface WatchedSession {
  readonly run_dir: string;
  readonly launch_id: string;
  readonly nonce: string;
  readonly process: ProcessRecord | null;
  readonly public_key: string;
}

export type ReceivedRequest =
  | { readonly id: string; readonly kind: 'valid'; readonly ask: OrchestratorAsk }
  | { readonly id: string; readonly kind: 'invalid'; readonly code: RefusalCode; readonly reason: string };

export interface ArtifactPage {
  readonly text: string;
  readonly bytes: number;
  /** Where the next page begins; null: this was the last one. */
  readonly next_offset: number | null;
}
