import { planFiles } from '../../../adapters/documents/planFiles';
import { loadSqlite } from '../../../adapters/journal/sqlite';
import { workerNames, type WorkerName } from '../../../contracts/vocabulary/workers';
import type { Finding } from '../../../core/documents/finding';
import { checkCarried } from '../../../engine/mission/carried';
import { approvable } from '../../../engine/plans/approval';
import { checkPlan, defaultWorkerOfPlans, type PlanCheck } from '../../../engine/plans/check';
import { workspaceOf } from '../../../engine/plans/disk';
import { withMissions } from '../../owner/session';
import { orMeant } from '../../owner/planPlace';
import { required, UsageError, type CommandSpec, type Invocation } from '../../shell/command';
import type { ExitCode } from '../../shell/exitCodes';
import { reportFiles, type FileReport } from '../../show/findings';
import { RefusedBytes } from './refusedBytes';

export const workerOption = {
  worker: {
    value: 'NAME',
    help: `Who performs tasks that name no worker: ${workerNames.join(', ')} (default: ${defaultWorkerOfPlans}).`,
  },
} as const;

export const planValidate: CommandSpec = {
  name: 'plan validate',
  usage: 'FILE...',
  takes: [[required.plan], Infinity],
  summary: 'Validate plans: every finding with its place and what to do.',
  options: workerOption,
  store: false,
  async run(call) {
    const refused = new RefusedBytes();
    try {
      return await validatePlans(call, call.positionals, (check, path) => refused.warnings(check, path));
    } finally {
      await refused.close();
    }
  },
};

/** What is found about a plan beyond its text. */
type MoreFindings = (check: PlanCheck, path: string) => Promise<readonly Finding[]>;

/** @param more of a plan that is valid; absent: its bytes are judged alone */
export async function validatePlans(
  call: Invocation,
  files: readonly string[],
  more?: MoreFindings,
): Promise<ExitCode> {
  const reports: FileReport[] = [];
  for (const file of files) reports.push(await checkPlanFile(call, file, more));
  return reportFiles(reports, call.out);
}

export async function checkPlanFile(call: Invocation, file: string, more?: MoreFindings): Promise<FileReport> {
  const path = call.file(file);
  const options = { defaultWorker: workerOf(call), looksAtProject: true };
  const check = await checkPlan(planFiles, path, options);
  const carried = await carriedFindings(check, path, options);
  const refused = carried.find(({ severity }) => severity === 'error');
  const { plan_sha256 } = check;
  return {
    file,
    kind: 'plan',
    valid: check.valid && refused === undefined,
    code: check.valid && refused ? refused.code : check.code,
    plan_sha256,
    findings: [
      ...orMeant(call, file, check.findings),
      ...carried,
      ...(check.valid && more ? await more(check, path) : []),
    ],
  };
}

/** Finds faults of the tasks that a plan in its workspace carries over; of another plan it reads the text alone. */
async function carriedFindings(
  check: PlanCheck,
  path: string,
  options: { readonly defaultWorker: WorkerName },
): Promise<readonly Finding[]> {
  const workspace = workspaceOf(path);
  const plan = approvable(planFiles, check, path, options);
  const marked = plan?.tasks.filter(({ carried_from }) => carried_from) ?? [];
  if (workspace === null || !plan || marked.length === 0) return [];
  // A Node that reads no journal cannot check this. Approving or running the plan needs another Node, and says so then.
  const sqlite = loadSqlite();
  const found = sqlite.ok
    ? await withMissions(workspace, ({ ports }) => checkCarried(plan, check.text, ports, options))
    : sqlite;
  if (found.ok) return found.value.findings;
  const named = marked.map(({ task_id }) => JSON.stringify(task_id)).join(', ');
  const { reason, next } = found.refusal;
  return check.text.locate([
    {
      code: 'CARRIED_NOT_CHECKED',
      severity: sqlite.ok ? 'error' : 'warning',
      pointer: `/tasks/${plan.tasks.findIndex(({ carried_from }) => carried_from)}/carried_from`,
      message: `Whether ${named} can be carried over was not checked: ${reason} ${next.join(' ')}`,
    },
  ]);
}

/** @throws UsageError */
export function workerOf(call: Invocation): WorkerName {
  const name = call.text('worker');
  if (name === null) return defaultWorkerOfPlans;
  const worker = workerNames.find((candidate) => candidate === name);
  if (worker === undefined) throw new UsageError(`--worker ${name}: it is one of ${workerNames.join(', ')}.`);
  return worker;
}
