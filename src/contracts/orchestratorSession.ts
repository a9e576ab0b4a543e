import type { AgentName } from './vocabulary/workers';

/** `orchestrator-session.json` of a mission: its last session of the runtime orchestrator. The first five are seed 000's. */
export interface OrchestratorSessionRecord {
  readonly schemaVersion: 1;
  readonly missionId: string;
  readonly sessionId: string;
  /** Run directory, relative to the workspace. */
  readonly sessionPath: string;
  readonly createdAt: string;
  /** Whether its process may still run. */
  readonly active: boolean;
  readonly worker: AgentName;
  readonly model: string | null;
  readonly packetId: string;
  readonly taskId: string;
  readonly launchId: string;
  readonly endedAt: string | null;
}
