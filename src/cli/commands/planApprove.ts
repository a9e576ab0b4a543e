import { searchOutside } from '../../adapters/files/outside';
import { sandboxHere } from '../../adapters/sandbox/sandboxes';
import { confinementOf, confinementOption } from '../owner/confinement';
import { fileStep } from '../../base/text/steps';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../adapters/system/clock';
import { evidenceIgnoredBy } from '../../adapters/git/evidenceIgnored';
import { otherOwner } from '../../adapters/inbox/otherOwner';
import { readMissionPaths } from '../../adapters/state/missionPaths';
import { planFiles } from '../../adapters/documents/planFiles';
import { recoveryPermissions, type RecoveryPermission } from '../../contracts/vocabulary/intents';
import type { ApprovedFile } from '../../contracts/missionCommand';
import type { Outcome, Refusal } from '../../base/outcome';
import { deliver } from '../../engine/owner/deliver';
import { approvalOverview } from '../../engine/plans/approvalOverview';
import { planApproval, type PlannedApproval } from '../../engine/plans/approval';
import { asShown } from '../../engine/plans/asShown';
import { approvedInstructions } from '../../engine/plans/instructions';
import { checkPlan } from '../../engine/plans/check';
import { approvalView } from '../../core/view/approvalView';
import { required } from '../shell/arguments';
import { NoTerminalError, personNamed, UsageError, type CommandSpec, type Invocation } from '../shell/command';
import { exitCodes, type ExitCode } from '../shell/exitCodes';
import { toSupersede, type RevisionOverview } from '../../base/text/revision';
import { endSuperseded, reviseFacts } from './approveRevision';
import { printApproval } from '../show/approvalOverview';
import { printExactBytes } from '../show/exactBytes';
import { printFindings, reportFiles } from '../show/findings';
import { isRecorded } from '../owner/recordedApproval';
import { insideWorker, lookStep } from '../owner/decide';
import { longWait } from '../owner/longWait';
import { inOwnWorkspace, orMeant, runStep } from '../owner/planPlace';
import {
  actorOf,
  hostsOfCall,
  isInsideWorker,
  ownedBy,
  providersOfCall,
  workerOptions,
  workerSettings,
} from '../owner/session';
import { workerOf, workerOption } from './planValidate';
import { perAgent } from '../../workers/registry';
import { terminal } from '../../base/text/terminal';

export const planApprove: CommandSpec = {
  name: 'plan approve',
  usage: 'FILE --by NAME',
  takes: [[required.plan], 1],
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
  store: true,
  async run(asked) {
    const call = await inOwnWorkspace(asked);
    const { out } = call;
    const [name = ''] = call.positionals;
    const approved_by = personNamed(call.text('by') ?? '');
    const file = call.file(name);
    const wanted = confinementOf(call);
    const hosts = hostsOfCall(call);
    const settings = workerSettings(call);
    const options = {
      defaultWorker: workerOf(call),
      workspaceDir: call.workspace,
      looksAtProject: true,
      asksNamed: true,
      ...(wanted.confinement && { confinement: wanted.confinement }),
    };
    // A worker's launch is recorded where it works, wherever the plan lies.
    if (await isInsideWorker(asked.workspace)) return out.refuse(insideWorker, exitCodes.refused);
    const check = await checkPlan(planFiles, file, options);
    const decision = {
      approved_by,
      approved_at: systemClock.now(),
      note: call.text('note'),
      recovery_allow: recoveryAllowed(call),
    };
    const approval = planApproval(planFiles, check, file, decision, options);
    if (!approval.ok) {
      const code = approval.findings.find(({ severity }) => severity === 'error')?.code ?? check.code;
      return reportFiles(
        [
          {
            file: name,
            valid: false,
            code,
            plan_sha256: check.plan_sha256,
            findings: orMeant(call, name, approval.findings),
          },
        ],
        out,
      );
    }
    printFindings(name, approval.findings, out);
    const revised = await reviseFacts(call, approval.plan, check.text, {
      ...options,
      approvedBefore: !approval.changed,
      plan_sha256: approval.plan_sha256,
    });
    if (!revised.ok) return out.refuse(revised.refusal);
    const { revision, findings, open } = revised.value;
    if (findings[0]) {
      const { code } = findings[0];
      return reportFiles([{ file: name, valid: false, code, plan_sha256: check.plan_sha256, findings }], out);
    }
    const environment = searchOutside(call.environment, [call.workspace]);
    const standing = await sandboxHere(environment, call.workspace);
    const machine = {
      wanted: wanted.confinement ?? null,
      agent_network: wanted.agent_network ?? null,
      hosts,
      providers: await providersOfCall(call),
      models: perAgent((agent) => settings[agent].model),
      standing,
    };
    const overview = approvalOverview(check, approval, { defaultWorker: options.defaultWorker, machine });
    const ignored = await evidenceIgnoredBy(call.workspace, overview.plan_id);
    const shown = {
      ...overview,
      ...(revision && { revision }),
      ...(ignored && { evidence_ignored: ignored }),
    };
    printApproval(
      approvalView(shown, (agent) => settings[agent].extraArgs),
      out,
    );
    if (!call.flag('yes')) {
      if (!out.interactive) throw new NoTerminalError();
      if (!(await out.ask(terminal`Approve plan ${approval.plan.plan_id} as ${approved_by}?`))) {
        return out.refuse(
          {
            code: 'NOT_APPROVED',
            reason: 'You said no: nothing was written.',
            next: [fileStep('plan validate', name)],
          },
          exitCodes.refused,
        );
      }
    }
    const still = await asShown(planFiles, file, check.plan_sha256);
    if (!still.ok) return out.refuse(still.refusal);
    const { plan_id } = approval.plan;
    const instructions = approvedInstructions(overview.instructions);
    const approved = {
      plan_id,
      plan_path: (await readMissionPaths(call.workspace)).relative(file) ?? file,
      plan_sha256: approval.plan_sha256,
      ...(overview.speaks_to && { speaks_to: overview.speaks_to }),
      ...(instructions && { instructions }),
    };
    const known = await isRecorded(call.workspace, approval.plan_sha256);
    const ends = revision ? toSupersede(revision) : [];
    // A revision is written only where its approval can be recorded, because the mission would not end by it otherwise.
    const before = ends.length > 0 ? await record(call, approved) : null;
    if (before) return out.refuse({ ...before, reason: `Nothing was written. ${before.reason}` });
    if (approval.changed) {
      const written = await planFiles.write(file, approval.bytes, check.plan_sha256);
      if (!written.ok) return out.refuse(written.refusal);
    }
    const failed = ends.length > 0 ? null : await record(call, approved);
    const recorded = failed && refusalWords(failed);
    if (recorded !== null)
      out.note(
        terminal`The journal has no record of this approval: ${recorded}${approval.changed ? ' It stands in the file.' : ''}`,
      );
    const showApproved = (): Promise<ExitCode> =>
      tell(call, approval, {
        name,
        place: approved.plan_path,
        approved_by,
        recorded,
        known,
        open,
        supersedes: revision,
      });
    return ends.length === 0 ? showApproved() : endSuperseded(call, ends, approved, showApproved);
  },
};

