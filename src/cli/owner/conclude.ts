import type { NodePorts } from '../../adapters/nodePorts';
import type { ExitCode } from '../shell/exitCodes';
import { exitCodes } from '../shell/exitCodes';
import type { Stayed } from './foreground';
import { exitOfMission, missionResult, printResult, viewOf, type MissionResult } from '../show/missionResult';
import { whatGoesOn } from '../show/whatGoesOn';
import type { Output } from '../shell/output';
import { decisionStep } from '../../base/text/steps';
import { terminal } from '../../base/text/terminal';

/** Closes the workspace and prints how the mission stands. The caller prints the document. */
export async function conclude(
  owner: NodePorts,
  missionId: string,
  { how, engine }: Stayed,
  out: Output,
): Promise<{ readonly exit: ExitCode; readonly result: MissionResult | null }> {
  const view = engine ? viewOf(engine) : null;
  const halt = engine?.halt ?? null;
  await owner.close();
  if (view === null) return { exit: exitCodes.environment, result: null };
  const result = missionResult(view, halt);
  if (how === 'detached') {
    for (const line of whatGoesOn(view.lanes)) out.note(line);
    out.note(terminal`Continue with: ${decisionStep('resume', missionId)}`);
    return { exit: exitCodes.blocked, result };
  }
  printResult(view, halt, out);
  return { exit: exitOfMission(view, halt), result };
}
