import { searchOutside } from '../../../adapters/files/inside';
import { hostsOfAll, providersOfAll } from '../../../adapters/launches/workerCatalog';
import { sandboxHere } from '../../../adapters/sandbox/sandboxes';
import { confinementOf, confinementOption } from '../../owner/confinement';
import { fileStep } from '../../../base/text/steps';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../adapters/system/clock';
import { evidenceIgnoredBy, missingAttributeLines } from '../../../adapters/git/evidence';
import { otherOwner } from '../../../adapters/inbox/otherOwner';
import { readMissionPaths } from '../../../adapters/state/missionPaths';
import { planFiles } from '../../../adapters/documents/planFiles';
import { recoveryPermissions, type RecoveryPermission } from '../../../contracts/vocabulary/intents';
import type { ApprovedFile } from '../../../contracts/commands/missionCommand';
import type { Outcome } from '../../../base/outcome';
import { deliver } from '../../../engine/owner/deliver';
import { approvePlan, plannedFile, type Approval, type NotApproved } from '../../../engine/mission/approvePlan';
import { approvalView } from '../../../core/view/plan/approvalView';
import { required, NoTerminalError, personNamed, UsageError, type Command, type Invocation } from '../../shell/command';
import { exitCodes, exitOfRefusal, type ExitCode, type Output } from '../../shell/output';
import { toSupersede, type RevisionOverview } from '../../../base/text/revision';
import { printApproval } from '../../show/approvalOverview';
import { printFindings, reportFiles } from '../../show/findings';
import { humanCommand, insideWorker, lookStep } from '../../owner/decide';
import {
  withMissions,
  actorOf,
  agentsOf,
  isInsideWorker,
  looking,
  owning,
  workerOptions,
  longWait,
  inOwnWorkspace,
  orMeant,
  runStep,
} from '../../owner/session';
import { workerOf, workerOption } from './planValidate';
import { perAgent } from '../../../workers/registry';
import { terminal } from '../../../base/text/marked/terminal';
import { hasApproval } from '../../../engine/plans/approvals';
import path from 'node:path';
import { locateRepository } from '../../../adapters/git/locate';
import { missingPrettierLines } from '../../../adapters/files/prettierIgnore';
import { otherStart } from '../../../base/text/prettierStart';

