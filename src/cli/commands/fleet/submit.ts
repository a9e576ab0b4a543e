import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../adapters/system/clock';
import { planFiles } from '../../../adapters/documents/planFiles';
import { readMissionPaths } from '../../../adapters/state/missionPaths';
import { terminal } from '../../../base/text/marked/terminal';
import { fileStep } from '../../../base/text/steps';
import { done, refused, type Outcome } from '../../../base/outcome';
import { priorities } from '../../../contracts/vocabulary/intents';
import { fleetOrderSchema, type FleetOrder } from '../../../contracts/fleet';
import { mostCharacters } from '../../../contracts/fleetMirror';
import { needsOf } from '../../../engine/fleet/order';
import { approvalVerdict } from '../../../engine/plans/approvals';
import { checkPlan, type PlanCheck } from '../../../engine/plans/check';
import { insideWorker } from '../../owner/decide';
import { isInsideWorker, looking } from '../../owner/session';
import { printFindings, reportFiles } from '../../show/findings';
import { required, UsageError, type Command, type Invocation } from '../../shell/command';
import { exitCodes } from '../../shell/output';
import { databaseOption, labelsOf, labelsOption, sealsOf, signOption, withFleet } from './connection';

export const fleetSubmit: Command = {
  usage: 'PLAN --repo URL --ref SHA',
  takes: [required.runPlan],
  summary: 'Hand an approved plan to the hosts of a fleet.',
  details: [
    'The plan must be approved in this workspace. A host fetches the commit from the URL, writes these very bytes of the',
    'plan into it and runs them. A plan that waits or runs already is not queued again. Hosts run one mission of a',
    'repository at a time.',
  ],
  options: {
    repo: {
      value: 'URL',
      help: 'Where hosts fetch it: https://…, ssh://…, USER@HOST:PATH or file:///…, without password.',
    },
    ref: { value: 'SHA', help: 'The whole id of the commit to start from.' },
    needs: {
      ...labelsOption,
      help: 'What its host must have, such as gpu,AGENT-1.2 for a 1.2.x of an agent. The agents of the plan are needed by themselves.',
    },
    push: { help: 'A host with --push pushes evidence and changes to a new branch mission/… of that repository.' },
    priority: {
      value: 'N',
      help: 'Higher comes first, from -1000 to 1000 (default: of the most urgent task, from -10 for low by tens).',
    },
    ...signOption,
    ...databaseOption,
  },
  needs: ['repo', 'ref'],
  async run(call) {
    const { out } = call;
    const [name = ''] = call.positionals;
    const asked = priorityOf(call.text('priority'));
    if (call.text('sign') !== null && call.text('repo')?.startsWith('file:') === true)
      throw new UsageError(
        'A signed order names a repository by HTTPS or SSH, because every host refuses a folder there.',
      );
    if (await isInsideWorker(call.workspace)) return out.refuse(insideWorker);
    const check = await checkPlan(planFiles, call.file(name), { workspaceDir: call.workspace });
    if (!check.valid || check.plan_sha256 === null) {
      const { code, plan_sha256, findings } = check;
      return reportFiles([{ file: name, valid: false, code, plan_sha256, findings }], out);
    }
    printFindings(name, check.findings, out);
    const order = await orderOf(call, check);
    if (!order.ok) return out.refuse(order.refusal);
    const { order_id, plan_id, plan_sha256, repository, commit, needs } = order.value;
    if (call.text('sign') !== null)
      out.note(
        terminal`A signed order runs on a host with a sandbox alone, or where the owner of a host lets it run without one.`,
      );
    const priority = asked ?? priorityOfPlan(check);
    const sealed = await sealsOf(call).seal({ kind: 'order' }, JSON.stringify(order.value));
    if (!sealed.ok) return out.refuse(sealed.refusal);
    return withFleet(call, async (fleet) => {
      const row = { id: order_id, plan_hash: plan_sha256, priority, repository, needs, order: sealed.value };
      const { kind, id } = await fleet.submit(row);
      const word = kind === 'queued' ? 'Queued' : 'Known already';
      out.line(terminal`${out.paint('green', word)}: ${plan_id} as ${id}`);
      out.line(terminal`  plan_sha256 ${plan_sha256}`);
      out.line(terminal`  commit      ${commit}`);
      if (needs.length > 0) out.line(terminal`  needs       ${needs.join(', ')}`);
      out.line(terminal`  next: mission fleet show ${id}`);
      out.document({
        accepted: true,
        id,
        queued: kind === 'queued',
        plan_id,
        plan_sha256,
        repository,
        commit,
        needs,
        priority,
      });
      return exitCodes.ok;
    });
  },
};

