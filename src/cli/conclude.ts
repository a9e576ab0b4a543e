import type { NodePorts } from '../adapters/nodePorts';
import type { MissionHost } from '../engine/missionHost';
import type { ExitCode } from './exitCodes';
import { exitCodes } from './exitCodes';
import { exitOfMission, missionResult, printResult, viewOf, type MissionResult } from './missionResult';
import type { Output } from './output';

/** Lets go of the workspace and says how the mission stands. The document is printed by the caller. */
export async function conclude(
  host: MissionHost,
  owner: NodePorts,
  missionId: string,
  how: 'settled' | 'detached',
  out: Output,
): Promise<{ readonly exit: ExitCode; readonly result: MissionResult | null }> {
  const engine = host.engine(missionId);
  const view = engine ? viewOf(engine) : null;
  const halt = engine?.halt ?? null;
  await host.release();
  await owner.close();
  if (view === null) return { exit: exitCodes.environment, result: null };
  const result = missionResult(view, halt);
  if (how === 'detached') {
    const workers = view.lanes.filter(({ pid }) => pid !== null);
    for (const { task_id, pid } of workers)
      out.note(`Let go: the worker of ${task_id} goes on under its supervisor (process ${pid ?? ''}).`);
    if (workers.length === 0) out.note('Let go: no worker is running.');
    out.note(`Continue with: mission resume ${missionId} --by NAME --reason TEXT`);
    return { exit: exitCodes.blocked, result };
  }
  printResult(view, halt, out);
  return { exit: exitOfMission(view, halt), result };
}