export const planApprove: Command = {
  usage: 'FILE --by NAME',
  takes: [required.plan],
  summary: 'Show what is approved, ask, write the approval into the file and record it.',
  details: ['The file keeps its formatting. The hash of the approved bytes goes into the journal of this workspace.'],
  options: {
    by: { value: 'NAME', help: 'Who approves.' },
    note: { value: 'TEXT', help: 'Note that stands beside the approval.' },
    'allow-recovery': {
      value: 'NAMES',
      help: `What may be corrected without asking, with commas between: ${recoveryPermissions.join(', ')}. Default: what the plan says, else nothing.`,
    },
    yes: { help: 'Do not ask.' },
    ...workerOption,
    ...confinementOption,
    'cli-host': workerOptions['cli-host'],
    'cli-model': workerOptions['cli-model'],
    'cli-env': workerOptions['cli-env'],
    'cli-arg': workerOptions['cli-arg'],
  },
  needs: ['by'],
  async run(asked) {
    const call = await inOwnWorkspace(asked);
    const { out } = call;
    const [name = ''] = call.positionals;
    const approved_by = personNamed(call.text('by') ?? '');
    const file = call.file(name);
    const wanted = confinementOf(call);
    const agents = agentsOf(call);
    const hosts = hostsOfAll(agents);
    const options = {
      defaultWorker: workerOf(call),
      workspaceDir: call.workspace,
      looksAtProject: true,
      ...(wanted.confinement && { confinement: wanted.confinement }),
    };
    // A worker's launch is recorded where it works, wherever the plan lies.
    if (await isInsideWorker(asked.workspace)) return out.refuse(insideWorker);
    const decision = {
      approved_by,
      approved_at: systemClock.now(),
      note: call.text('note'),
      recovery_allow: recoveryAllowed(call),
    };
    const environment = searchOutside(call.environment, [call.workspace]);
    const machine = {
      wanted: wanted.confinement ?? null,
      agent_network: wanted.agent_network ?? null,
      hosts,
      providers: await providersOfAll(agents),
      models: perAgent((agent) => agents.settings(agent).model),
      standing: await sandboxHere(environment, call.workspace),
    };
    const planned = await plannedFile(planFiles, file, { decision, machine }, options);
    if (planned.ok) printFindings(name, planned.findings, out);
    let known = false;
    const approval = await approvePlan(planned, {
      plans: planFiles,
      path: file,
      plan_path: (await readMissionPaths(call.workspace)).relative(file) ?? file,
      defaultWorker: options.defaultWorker,
      missions: (look) => withMissions(call.workspace, look),
      evidenceIgnored: (planId) => evidenceIgnoredBy(call.workspace, planId),
      async confirm(shown) {
        printApproval(
          approvalView(shown, (agent) => agents.settings(agent).extraArgs),
          out,
        );
        if (call.flag('yes')) return true;
        if (!out.interactive) throw new NoTerminalError();
        return out.ask(terminal`Approve plan ${shown.plan_id} as ${approved_by}?`);
      },
      async record(approved) {
        known = await isRecorded(call.workspace, approved.plan_sha256);
        return record(call, approved);
      },
    });
    switch (approval.kind) {
      case 'invalid': {
        const { findings } = approval;
        const code = findings.find(({ severity }) => severity === 'error')?.code ?? 'OK';
        const plan_sha256 = planned.read_sha256;
        return reportFiles(
          [{ file: name, valid: false, code, plan_sha256, findings: orMeant(call, name, findings) }],
          out,
        );
      }
      case 'refused':
        return out.refuse(approval.refusal);
      case 'declined': {
        const next = [fileStep('plan validate', name)];
        return out.refuse({ code: 'NOT_APPROVED', reason: 'You said no: nothing was written.', next });
      }
      case 'approved': {
        const { ends, approved } = approval;
        return endSuperseded(call, ends, approved, () => tell(call, approval, { name, approved_by, known }));
      }
    }
  },
};

/** Says what was approved, and what comes next. `known`: these bytes had a record before. */
async function tell(
  call: Invocation,
  { planned, approved, unrecorded, open, revision }: Extract<Approval, { kind: 'approved' }>,
  { name, approved_by, known }: { readonly name: string; readonly approved_by: string; readonly known: boolean },
): Promise<ExitCode> {
  const { out } = call;
  const { plan_id, plan_path, plan_sha256 } = approved;
  const { changed, approval } = planned;
  const says = approval.approved_by ?? null;
  const already = terminal`${out.paint('green', 'Approved already')}: ${plan_id}, by ${says ?? 'an unnamed person'} as the file says`;
  const recorded = unrecorded === null;
  const renewed = !changed && recorded && !known;
  if (!recorded) {
    const why = [unrecorded.reason, ...unrecorded.next].join(' ');
    const stands = changed ? ' It stands in the file.' : '';
    out.note(terminal`The journal has no record of this approval: ${why}${stands}`);
  }
  if (changed || renewed) out.line(terminal`${out.paint('green', 'Approved')}: ${plan_id} by ${approved_by}`);
  else if (recorded) out.line(terminal`${already}; the approval of ${approved_by} is recorded here`);
  else out.line(terminal`${already}; nothing of ${approved_by} is recorded`);
  if (renewed && says !== null && says !== approved_by)
    out.line(terminal`  The file names ${says}; ${approved_by} approves these bytes now.`);
  out.line(terminal`  plan_sha256 ${plan_sha256}`);
  await printExactBytes(call.workspace, out);
  if (open === null) out.line(terminal`  next: ${runStep(call, name, plan_path, plan_id)}`);
  else {
    out.line(terminal`  Mission ${open} of this plan has not ended.`);
    out.line(terminal`  next: mission status ${open}`);
  }
  out.document({
    plan_id,
    plan_sha256,
    // The name in the file, as everywhere; another person may have approved the bytes here.
    approved_by: says,
    approved_at: approval.approved_at ?? null,
    approved_here: recorded ? { by: approved_by } : null,
    changed,
    recorded,
    ...(open !== null && { mission_id: open }),
    ...(revision && {
      supersedes: revision.supersedes,
      ended: toSupersede(revision).map(({ mission_id }) => mission_id),
    }),
  });
  return recorded ? exitCodes.ok : exitOfRefusal(unrecorded.code);
}