/** Says what was approved, and what comes next. */
async function tell(
  call: Invocation,
  approval: Extract<PlannedApproval, { ok: true }>,
  {
    name,
    place,
    approved_by,
    recorded,
    known,
    open,
    supersedes,
  }: {
    readonly name: string;
    /** Relative to the workspace. */
    readonly place: string;
    readonly approved_by: string;
    readonly recorded: string | null;
    /** These bytes had a record before. */
    readonly known: boolean;
    /** See `RevisionFacts`. */
    readonly open: string | null;
    readonly supersedes: RevisionOverview | null;
  },
): Promise<ExitCode> {
  const { out } = call;
  const { plan_id } = approval.plan;
  const says = approval.plan.approval.approved_by ?? null;
  const already = terminal`${out.paint('green', 'Approved already')}: ${plan_id}, by ${says ?? 'an unnamed person'} as the file says`;
  const renewed = !approval.changed && recorded === null && !known;
  if (approval.changed || renewed) out.line(terminal`${out.paint('green', 'Approved')}: ${plan_id} by ${approved_by}`);
  else if (recorded === null) out.line(terminal`${already}; the approval of ${approved_by} is recorded here`);
  else out.line(terminal`${already}; nothing of ${approved_by} is recorded`);
  if (renewed && says !== null && says !== approved_by)
    out.line(terminal`  The file names ${says}; ${approved_by} approves these bytes now.`);
  out.line(terminal`  plan_sha256 ${approval.plan_sha256}`);
  await printExactBytes(call.workspace, out);
  if (open === null) out.line(terminal`  next: ${runStep(call, name, place, plan_id)}`);
  else {
    out.line(terminal`  Mission ${open} of this plan has not ended.`);
    out.line(terminal`  next: mission status ${open}`);
  }
  out.document({
    plan_id,
    plan_sha256: approval.plan_sha256,
    // The name in the file, as everywhere; another person may have approved the bytes here.
    approved_by: says,
    approved_at: approval.plan.approval.approved_at ?? null,
    approved_here: recorded === null ? { by: approved_by } : null,
    changed: approval.changed,
    recorded: recorded === null,
    ...(open !== null && { mission_id: open }),
    ...(supersedes && {
      supersedes: supersedes.supersedes,
      ended: toSupersede(supersedes).map(({ mission_id }) => mission_id),
    }),
  });
  return exitCodes.ok;
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
async function record(
  call: Invocation,
  approval: ApprovedFile,
): Promise<(Pick<Refusal, 'reason' | 'next'> & { readonly code: string }) | null> {
  const actor = actorOf(call);
  const reason = call.text('note') ?? 'Approved.';
  const command = { type: 'RecordApproval', ...approval };
  const message = { id: randomUUID(), mission_id: '', command, actor, reason, from_worker: false };
  const here = async (): Promise<Outcome<null>> => {
    const owned = await ownedBy(call, actor);
    if (!owned.ok) return owned;
    const { host, node } = owned.value;
    try {
      return await host.recordApproval(actor, { ...approval, reason });
    } finally {
      await host.release();
      await node.close();
    }
  };
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

function refusalWords({ reason, next }: Pick<Refusal, 'reason' | 'next'>): string {
  return [reason, ...next].join(' ');
}
