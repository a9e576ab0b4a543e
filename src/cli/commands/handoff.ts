import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { copyHandoff } from '../../adapters/handoff/copy';
import { readHandoffFile } from '../../adapters/handoff/files';
import { handoffNames } from '../../contracts/vocabulary/handoff';
import { quotedItems, type HandoffCheck } from '../../engine/handoff/checks';
import { errorWords, errorCode } from '../../base/outcome';
import { notWritten } from '../../base/text/words';
import { askedHandoff, MissionReader } from '../../engine/views/reader';
import { required, UsageError, type Command, type Invocation } from '../shell/command';
import { confinementOf, optionsOf, confinementOption, orchestratorOf, orchestratorOption } from '../owner/confinement';
import { inForeground, insideWorker } from '../owner/decide';
import { exitCodes, exitOfRefusal, type ExitCode, refusalText, type Output } from '../shell/output';
import { actorOf, isInsideWorker, looking, workerOptions } from '../owner/session';
import { decideAbout, decisionNeeds, decisionOptions } from './human';
import { findMissionHere } from '../show/find';
import { workerOf, workerOption } from './plan/planValidate';
import { commandLine } from '../../base/text/oneLine';
import { decisionStep, stepLine } from '../../base/text/steps';
import { terminal } from '../../base/text/marked/terminal';

export const handoffExport: Command = {
  takes: [required.mission],
  summary: 'Write everything another clone or machine needs to go on with a run.',
  details: [
    'MISSION is a mission id, or a plan id (its newest mission). The handoff is written to handoff/<n>/ of the mission;',
    '--out copies it to a folder that is new or empty. Every block and pause writes one by itself.',
    '--move gives the run away: nothing of it may run, and the mission ends here (canceled, code MOVED) with evidence',
    'that says where it went. It needs --by and --reason.',
  ],
  options: {
    out: { value: 'DIR', help: 'Also copy it there.' },
    move: { help: 'Give the run away: it ends here.' },
    ...decisionOptions,
    ...workerOptions,
  },
  async run(call) {
    const move = call.flag('move');
    if (move && decisionNeeds.some((name) => (call.text(name) ?? '').trim() === ''))
      throw new UsageError('--move needs --by and --reason: the run ends here.');
    const out = call.text('out');
    if (out?.trim() === '') throw new UsageError('--out names no folder; write where the copy goes.');
    const target = out === null ? null : call.file(out);
    if (target !== null) await assertFree(target);
    const id = randomUUID();
    return decideAbout(
      call,
      (view) => findMissionHere(view, call.positionals[0] ?? ''),
      ({ mission_id }) => ({
        mission_id,
        command: { type: 'ExportHandoff', move },
        then: move ? 'finish' : 'record',
        id,
        reason: call.text('reason') ?? 'A handoff was asked for.',
        after: () => exported(call, mission_id, id, target),
      }),
    );
  },
};

export const handoffResume: Command = {
  takes: [required.handoff],
  summary: 'Go on with a run from a handoff folder, in the foreground.',
  details: [
    'DIR is a folder written by `mission handoff export`. The session reset protocol and the minimal start checklist are',
    'carried out first, item by item. A run that was not given away (--move) needs a person: --by and --reason.',
  ],
  options: {
    'apply-diff': {
      help: 'Write what is missing here from the handoff: the plan, and outputs of done tasks from its diff.',
    },
    ...workerOption,
    ...confinementOption,
    ...orchestratorOption,
    ...decisionOptions,
    ...workerOptions,
  },
  async run(call) {
    const { out } = call;
    const actor = actorOf(call);
    const asked_at = new Date().toISOString();
    const folder = call.file(call.positionals[0] ?? '');
    const default_worker = workerOf(call);
    const asked = { ...confinementOf(call), ...optionsOf(call), ...orchestratorOf(call) };
    if (await isInsideWorker(call.workspace)) return out.refuse(insideWorker);
    const named = decisionNeeds.every((name) => (call.text(name) ?? '').trim() !== '');
    const request = {
      folder,
      actor,
      reason: named ? call.text('reason') : null,
      apply_diff: call.flag('apply-diff'),
      default_worker,
      asked_at,
      ...asked,
    };
    const resumed = await inForeground(
      call,
      actor,
      (host) => host.resumeHandoff(request),
      (begun) => {
        printChecks(begun.checks, out);
        for (const note of begun.kind === 'started' ? begun.notes : []) out.line(terminal`${note}`);
      },
    );
    if (resumed.kind === 'unowned') return out.refuse(resumed.refusal);
    if (resumed.kind === 'refused') {
      out.document({ accepted: false, ...resumed.refusal, plan_id: resumed.plan_id, checks: resumed.checks });
      if (!out.json) out.note(refusalText(resumed.refusal));
      return exitOfRefusal(resumed.refusal.code);
    }
    const { exit, result } = resumed.ended;
    out.document({ accepted: true, checks: resumed.checks, notes: resumed.notes, mission: result });
    return exit;
  },
};

