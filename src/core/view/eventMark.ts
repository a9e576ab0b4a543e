import type { EventMark } from '../../contracts/missionView';
import type { LedgerStatus } from '../../contracts/vocabulary/execution';
import type { MissionEvent } from '../model/events';

/** Returns what a person sees of an event before they read it; absent: it changes nothing for them. */
export function eventMark(event: MissionEvent): EventMark | undefined {
  if (event.type === 'RowTransitioned') return markOfTask(event.to);
  if (event.type === 'VerifyEnded') {
    const { reason, exit_code } = event.result.end;
    return reason === 'exited' && exit_code === 0 ? 'good' : 'bad';
  }
  if (event.type === 'MissionFailed' && event.cancelled) return 'ends';
  return marks[event.type];
}

function markOfTask(status: LedgerStatus): EventMark | undefined {
  switch (status) {
    case 'done':
      return 'good';
    case 'blocked':
    case 'failed':
      return 'bad';
    case 'canceled':
      return 'ends';
    case 'todo':
    case 'in_progress':
      return undefined;
  }
}

const marks: Readonly<Partial<Record<MissionEvent['type'], EventMark>>> = {
  PlanLocked: 'locked',
  ExecutionStarted: 'begins',
  AttemptStarted: 'begins',
  MissionResumed: 'begins',
  OwnerResumed: 'begins',
  RecoveryRequested: 'again',
  MissionPaused: 'waits',
  PauseRequested: 'waits',
  QuestionAsked: 'waits',
  InterventionRequested: 'waits',
  MilestoneAccepted: 'good',
  RecoverySucceeded: 'good',
  MissionCompleted: 'good',
  MissionFailed: 'bad',
  EffectFailed: 'bad',
  BaselineImpossible: 'bad',
  ContextRefused: 'bad',
  LaunchImpossible: 'bad',
  ObservationFailed: 'bad',
  PacketIssued: 'bad',
  RecoveryFailed: 'bad',
  RecoveryEscalated: 'bad',
  ScopeBreachSeen: 'bad',
  WorkerTimedOut: 'bad',
  BudgetStopRequested: 'bad',
  CommandRefused: 'bad',
  HandoffRefused: 'bad',
};
