import type { LiveWorkerView, MissionView } from '../../contracts/missionView';
import type { ContextKeyName } from '../registry/registry';

/** What is true of the missions of a window: one value per context key. */
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

/** A lane that still takes its baseline has no run, and nothing to show in a terminal. */
export function hasRun({ run_dir }: LiveWorkerView): boolean {
  return run_dir !== '';
}

export function isBlocked(mission: MissionView): boolean {
  return mission.ending === null && mission.blocks.length > 0;
}

/** Something blocks until it is as it was, or a person accepts it. */
export function hasAcceptable(mission: MissionView): boolean {
  return mission.ending === null && mission.blocks.some(({ acceptable }) => acceptable.length > 0);
}

/** What the panel marks as failed. Who canceled a mission has nothing to acknowledge, and a block has its own commands. */
export function needsAcknowledgement({ status, acknowledged }: MissionView): boolean {
  return status === 'failed' && !acknowledged;
}
