import type { Refusal } from '../../base/outcome';
import type { Launch } from '../../core/model/attempt';
import type { Report } from '../../core/model/inputs';
import type { PreparedEnvironment } from './prepareWorkerEnvironment';

/** The environment of a launch for which no directory was checked or changed. */
export const usable: PreparedEnvironment = { ok: true, modes: [] };

/** Reports changed modes although nothing is launched, because they stay changed. */
export function impossibleIn(
  environment: PreparedEnvironment,
  { launch_id }: Launch,
  { code, reason, next }: Refusal,
): Report {
  const sentence = withSteps.has(code) ? [reason, ...next].join(' ') : reason;
  const { modes } = environment;
  return {
    ...{ type: 'LaunchWasImpossible', launch_id, code, reason: sentence },
    ...(modes.length > 0 && { modes }),
    ...(!environment.ok && environment.unusable && { unusable: environment.unusable }),
  };
}

/** Codes whose next steps are sentences, so the report appends them to the reason. */
const withSteps: ReadonlySet<string> = new Set([
  'PROVIDER_CHANGED',
  'PROVIDER_UNUSABLE',
  'SERVICE_NOT_OPENED',
  'WORKER_MISSING',
]);
