import type { Actor } from '../../contracts/vocabulary/actors';
import type { AgentNetwork, ConfinementMode } from '../../contracts/vocabulary/confinement';
import type { OrchestratorChoice } from '../../core/model/sessionFacts';
import type { WorkerName } from '../../contracts/vocabulary/workers';

export interface ResumeRequest {
  /** Absolute path of the handoff folder. */
  readonly folder: string;
  readonly actor: Actor;
  /** Null without a reason; then the run continues only if its owner gave it away. */
  readonly reason: string | null;
  /** Takes missing outputs from the handoff's diff. */
  readonly apply_diff: boolean;
  /** Requires an approval made here. Default: an approved plan file is enough. */
  readonly require_approval_record?: boolean;
  /** Hours that an approval counts from risk level 2 on; default 24. */
  readonly approval_hours?: number;
  /** The mode of setting or command line; a plan can only make it stricter. */
  readonly confinement?: ConfinementMode;
  /** The same for the network of agents. */
  readonly agent_network?: AgentNetwork;
  /** Who is asked about blocks; absent: people alone. */
  readonly orchestrator?: OrchestratorChoice;
  /** When a person asked for it; ISO-8601. Absent: now. */
  readonly asked_at?: string;
  readonly default_worker: WorkerName;
}
