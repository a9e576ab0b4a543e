import path from 'node:path';
import type { LiveWorkerView } from '../../contracts/page/liveView';
import type { MissionView } from '../../contracts/page/missionView';
import type { MissionFolder } from '../folder/types';
import { hasRun } from '../views/missionFacts';
import type { NamedLaunch } from './terminalName';

export interface Run extends NamedLaunch {
  readonly folder: MissionFolder;
  readonly missionId: string;
  /** Absolute path, which identifies the run. */
  readonly runDir: string;
}

export function liveRuns(folder: MissionFolder, mission: MissionView): readonly Run[] {
  const lanes = mission.lanes.filter(hasRun).map((lane) => runOf(folder, mission, lane));
  return [...lanes, ...sessionRuns(folder, mission)];
}

/** False too for a worker that is being stopped, because it ends by itself. */
export function isUnderWay({ folder, missionId, taskId, runDir }: Run): boolean {
  const mission = folder.view?.missions.find(({ mission_id }) => mission_id === missionId);
  if (!mission || mission.lanes.some(({ task_id, stopping }) => task_id === taskId && stopping)) return false;
  return liveRuns(folder, mission).some((run) => run.runDir === runDir);
}

function sessionRuns(folder: MissionFolder, { mission_id, plan_id, orchestrator }: MissionView): readonly Run[] {
  if (!orchestrator?.session) return [];
  const { task_id, run_dir } = orchestrator.session;
  const runDir = runDirFromRoot(folder, run_dir);
  const { worker } = orchestrator;
  return [{ folder, missionId: mission_id, planId: plan_id, taskId: task_id, runDir, worker, ...ofSession }];
}

export const ofSession = { purpose: 'orchestrator', attempt: 1, launch: 1 } as const;

function runOf(folder: MissionFolder, mission: MissionView, lane: LiveWorkerView): Run {
  const { task_id, run_dir, worker, purpose, attempt, launch } = lane;
  return {
    folder,
    missionId: mission.mission_id,
    planId: mission.plan_id,
    taskId: task_id,
    runDir: runDirFromRoot(folder, run_dir),
    worker,
    purpose,
    attempt,
    launch,
  };
}

function runDirFromRoot(folder: MissionFolder, relative: string): string {
  return path.join(folder.folder.uri.fsPath, ...relative.split('/'));
}

export function runDirOf(folder: MissionFolder, missionId: string, name: string): string {
  return runDirFromRoot(folder, `.mission-control/missions/${missionId}/runs/${name}`);
}

/** The folder of the mission's runs, because a copied folder has missions of the same ids. */
export function missionOf({ runDir }: Pick<Run, 'runDir'>): string {
  return path.dirname(runDir);
}
