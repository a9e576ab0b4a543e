import type { RecoveryPacket } from '../../contracts/recoveryPacket';
import { recoveryOutcomes, type RecoveryOutcome } from '../../contracts/vocabulary/recovery';

/** What a packet says of its own block. Times are ISO-8601; paths are all absolute or all relative to the workspace. */
export type PacketFacts = Pick<
  RecoveryPacket,
  'packetId' | 'missionId' | 'missionTitle' | 'createdAt' | 'block' | 'question' | 'remedies'
> & {
  /** Null: the mission has no orchestrator. */
  readonly sessionRecord: string | null;
};

/** The packet of a block, with what every packet says. */
export function recoveryPacket(facts: PacketFacts): RecoveryPacket {
  const { packetId, missionId, missionTitle, createdAt, block, question, remedies, sessionRecord } = facts;
  return {
    schemaVersion: 1,
    packetId,
    missionId,
    missionTitle,
    status: 'orchestrator_action_required',
    createdAt,
    block,
    ...(question && { question }),
    ...(remedies && { remedies }),
    dispatch: {
      target: 'dedicated-runtime-orchestrator-session',
      trigger: 'runner-after-block',
      runnerWritesPacket: true,
      fallback: 'main-chat-display-only',
      ...(sessionRecord !== null && { orchestratorSessionRecordPath: sessionRecord }),
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
