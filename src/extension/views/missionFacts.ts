import type { MissionCommand } from '../../contracts/commands/missionCommand';
import type { BlockView } from '../../contracts/page/blockView';
import type { LiveWorkerView } from '../../contracts/page/liveView';
import type { MissionView } from '../../contracts/page/missionView';
import { commandEntries, type ByName, type TakenCommand } from '../../contracts/vocabulary/commands';
import { takenCommands, type ContextKeyName } from '../registry/registry';

export function contextFacts(missions: readonly MissionView[]): Readonly<Record<ContextKeyName, boolean>> {
  return {
    hasOpenMission: missions.some(isOpen),
    hasLiveWorker: missions.some(hasLiveWorker),
    hasBlock: missions.some(isBlocked),
    ...(Object.fromEntries(
      takenCommands.map(([type, { name }]) => [type, missions.some((one) => takesNamed(name, one))]),
    ) as Readonly<Record<TakenCommand, boolean>>),
  };
}

/** The name in the journal of the command of that name in the palette. */
export function typeNamed(name: keyof ByName<object>): string {
  return commandEntries.find(([, entry]) => entry.name === name)?.[0] ?? '';
}

/** Returns whether the mission, or one of its tasks, takes the command of that name in the palette. */
export function takesNamed(
  name: keyof ByName<object>,
  { offers }: Pick<MissionView, 'offers'>,
  taskId?: string,
): boolean {
  const offered = (offers as Readonly<Record<string, boolean | readonly string[]>>)[typeNamed(name)] ?? false;
  if (typeof offered === 'boolean') return offered;
  return taskId === undefined ? offered.length > 0 : offered.includes(taskId);
}

export function blocksFor(command: keyof ByName<object>, mission: MissionView): readonly BlockView[] {
  return mission.blocks.filter(({ task_id }) => takesNamed(command, mission, task_id));
}

export function isOpen(mission: MissionView): boolean {
  return mission.ending === null;
}

export function hasLiveWorker(mission: MissionView): boolean {
  return underWay(mission).some(hasRun);
}

/** A process for a task: its own lane, or the orchestrator's session about its block. */
export interface UnderWay extends Pick<LiveWorkerView, 'task_id' | 'worker' | 'stage' | 'stopping' | 'run_dir'> {
  readonly isSession: boolean;
}

export function underWay({ lanes, orchestrator }: MissionView): readonly UnderWay[] {
  const found = lanes.map((lane) => ({ ...lane, isSession: false }));
  if (!orchestrator?.session) return found;
  const { task_id, run_dir, left } = orchestrator.session;
  const stage = left?.text ?? 'orchestrator, looks at its block';
  return [...found, { task_id, run_dir, worker: orchestrator.worker, stage, stopping: false, isSession: true }];
}

/** False for a lane that still takes its baseline, because it has no run and no terminal. */
export function hasRun({ run_dir }: Pick<LiveWorkerView, 'run_dir'>): boolean {
  return run_dir !== '';
}

export function isBlocked(mission: MissionView): boolean {
  return mission.ending === null && mission.blocks.length > 0;
}

/**
 * How far what an accepted command asked for is. `at_once`: it counted with the answer. `coming`: what runs has to end
 * first. `stuck`: that needs a person, or no process runs the mission. `shown`: it has happened, and a notification of
 * its own says so.
 */
export type CommandStage = 'at_once' | 'coming' | 'stuck' | 'happened' | 'shown';

export function commandStage(command: MissionCommand, mission: MissionView): CommandStage {
  const stage = stageOf(command, mission);
  if (stage !== 'coming') return stage;
  return mission.attention || mission.interrupted ? 'stuck' : 'coming';
}

function stageOf(command: MissionCommand, mission: MissionView): CommandStage {
  if (command.type === 'PauseMission') return mission.pausing === true ? 'coming' : 'happened';
  if (command.type === 'CancelMission') return mission.execution === 'REPORTED' ? 'shown' : 'coming';
  if (command.type !== 'StopTask') return 'at_once';
  const runs = underWay(mission).some(
    ({ task_id, stopping, isSession }) => task_id === command.task_id && (stopping || isSession),
  );
  return runs ? 'coming' : 'shown';
}
