import { evidenceIgnoredBy } from '../../adapters/git/evidenceIgnored';
import type { NodePorts } from '../../adapters/nodePorts';
import { exitCodes, type ExitCode } from '../shell/exitCodes';
import type { Stayed } from './foreground';
import {
  exitOfMission,
  missionResult,
  printIgnored,
  printResult,
  viewOf,
  type MissionResult,
} from '../show/missionResult';
import { whatGoesOn } from '../show/detachedProcesses';
import type { Invocation } from '../shell/command';
import { decisionStep } from '../../base/text/steps';
import { terminal } from '../../base/text/marked/terminal';

/**
 * Closes the workspace and prints how the mission stands. The caller prints the document. A person sees the end before
 * git is asked, because git may take long.
 */
export async function conclude(
  { workspace, out }: Invocation,
  owner: NodePorts,
  missionId: string,
  { how, engine }: Stayed,
): Promise<{ readonly exit: ExitCode; readonly result: MissionResult | null }> {
  const view = engine ? viewOf(engine) : null;
  const halt = engine?.halt ?? null;
  await owner.close();
  if (view === null) return { exit: exitCodes.environment, result: null };
  const detached = how === 'detached';
  if (!detached) printResult(view, halt, out);
  const ignored = detached && !out.json ? null : await evidenceIgnoredBy(workspace, view.plan_id);
  const result = { ...missionResult(view, halt), ...(ignored && { evidence_ignored: ignored }) };
  if (detached) {
    for (const line of whatGoesOn(view.lanes)) out.note(line);
    out.note(terminal`Continue with: ${decisionStep('resume', missionId)}`);
    return { exit: exitCodes.blocked, result };
  }
  if (ignored) printIgnored(view, ignored, out);
  return { exit: exitOfMission(view, halt), result };
}
