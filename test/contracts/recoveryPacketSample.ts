import type { RecoveryPacket } from '../../src/contracts/recoveryPacket';

/** A packet in the form the contract documents, written by another runner. */
export function documentedPacket(): RecoveryPacket {
  return {
    schemaVersion: 1,
    missionId: 'mission-alpha',
    missionTitle: 'Mission Alpha',
    status: 'orchestrator_action_required',
    createdAt: '2026-01-01T00:00:00.000Z',
    block: {
      schemaVersion: 1,
      timestamp: '2026-01-01T00:00:00.000Z',
      reasonCategory: 'validator_report_failed',
      kind: 'validator',
      validatorMode: 'scrutiny',
      failedItemId: 'M1',
      failedItemTitle: 'Milestone 1',
      missionId: 'mission-alpha',
      milestoneId: 'M1',
      runId: 'run-validator-M1',
      runDir: '/data/run-validator-M1',
      exitCode: 0,
      status: 'fail',
      artifactPaths: ['/data/run-validator-M1/validation-report.json'],
    },
    dispatch: {
      target: 'dedicated-runtime-orchestrator-session',
      trigger: 'runner-after-block',
      runnerWritesPacket: true,
      fallback: 'main-chat-display-only',
      orchestratorSessionRecordPath: '/data/mission-alpha/orchestrator-session.json',
    },
    authority: {
      runner: ['Writes the packet and stops.'],
      runtimeOrchestrator: {
        mayUseMissionTools: true,
        mayReviseMissionMetadata: true,
        mayEditRepositoryImplementation: false,
        repositoryEditPolicy: 'forbidden-by-default',
      },
      mainChat: ['Human override.'],
      missionControl: 'read-only-observability',
    },
    allowedOutcomes: [
      { outcome: 'resume', description: 'Resume.', safeWhen: 'Runnable.' },
      { outcome: 'ask-user', description: 'Ask.', safeWhen: 'Input is needed.', requiresHuman: true },
      { outcome: 'leave-blocked', description: 'Leave.', safeWhen: 'Nothing is safe.' },
      { outcome: 'retry-repair', description: 'Repair or retry.', safeWhen: 'Metadata can unblock.' },
      { outcome: 'rerun-validation', description: 'Rerun.', safeWhen: 'Safe to repeat.' },
    ],
    instructions: ['Do not edit the repository.'],
  };
}
