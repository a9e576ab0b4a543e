import { planFiles } from '../../../adapters/documents/planFiles';
import { loadSqlite } from '../../../adapters/journal/sqlite';
import { workerNames, type WorkerName } from '../../../contracts/vocabulary/workers';
import type { Finding } from '../../../core/documents/finding';
import { checkCarried } from '../../../engine/mission/carried';
import { asApproved } from '../../../engine/plans/approval';
import { checkPlan, defaultWorkerOfPlans, type PlanCheck } from '../../../engine/plans/check';
import { workspaceOf } from '../../../engine/plans/disk';
import { withMissions, snapshotOf, orMeant } from '../../owner/session';
import { oneOf, required, several, type Command, type Invocation } from '../../shell/command';
import type { ExitCode } from '../../shell/output';
import { reportFiles, type FileReport } from '../../show/findings';
import { openNodeViewer, type NodeViewer } from '../../../adapters/nodeViewer';
import { readMissionPaths } from '../../../adapters/state/missionPaths';
import { fileStep } from '../../../base/text/steps';
import { missionWord } from '../../../base/text/words';
import type { MissionControlView } from '../../../contracts/page/missionView';
import { lockedOtherwise } from '../../../engine/mission/approvePlan';
import { approvedOtherBytes } from '../../../engine/plans/approvals';
import { MissionReader } from '../../../engine/views/reader';

export const workerOption = {
  worker: {
    value: 'NAME',
    help: `Who performs tasks that name no worker: ${workerNames.join(', ')} (default: ${defaultWorkerOfPlans}).`,
  },
} as const;

export const planValidate: Command = {
  takes: [several(required.plan)],
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
  const approval = asApproved(planFiles, check, path, planFiles.now(), options);
  const plan = approval.ok ? approval.plan : null;
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
  return oneOf(call, 'worker', workerNames) ?? defaultWorkerOfPlans;
}

/**
 * Warns of valid plans that no mission of their workspace runs. Either a mission locked other bytes under the id, or a
 * person approved other bytes. Opens each workspace once, and reads its missions once.
 */
export class RefusedBytes {
  readonly #known = new Map<string, Promise<Known | null>>();

  constructor(private readonly open: typeof openNodeViewer = openNodeViewer) {}

  /** Empty also where no journal can be read, as in a clone, because a start asks again. Never rejects. */
  async warnings({ plan, plan_sha256, text }: PlanCheck, path: string): Promise<readonly Finding[]> {
    const workspace = workspaceOf(path);
    if (plan === null || plan_sha256 === null || workspace === null || !loadSqlite().ok) return [];
    const asked = { plan_id: plan.plan_id, plan_sha256, other_forms: text.other_forms ?? [] };
    try {
      const known = await this.#knownOf(workspace);
      if (known === null) return [];
      // An approval helps none of these bytes while a mission holds their id.
      const found = (await lockedBytes(asked, known)) ?? (await approvedBytes(asked, known.viewer, workspace, path));
      return found === null ? [] : text.locate([found]);
    } catch {
      return [];
    }
  }

  async close(): Promise<void> {
    for (const known of this.#known.values()) await (await known.catch(() => null))?.viewer.close();
  }

  #knownOf(workspace: string): Promise<Known | null> {
    const known = this.#known.get(workspace) ?? this.#read(workspace);
    this.#known.set(workspace, known);
    return known;
  }

  async #read(workspaceDir: string): Promise<Known | null> {
    const viewer = await this.open({ workspaceDir, journal: { kind: 'in_process' } });
    if (!viewer.ok || viewer.value === null) return null;
    const missions = new MissionReader(viewer.value.journal);
    let view: Promise<MissionControlView> | null = null;
    return {
      viewer: viewer.value,
      missions,
      view: () => (view ??= snapshotOf(viewer.value, workspaceDir, missions)),
    };
  }
}

interface Known {
  readonly viewer: NodeViewer;
  readonly missions: MissionReader;
  /** Returns how they stand. Looks for processes, so a warning alone asks for it. */
  view(): Promise<MissionControlView>;
}

type Asked = Parameters<typeof lockedOtherwise>[0];

async function lockedBytes(asked: Asked, known: Known): Promise<Finding | null> {
  const { missions } = await known.missions.read();
  const locked = lockedOtherwise(
    asked,
    missions.map(({ mission }) => mission),
  );
  if (locked === null) return null;
  const { mission_id, refusal } = locked;
  const view = (await known.view()).missions.find((one) => one.mission_id === mission_id);
  const state = view ? missionWord(view) : 'unknown';
  const steps = refusal.next.map((step) => step.replace(/\.?$/, '.')).join(' ');
  const message = `${refusal.reason} That mission is ${state}, and no mission runs these bytes. ${steps}`;
  return { code: 'LOCKED_OTHERWISE', severity: 'warning', pointer: '/plan_id', message };
}

async function approvedBytes(
  asked: Asked,
  { records }: NodeViewer,
  workspace: string,
  path: string,
): Promise<Finding | null> {
  const plan_path = (await readMissionPaths(workspace)).relative(path) ?? path;
  const why = await approvedOtherBytes(records, { ...asked, plan_path });
  if (why === null) return null;
  const message = `${why} A mission refuses these bytes: approve them (${fileStep('plan approve', plan_path, '--by NAME')}), or put the approved bytes back.`;
  return { code: 'APPROVED_OTHERWISE', severity: 'warning', pointer: '/approval', message };
}
