import type { LiveWorkerView, MissionView, TaskView } from '../../contracts/missionView';
import type { ContextKeyName } from '../registry/registry';

/** One value for each context key. */
export function factsOf(missions: readonly MissionView[]): Readonly<Record<ContextKeyName, boolean>> {
  return {
    hasOpenMission: missions.some(isOpen),
    hasLiveWorker: missions.some(hasLiveWorker),
    hasBlock: missions.some(isBlocked),
    hasUnacknowledged: missions.some(needsAcknowledgement),
  };
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

/** What a person may skip: tasks not begun, or blocked. */
export function isSkippable({ status, skipped }: TaskView): boolean {
  return skipped !== true && (status === 'todo' || status === 'blocked');
}

export function hasSkippable(mission: MissionView): boolean {
  return mission.ending === null && mission.tasks.some(isSkippable);
}

/** Some task waits for a permission that a person may grant. */
export function hasDenied(mission: MissionView): boolean {
  return mission.ending === null && mission.blocks.some(({ denied }) => denied);
}

/** Some change blocks until it is undone or accepted. */
export function hasAcceptable(mission: MissionView): boolean {
  return mission.ending === null && mission.blocks.some(({ acceptable }) => acceptable.length > 0);
}

/** As the panel marks it. A cancelled mission needs no acknowledgement, and blocks have their own commands. */
export function needsAcknowledgement({ status, acknowledged }: MissionView): boolean {
  return status === 'failed' && !acknowledged;
}
