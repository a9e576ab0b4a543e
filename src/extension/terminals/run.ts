import path from 'node:path';
import { limited } from '../../base/text/oneLine';
import { ui, type UiText } from '../../base/text/marked/ui';
import type { LiveWorkerView } from '../../contracts/page/liveView';
import type { MissionView } from '../../contracts/page/missionView';
import { runDirOf } from '../../core/view/evidence/shownLaunch';
import type { MissionFolder } from '../folder/missionFolders';
import { hasRun } from '../views/missionFacts';

/** The facts of a launch that its terminal shows. */
export interface NamedLaunch extends Pick<LiveWorkerView, 'worker' | 'attempt' | 'launch'> {
  readonly planId: string;
  readonly taskId: string;
  readonly purpose: LiveWorkerView['purpose'] | 'orchestrator' | 'draft';
}

export interface Run extends NamedLaunch {
  readonly folder: MissionFolder;
  readonly missionId: string;
  /** Absolute path, which identifies the run. */
  readonly runDir: string;
}

export function liveRuns(folder: MissionFolder, mission: MissionView): readonly Run[] {
  const { session, worker = 'command' } = mission.orchestrator ?? {};
  return [
    ...mission.lanes.filter(hasRun).map((lane) => runOf(folder, mission, lane)),
    ...(session ? [runOf(folder, mission, { ...session, worker, ...ofSession })] : []),
  ];
}

/** False too for a worker that is being stopped, because it ends by itself. */
export function isUnderWay({ folder, missionId, taskId, runDir }: Run): boolean {
  const mission = folder.view?.missions.find(({ mission_id }) => mission_id === missionId);
  if (!mission || mission.lanes.some(({ task_id, stopping }) => task_id === taskId && stopping)) return false;
  return liveRuns(folder, mission).some((run) => run.runDir === runDir);
}

export const ofSession = { purpose: 'orchestrator', attempt: 1, launch: 1 } as const;

export function runOf(
  folder: MissionFolder,
  { mission_id: missionId, plan_id: planId }: Pick<MissionView, 'mission_id' | 'plan_id'>,
  of: Pick<LiveWorkerView, 'task_id' | 'run_dir'> & Pick<Run, 'worker' | 'purpose' | 'attempt' | 'launch'>,
): Run {
  const { task_id: taskId, run_dir, worker, purpose, attempt, launch } = of;
  const runDir = fromRoot(folder, run_dir);
  return { folder, missionId, planId, taskId, runDir, worker, purpose, attempt, launch };
}

function fromRoot({ folder }: MissionFolder, relative: string): string {
  return path.join(folder.uri.fsPath, ...relative.split('/'));
}

export function isRunOf(folder: MissionFolder, mission: Pick<MissionView, 'mission_id'>, runDir: string): boolean {
  return fromRoot(folder, runDirOf(mission, path.basename(runDir))) === runDir;
}

/** The folder of the mission's runs, because a copied folder has missions of the same ids. */
export function missionOf({ runDir }: Pick<Run, 'runDir'>): string {
  return path.dirname(runDir);
}

/**
 * `T1 · NAME (Mission P)`, `#2 T1 · NAME · attempt 2 (Mission P)`, `T1 · verify (Mission P)`; NAME is the worker's. The
 * distinguishing part comes first, because tabs cut names at their end.
 */
export function terminalName({ planId, taskId, worker, purpose, attempt, launch }: NamedLaunch): UiText {
  if (purpose === 'draft') return ui`Draft of a plan · ${worker}${launch > 1 ? ui` · ${launch}` : ui``}`;
  const again = attempt > 1 ? ui`#${attempt} ` : ui``;
  const doer = purpose === 'verify' ? 'verify' : purpose === 'orchestrator' ? ui`orchestrator ${worker}` : worker;
  const counted = attempt > 1 ? ui` · attempt ${attempt}` : ui``;
  const further = purpose === 'worker' && launch > 1 ? ui` · launch ${launch}` : ui``;
  return ui`${again}${taskId} · ${doer}${counted}${further} (Mission ${limited(planId, 30)})`;
}