/** Null: what the plan says, else nothing. */
function recoveryAllowed(call: Invocation): readonly RecoveryPermission[] | null {
  const names = call.text('allow-recovery');
  if (names === null) return null;
  return names.split(',').flatMap((text) => {
    const name = text.trim();
    if (name === '') return [];
    const permission = recoveryPermissions.find((known) => known === name);
    if (permission === undefined)
      throw new UsageError(`--allow-recovery: ${name} is not one of ${recoveryPermissions.join(', ')}.`);
    return [permission];
  });
}

/** Journals who approved which bytes, here or through the owner. Returns null, or why it was not possible. */
async function record(call: Invocation, approval: ApprovedFile): Promise<NotApproved | null> {
  const actor = actorOf(call);
  const reason = call.text('note') ?? 'Approved.';
  const command = { type: 'RecordApproval', ...approval };
  const message = { id: randomUUID(), mission_id: '', command, actor, reason, from_worker: false };
  const here = (): Promise<Outcome<null>> =>
    owning(call, actor, ({ host }) => host.recordApproval(actor, { ...approval, reason }));
  const delivered = await deliver(otherOwner(call.workspace, message), here, lookStep, longWait(call));
  switch (delivered.by) {
    case 'this':
      return null;
    case 'another':
      return delivered.answer.accepted ? null : delivered.answer;
    case 'nobody':
      return delivered.refusal;
  }
}

/** Ends the missions that the approved revision supersedes, one after another, and then reports the approval. */
export async function endSuperseded(
  call: Invocation,
  [first, ...others]: RevisionOverview['missions'],
  { plan_id, plan_sha256 }: ApprovedFile,
  showApproved: () => Promise<ExitCode>,
): Promise<ExitCode> {
  if (!first) return showApproved();
  const { mission_id, does } = first;
  const then = { reached: false };
  const exit = await humanCommand(call, {
    mission_id,
    command: { type: 'SupersedeMission', plan_id, plan_sha256 },
    then: does === 'end' ? 'finish' : 'record',
    reason: call.text('note') ?? `Plan ${plan_id} was approved, which supersedes its plan.`,
    after: () => {
      then.reached = true;
      return endSuperseded(call, others, { plan_id, plan_path: '', plan_sha256 }, showApproved);
    },
  });
  if (exit !== exitCodes.ok && !then.reached)
    call.out.note(
      terminal`Plan ${plan_id} is approved, and mission ${mission_id} has not ended: the revision runs when it has. Repeat this command.`,
    );
  return exit;
}

/** Returns whether the journal of this workspace holds an approval of these bytes; false without a readable journal. */
async function isRecorded(workspaceDir: string, planSha256: string): Promise<boolean> {
  const has = await looking(workspaceDir, async (viewer) => viewer !== null && hasApproval(viewer.records, planSha256));
  return has.ok && has.value;
}

/** Prints the lines that keep git and Prettier from rewriting approved bytes, where they are missing. */
async function printExactBytes(workspace: string, out: Output): Promise<void> {
  const attributes = await missingAttributeLines(workspace);
  if (attributes.length > 0)
    out.line(
      terminal`  hint: add these lines to .gitattributes, so that git never changes a line end of an approved plan or of evidence:`,
    );
  for (const line of attributes) out.line(terminal`        ${line}`);
  const prettier = await missingPrettierLines(workspace, (await locateRepository(workspace))?.top ?? workspace);
  if (prettier === null) return;
  const shown = (file: string): string => path.relative(workspace, file).replaceAll(path.sep, '/');
  const file = shown(prettier.file);
  out.line(
    terminal`  hint: add these lines to ${file}, so that Prettier rewrites neither an approved plan nor evidence:`,
  );
  for (const line of prettier.lines) out.line(terminal`        ${line}`);
  const { elsewhere } = prettier;
  if (elsewhere !== null)
    out.line(terminal`  hint: ${otherStart(file, { name: shown(elsewhere.file), lines: elsewhere.lines })}`);
}
