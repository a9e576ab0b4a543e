import type { Actor } from '../../contracts/vocabulary/actors';
import type { ApprovalSource } from '../../contracts/vocabulary/execution';
import type { AgentNetwork, ConfinementMode } from '../../contracts/vocabulary/confinement';
import type { Criterion } from '../../contracts/record/header';
import type { FileSystemFacts } from '../locks/lockPath';
import type { ApprovedPlan } from '../plan/approvedPlan';
import type { EffectivePolicy } from '../policy/policy';
import type { FrozenInstructions, MovedObstacle } from './facts';
import type { OrchestratorChoice } from './sessionFacts';
import type { Refusal } from '../../base/outcome';
import type { EarlierWork } from './carried';
import type { ApprovedHere } from '../plan/approvalRecord';

/** What a mission is given when it begins. */
export interface ReceivedPlan {
  readonly mission_id: string;
  readonly plan: ApprovedPlan;
  readonly plan_path: string;
  readonly plan_sha256: string;
  /** Equal for every format of the same content. */
  readonly plan_canonical_sha256: string;
  readonly approval_source: ApprovalSource;
  /** The person who approved these bytes on this machine; the plan's own text may name another. Null: the file alone says so. */
  readonly approved_here: ApprovedHere | null;
  /** Whether its launches have to be held back. */
  readonly confinement: ConfinementMode;
  /** What its agents reach from their sandbox. */
  readonly agent_network: AgentNetwork;
  /** Its model policy, whatever becomes of the files. */
  readonly policy: EffectivePolicy;
  /** Null: agents are given no instructions of the project. */
  readonly instructions: FrozenInstructions | null;
  /** Who may decide about blocks in addition to people; null: people alone. */
  readonly orchestrator: OrchestratorChoice | null;
  readonly started_by: Actor;
  readonly tool_version: string;
}

export interface EnvelopeEvents {
  /** `earlier`: what open tasks left in the missions of the plans that this one supersedes. */
  MissionReceived: ReceivedPlan & { earlier: readonly EarlierWork[] };
  PlanValidated: { warnings: readonly string[] };
  PlanLocked: { plan_sha256: string };
  /** Recorded before evidence is moved, so that a crash keeps its name. `header_sha256` null: it cannot be read. */
  ArchiveBegun: { mission_id: string; header_sha256: string | null };
  HeaderWritten: { file_system: FileSystemFacts };
  ExecutionStarted: object;
  /** An effect failed and halted the owner; `effect`: its key. */
  EffectFailed: Refusal & { effect: string };
  /** An obstacle in the place of a file was moved into the mission's folder. */
  ObstacleMoved: MovedObstacle;
  SuccessCriteriaReported: { criteria: readonly Criterion[] };
  MissionEvidenced: object;
  MissionCompleted: object;
  MissionFailed: { code: string; reason: string; cancelled: boolean };
  MissionReported: { header_sha256: string; summary_sha256: string };
}