/** @throws UsageError */
function priorityOf(text: string | null): number | null {
  if (text === null) return null;
  const priority = Number(text);
  if (!Number.isInteger(priority) || Math.abs(priority) > 1000)
    throw new UsageError('--priority takes a whole number from -1000 to 1000.');
  return priority;
}

/** A plan is as urgent as the most urgent of its tasks; `normal` is 0. */
function priorityOfPlan({ plan }: PlanCheck): number {
  const ranks = plan?.tasks.map(({ priority = 'normal' }) => priorities.indexOf(priority)) ?? [];
  return 10 * (Math.max(...ranks) - priorities.indexOf('normal'));
}

/** Makes the order for the fleet, if a person approved these bytes here. @throws UsageError */
async function orderOf(call: Invocation, { plan, plan_sha256, bytes, text }: PlanCheck): Promise<Outcome<FleetOrder>> {
  const file = call.file(call.positionals[0] ?? '');
  if (plan === null || plan_sha256 === null || bytes === null) throw new Error('The plan is valid.');
  const approve = fileStep('plan approve', call.positionals[0] ?? '', '--by NAME');
  const read = await looking(call.workspace, async (viewer): Promise<Outcome<FleetOrder>> => {
    if (viewer === null)
      return refused('APPROVAL_RECORD_REQUIRED', 'No plan was approved in this workspace yet.', approve);
    const { records, approvals } = viewer;
    const { plan_id, risk } = plan;
    const plan_path = (await readMissionPaths(call.workspace)).relative(file) ?? file;
    const asked = { plan_id, plan_path, plan_sha256, risk_level: risk.level, other_forms: text.other_forms ?? [] };
    const verdict = await approvalVerdict(records, approvals, asked, systemClock.now());
    if (!verdict.counts) return refused('APPROVAL_RECORD_REQUIRED', verdict.why, approve);
    // The place of the approval stays here, because its seal is checked here.
    const { workspace_dir: _, ...approved } = verdict.approved;
    const order = fleetOrderSchema.safeParse({
      schema_version: '1.0.0',
      order_id: randomUUID(),
      ...{ plan_id, plan_sha256, risk_level: risk.level, approved },
      plan: Buffer.from(bytes).toString('base64'),
      needs: needsOf(plan, labelsOf(call, 'needs'), {
        push: call.flag('push'),
        signed: call.text('sign') !== null,
      }),
      push: call.flag('push'),
      repository: call.text('repo'),
      commit: call.text('ref'),
    });
    if (!order.success) throw new UsageError(wrongWords[String(order.error.issues[0]?.path[0])] ?? otherwiseWrong);
    if (order.data.plan.length > mostCharacters.order)
      throw new UsageError('The plan is larger than 12 MB, and a fleet takes none of that size.');
    return done(order.data);
  });
  return read.ok ? read.value : read;
}

const wrongWords: Readonly<Record<string, string>> = {
  repository:
    '--repo takes https://HOST/PATH, ssh://USER@HOST/PATH, USER@HOST:PATH or file:///PATH. It holds no password, because the database keeps it.',
  commit: '--ref takes the whole id of a commit: 40 or 64 digits and lower-case letters from a to f.',
};
const otherwiseWrong = 'The approval of the plan has more in it than a fleet takes.';
