import type { RecoveryPacket } from '../../contracts/recoveryPacket';
import type { ReasonCategory } from '../../contracts/vocabulary/codes/codes';
import { recoveryOutcomes, type BlockKind, type RecoveryOutcome } from '../../contracts/vocabulary/recovery';
import { blockCode } from './blockCode';
import { exitNumber } from './exitNumber';
import { baseName } from './names';

/** Times are ISO-8601; paths are all absolute or all relative to the workspace. */
export interface PacketFacts {
  /** Unique in the workspace. */
  readonly packet_id: string;
  readonly mission_id: string;
  readonly mission_title: string;
  readonly created_at: string;
  readonly reason_category: ReasonCategory;
  /** When the limit of its provider ends; absent: no limit. */
  readonly limit_ends?: { readonly at: string | null; readonly said: string | null };
  /** When the task goes on by itself, as its approved plan says; absent: it waits for a decision. */
  readonly goes_on_at?: string;
  /** Null: nothing is asked. */
  readonly question: NonNullable<RecoveryPacket['question']> | null;
  /** What mends the block, the likeliest first. */
  readonly remedies: NonNullable<RecoveryPacket['remedies']>;
  /** The code of a validator, or as a handoff brought it; absent: that of the category. */
  readonly code?: string;
  readonly kind: BlockKind;
  readonly validator_mode: 'scrutiny' | 'user-testing' | null;
  readonly plan_id: string;
  /** Null for a plan without milestones. */
  readonly milestone_id: string | null;
  readonly task_id: string;
  readonly task_title: string;
  /** Folder of the mission; run directory and artifacts are inside it. */
  readonly mission_dir: string;
  /** Null when the block has no run; the packet then names the mission folder. */
  readonly run_dir: string | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly cancelled: boolean;
  /** What the worker or the runner reported, in words. */
  readonly reported_status: string | null;
  readonly dirty: string | null;
  /** Files that exist. */
  readonly artifact_paths: readonly string[];
  readonly orchestrator_session_record_path: string | null;
}

export function recoveryPacket(facts: PacketFacts): RecoveryPacket {
  const runDir = facts.run_dir ?? facts.mission_dir;
  const runId = baseName(runDir);
  return {
    schemaVersion: 1,
    packetId: facts.packet_id,
    missionId: facts.mission_id,
    missionTitle: facts.mission_title,
    status: 'orchestrator_action_required',
    createdAt: facts.created_at,
    block: {
      schemaVersion: 1,
      timestamp: facts.created_at,
      reasonCategory: facts.reason_category,
      kind: facts.kind,
      ...(facts.validator_mode === null ? {} : { validatorMode: facts.validator_mode }),
      failedItemId: facts.task_id,
      failedItemTitle: facts.task_title,
      missionId: facts.mission_id,
      milestoneId: facts.milestone_id ?? facts.plan_id,
      featureId: facts.task_id,
      runId,
      runDir,
      exitCode: exitNumber(facts.exit_code, facts.signal),
      signal: facts.signal,
      cancelled: facts.cancelled,
      code: facts.code ?? blockCode(facts.reason_category),
      ...(facts.limit_ends && { limitEnds: { ...facts.limit_ends } }),
      ...(facts.goes_on_at !== undefined && { goesOnAt: facts.goes_on_at }),
      ...(facts.reported_status === null ? {} : { status: facts.reported_status }),
      ...(facts.dirty === null ? {} : { dirty: facts.dirty }),
      artifactPaths: [...facts.artifact_paths],
    },
    ...(facts.question && { question: facts.question }),
    ...(facts.remedies.length > 0 && { remedies: [...facts.remedies] }),
    dispatch: {
      target: 'dedicated-runtime-orchestrator-session',
      trigger: 'runner-after-block',
      runnerWritesPacket: true,
      fallback: 'main-chat-display-only',
      ...(facts.orchestrator_session_record_path === null
        ? {}
        : { orchestratorSessionRecordPath: facts.orchestrator_session_record_path }),
    },
    authority: {
      runner: [
        'Owns deterministic sequencing: records the block, writes this packet after the blocked unit has ended, and stops.',
        'Advances nothing while this packet is open.',
      ],
      runtimeOrchestrator: {
        mayUseMissionTools: true,
        mayReviseMissionMetadata: true,
        mayEditRepositoryImplementation: false,
        repositoryEditPolicy: 'forbidden-by-default',
      },
      mainChat: [
        'Human command and override channel.',
        'Shows this block for display only; it is not the default recovery executor.',
      ],
      missionControl: 'read-only-observability',
    },
    allowedOutcomes: recoveryOutcomes.map((outcome) => ({
      outcome,
      ...outcomeTexts[outcome],
      ...(outcome === 'ask-user' ? { requiresHuman: true } : {}),
    })),
    instructions: [...packetInstructions],
  };
}

const packetInstructions = [
  'Read the artifacts of the block: result, transcript and stderr in the run directory.',
  'Classify the failure: implementation defect, validator defect, procedural failure, environment, planning or stale state.',
  'Choose exactly one allowed outcome whose condition holds, through the mission tools, and give a reason.',
  'Edit nothing in the repository: work on code is planned for a worker and approved by a human.',
  'Do not advance later tasks while this packet is unresolved.',
] as const;

export const outcomeTexts: {
  readonly [O in RecoveryOutcome]: { readonly description: string; readonly safeWhen: string };
} = {
  resume: {
    description: 'Resume the deterministic runner as it stands.',
    safeWhen: 'Mission metadata is consistent and pending work is runnable.',
  },
  'ask-user': {
    description: 'Ask the user; the answer is recorded and the mission waits for it.',
    safeWhen: 'Safe recovery depends on product, policy or external input.',
  },
  'leave-blocked': {
    description: 'Keep the mission blocked and say why.',
    safeWhen: 'No safe repair is available.',
  },
  'retry-repair': {
    description: 'Repair stale, procedural or planning state with mission tools, or try the task once more.',
    safeWhen: 'The cause is not structural and the retry limit is not reached.',
  },
  'rerun-validation': {
    description: 'Run the validation again, nothing else.',
    safeWhen: 'Its artifacts were missing, stale or inconclusive for environmental or procedural reasons.',
  },
};
