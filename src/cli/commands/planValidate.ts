import { planFiles } from '../../adapters/documents/planFiles';
import { workerNames, type WorkerName } from '../../contracts/vocabulary/workers';
import { checkPlan, defaultWorkerOfPlans } from '../../engine/plans/check';
import { UsageError, type CommandSpec, type Invocation } from '../shell/command';
import type { ExitCode } from '../shell/exitCodes';
import { reportFiles, type FileReport } from '../show/findings';

export const workerOption = {
  worker: {
    value: 'NAME',
    help: `Who performs tasks that name no worker: ${workerNames.join(', ')} (default: ${defaultWorkerOfPlans}).`,
  },
} as const;

export const planValidate: CommandSpec = {
  name: 'plan validate',
  usage: 'FILE...',
  takes: [1, Infinity],
  summary: 'Validate plans: every finding with its place and what to do.',
  options: workerOption,
  store: false,
  run: (call) => validatePlans(call, call.positionals),
};

export async function validatePlans(call: Invocation, files: readonly string[]): Promise<ExitCode> {
  const reports: FileReport[] = [];
  for (const file of files) reports.push(await checkPlanFile(call, file));
  return reportFiles(reports, call.out);
}

export async function checkPlanFile(call: Invocation, file: string): Promise<FileReport> {
  const { valid, code, plan_sha256, findings } = await checkPlan(planFiles, call.file(file), {
    defaultWorker: workerOf(call),
    looksAtProject: true,
  });
  return { file, kind: 'plan', valid, code, plan_sha256, findings };
}

/** @throws UsageError */
export function workerOf(call: Invocation): WorkerName {
  const name = call.text('worker');
  if (name === null) return defaultWorkerOfPlans;
  const worker = workerNames.find((candidate) => candidate === name);
  if (worker === undefined) throw new UsageError(`--worker ${name}: it is one of ${workerNames.join(', ')}.`);
  return worker;
}
