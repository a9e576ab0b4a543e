import { errorWords } from '../../base/outcome';
import { laneOf } from '../../core/model/lanes';
import type { CompletedResult } from '../../core/model/inputs';
import { type Mission, rowOf } from '../../core/model/state';
import type { EnginePorts } from '../ports/engine';
import { claimFrom, textErrors } from './watch/claimFrom';
import { packetToComplete } from './write/writeDocuments';
import { workerLaunch } from '../../core/lifecycle/parts/workerLaunch';

/** Larger packets are not read. Characters. */
const sizeLimit = 4 * 1024 * 1024;

/** Before the command is decided. Restores a packet that is gone, because a person could not complete it otherwise. */
export async function readCompleted(mission: Mission, taskId: string, ports: EnginePorts): Promise<CompletedResult> {
  const lane = laneOf(mission, taskId);
  const path = lane?.intervention?.path ?? null;
  if (!lane || path === null) return bad('no packet waits for a person');
  try {
    const file = await ports.evidence.read(path);
    if (!file.ok) return bad(file.refusal.reason);
    if (file.value === null && lane.claim.kind === 'valid') {
      const anew = await ports.evidence.write(path, packetToComplete(lane.claim));
      return bad(anew.ok ? 'it was gone, and is written anew as the worker had left it' : anew.refusal.reason);
    }
    if (file.value === null) return bad('it is gone');
    if (file.value.text.length > sizeLimit) return bad('it is larger than 4 MB');
    const launch = workerLaunch(lane) ?? null;
    const errors = textErrors(file.value.text, ports.plans);
    if (errors.length > 0) return { ok: false, problems: errors };
    const { value } = ports.plans.parse(file.value.text);
    const claim = await claimFrom(value, { mission, task: rowOf(mission, taskId).task, launch }, ports);
    return claim.kind === 'invalid' ? { ok: false, problems: claim.problems } : { ok: true, claim };
  } catch (error) {
    return bad(errorWords(error));
  }
}

function bad(problem: string): CompletedResult {
  return { ok: false, problems: [problem] };
}
