import type { TaskCommandName } from '../../contracts/missionCommand';
import type { BlockView, CommandOffers, LiveWorkerView, MissionView } from '../../contracts/missionView';
import type { ContextKeyName } from '../registry/registry';

/** One value for each context key. */
export function contextFacts(missions: readonly MissionView[]): Readonly<Record<ContextKeyName, boolean>> {
  return {
    hasOpenMission: missions.some(isOpen),
    hasLiveWorker: missions.some(hasLiveWorker),
    hasBlock: missions.some(isBlocked),
    canStop: missions.some(takes('StopTask')),
    canRetry: missions.some(takes('RetryTask')),
    canRerun: missions.some(takes('RerunValidation')),
    canAccept: missions.some(takes('AcceptChanges')),
    canSkip: missions.some(takes('SkipTask')),
    canRevise: missions.some(takes('ReviseMetadata')),
    canRevisePlan: missions.some(takes('SupersedeMission')),
    canGrant: missions.some(takes('GrantDirectory')),
    canAnswer: missions.some(takes('AnswerQuestion')),
    canIntervene: missions.some(takes('CompleteIntervention')),
    canConfirmMemory: missions.some(takes('ConfirmMemory')),
    canAcknowledge: missions.some(takes('Acknowledge')),
  };
}

/** Says whether a mission takes such a command now, as its guards say. */
export function takes(command: keyof CommandOffers): (mission: MissionView) => boolean {
  return ({ offers }) => {
    const offered = offers[command];
    return typeof offered === 'boolean' ? offered : offered.length > 0;
  };
}

/** The blocks that such a command is about. */
export function blocksFor(command: TaskCommandName, { blocks, offers }: MissionView): readonly BlockView[] {
  return blocks.filter(({ task_id }) => offers[command].includes(task_id));
}

export function isOpen(mission: MissionView): boolean {
  return mission.ending === null;
}

export function hasLiveWorker(mission: MissionView): boolean {
  return mission.lanes.some(hasRun);
}

/** A lane that still takes its baseline has no run, and no terminal. */
export function hasRun({ run_dir }: LiveWorkerView): boolean {
  return run_dir !== '';
}

export function isBlocked(mission: MissionView): boolean {
  return mission.ending === null && mission.blocks.length > 0;
}
