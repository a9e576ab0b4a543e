import type { WorkerName } from '../../contracts/vocabulary/workers';
import { extraArgumentsOption, modelOption, type Surface } from '../../base/text/optionNames';
import { forbiddenArguments } from '../../workers/registry';
import type { Refusal } from '../../base/outcome';

/** Says why a worker CLI is not started with its configured extra arguments; null when it may be. */
export function refusalOfExtraArguments(
  worker: WorkerName,
  extraArgs: readonly string[],
  surface: Surface = 'terminal',
): Refusal | null {
  const forbidden = forbiddenArguments(extraArgs, worker === 'command' ? null : worker);
  const model = extraArgs.find((argument) => namesModel.test(argument));
  if (forbidden.length === 0 && model !== undefined)
    return {
      code: 'NON_COMPLIANT',
      reason: `The extra arguments configured for ${worker} name a model (${model}), which the model policy would not see.`,
      next: [
        `Take it out of ${extraArgumentsOption(surface, worker)}, and name it in ${modelOption(surface, worker)}.`,
      ],
    };
  if (forbidden.length === 0) return null;
  return {
    code: 'NON_COMPLIANT',
    reason: `The extra arguments configured for ${worker} would switch its safety off: ${forbidden.join(' ')}.`,
    next: [`Take them out of ${extraArgumentsOption(surface, worker)}.`],
  };
}

/** Options that name a model. They override the selected one, and some agents do not report which ran. */
const namesModel = /^(?:--(?:fallback-)?model(?:=|$)|-m|(?:-c|--config=)?model=)/;