const listNames = { session_reset: 'Session reset protocol', minimal_start: 'Minimal start checklist' } as const;

function printChecks(checks: readonly HandoffCheck[], out: Output): void {
  out.line(terminal`${quotedItems}`);
  for (const list of ['session_reset', 'minimal_start'] as const) {
    out.line(out.paint('bold', listNames[list]));
    for (const check of checks) {
      if (check.list !== list) continue;
      const mark = check.result === 'passed' ? '[x]' : '[ ]';
      const code = check.result === 'failed' ? terminal` ${out.paint('red', check.code ?? '')}` : '';
      const detail = check.result === 'not_reached' ? 'not reached' : check.detail;
      out.line(terminal`  ${mark} ${check.item}${code}${detail === '' ? '' : `: ${detail}`}`);
    }
  }
}

/** Waits until the owner has written the handoff, copies it to the target, and prints what is there. */
async function exported(call: Invocation, missionId: string, id: string, target: string | null): Promise<ExitCode> {
  const { out } = call;
  const handoff = await decided(call, missionId, id);
  if (handoff === null)
    return out.refuse({
      code: 'LEASE_HELD',
      reason: 'The handoff was asked for and is not written yet; the owner, or the next one, still writes it.',
      next: [`mission status ${missionId}`],
    });
  const { state, n } = handoff;
  if (state.kind === 'refused') {
    const step = handoff.move
      ? decisionStep('handoff export', missionId, '--move')
      : `mission handoff export ${missionId}`;
    return out.refuse({
      code: state.code,
      reason: notWritten(n, state),
      next: [
        state.file === handoffNames.lockedPlan
          ? stepLine({ command: 'plan revise', args: { mission: missionId } })
          : `Correct it, then export again: ${step}`,
      ],
    });
  }
  if (state.kind !== 'written') return exitCodes.blocked;
  const folder = path.join(call.workspace, ...state.path.split('/'));
  if (target !== null) {
    const copied = await copyHandoff(folder, target);
    if (!copied.ok) {
      const { refusal } = copied;
      const ended = handoff.move ? ' The run has ended here: its handoff is whole.' : '';
      return out.refuse({ ...refusal, reason: `${refusal.reason}${ended}` });
    }
    const copy = await readHandoffFile(target, handoffNames.bundle);
    if (!copy.ok || copy.value?.sha256 !== state.sha256)
      return out.refuse({
        code: 'EVIDENCE_UNWRITABLE',
        reason: `The copy in ${target} is not what was written.`,
        next: [`Copy ${folder} yourself, then check the copy there with sha256sum -c ${handoffNames.sums}.`],
      });
  }
  const dir = target ?? folder;
  out.line(terminal`${out.paint('green', 'Handoff')} ${n} of ${missionId}: ${dir}`);
  out.line(terminal`  bundle  ${state.sha256}`);
  if (handoff.left_behind !== '') out.line(terminal` ${handoff.left_behind}`);
  if (handoff.move) {
    out.line(terminal`  The run has ended here; it goes on where a copy of this folder is resumed.`);
    out.line(
      terminal`  next: copy this folder, ${handoffNames.bundle} and all beside it, to the place that takes the run`,
    );
    // Only the other place knows where its copy lies.
    out.line(terminal`  then, in that place: mission handoff resume DIR`);
  } else out.line(terminal`  next, in another clone: ${decisionStep('handoff resume', commandLine([dir]).toString())}`);
  out.document({
    accepted: true,
    mission_id: missionId,
    handoff: n,
    dir,
    path: state.path,
    bundle_sha256: state.sha256,
    moved: handoff.move !== null,
    left_behind: handoff.left_behind.trim() || null,
    files: (await readdir(dir)).sort(),
  });
  return exitCodes.ok;
}

/** The handoff that the command requested, once it was written or refused; null after `writeLimit`. */
async function decided(call: Invocation, missionId: string, id: string): ReturnType<typeof askedHandoff> {
  const found = await looking(call.workspace, async (viewer) => {
    const reader = viewer && new MissionReader(viewer.journal);
    for (const deadline = performance.now() + writeLimit; reader && performance.now() < deadline;) {
      const handoff = await askedHandoff(reader, missionId, id);
      if (handoff) return handoff;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return null;
  });
  return found.ok ? found.value : null;
}

/** Milliseconds that an owner has to write it. */
const writeLimit = 60_000;

/** @throws UsageError that says why nothing can be copied to a folder. */
async function assertFree(folder: string): Promise<void> {
  let why: string;
  try {
    if ((await readdir(folder)).length === 0) return;
    why = 'the folder is not empty';
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    why = errorWords(error, folder);
  }
  throw new UsageError(`--out ${folder}: ${why}; name a folder that is new or empty.`);
}
