import type { Actor } from '../../contracts/vocabulary/actors';
import type { AgentNetwork, ConfinementMode } from '../../contracts/vocabulary/confinement';
import type { OrchestratorChoice } from '../../core/model/sessionFacts';
import type { WorkerName } from '../../contracts/vocabulary/workers';

export interface ResumeRequest {
  /** Absolute path of the handoff folder. */
  readonly folder: string;
  readonly actor: Actor;
  /** Null without a reason: then only a run that was given away continues. */
  readonly reason: string | null;
  /** Whether missing outputs are taken from the handoff's diff. */
  readonly apply_diff: boolean;
  /** Requires an approval made here. Default: an approved plan file is enough. */
  readonly require_approval_record?: boolean;
  /** Hours that an approval counts from risk level 2 on; default 24. */
  readonly approval_hours?: number;
  /** What setting or command line ask for; the plan can only be stricter. */
  readonly confinement?: ConfinementMode;
  /** The same for the network of agents. */
  readonly agent_network?: AgentNetwork;
  /** Who is asked about blocks; absent: people alone. */
  readonly orchestrator?: OrchestratorChoice;
  /** When a person asked for it; ISO-8601. Absent: now. */
  readonly asked_at?: string;
  readonly default_worker: WorkerName;
}
