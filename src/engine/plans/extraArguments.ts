import type { WorkerName } from '../../contracts/vocabulary/workers';
import { extraArgumentsOption, type Surface } from '../../base/text/surface';
import { forbiddenArguments } from '../../workers/registry';
import type { Refusal } from '../../base/outcome';

/** Why a worker CLI is not started with its configured extra arguments; null when it may be. */
export function refusalOfExtraArguments(
  worker: WorkerName,
  extraArgs: readonly string[],
  surface: Surface = 'terminal',
): Refusal | null {
  const forbidden = forbiddenArguments(extraArgs, worker === 'command' ? null : worker);
  if (forbidden.length === 0) return null;
  return {
    code: 'NON_COMPLIANT',
    reason: `The extra arguments configured for ${worker} would switch its safety off: ${forbidden.join(' ')}.`,
    next: [`Take them out of ${extraArgumentsOption(surface, worker)}.`],
  };
}
