import { errorWords, type Refusal } from '../../base/outcome';
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../contracts/vocabulary/actors';
import { missionView } from '../../core/view/mission/missionView';
import type { MissionEngine } from '../../engine/mission/engine';
import type { MissionHost } from '../../engine/owner/host';
import { type Output, exitCodes, type ExitCode } from '../shell/output';
import { terminal } from '../../base/text/marked/terminal';
import { evidenceIgnoredBy } from '../../adapters/git/evidence';
import { exitOfMission, missionResult, printIgnored, printResult, type MissionResult } from '../show/missionResult';
import { whatGoesOn } from '../show/detachedProcesses';
import { progressListener } from '../show/progress';
import type { Invocation } from '../shell/command';
import type { MissionApproval } from '../../engine/plans/approvals';
import { besideOwner, longWait, ownedBy, type Owned, actorOf, isInsideWorker } from './session';
import { decisionStep, personStep } from '../../base/text/steps';
import { otherOwner } from '../../adapters/inbox/otherOwner';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import { deliver, sendToOwner } from '../../engine/owner/deliver';
import type { MissionCommand } from '../../contracts/commands/missionCommand';
import { readFile } from 'node:fs/promises';
import { sha256Of } from '../../adapters/files/bytes/sha256';
import { readMissionPaths } from '../../adapters/state/missionPaths';

interface Begun {
  readonly kind: 'started';
  readonly engine: MissionEngine;
  readonly approval: MissionApproval;
}

interface Stayed {
  /** How the stay ended; the host has released everything by then. */
  readonly how: 'settled' | 'detached';
  readonly exit: ExitCode;
  /** Null: the mission was lost. */
  readonly result: MissionResult | null;
}

type Unowned = { readonly kind: 'unowned'; readonly refusal: Refusal };

/** Owns the missions, begins one and stays with it. `say` prints what the beginning found, or why not. */
export async function inForeground<T extends Begun | { readonly kind: 'refused' }>(
  call: Invocation,
  actor: Actor,
  begin: (host: MissionHost) => Promise<T>,
  say: (begun: T) => void,
): Promise<Exclude<T, Begun> | (Extract<T, Begun> & { readonly ended: Stayed }) | Unowned> {
  const { out } = call;
  const owned = await ownedBy(call, actor);
  if (!owned.ok) return { kind: 'unowned', refusal: await besideOwner(call, owned.refusal) };
  const { host, node } = owned.value;
  const progress = progressListener(out, node.ports.paths);
  host.listen(progress);
  try {
    const begun = await begin(host);
    say(begun);
    if (begun.kind === 'refused') {
      await host.release();
      await node.close();
      return begun as Exclude<T, Begun>;
    }
    const { missionId } = begun.engine;
    if (out.json) out.note(terminal`Mission ${missionId}`);
    else out.line(out.paint('bold', `Mission ${missionId}`));
    printApproval(begun.engine, begun.approval, out);
    return { ...(begun as Extract<T, Begun>), ended: await stay(call, owned.value, missionId, actor) };
  } finally {
    progress.dispose();
  }
}

/** Says first that a mission runs by what its file says alone; a recorded approval needs no word. */
function printApproval(
  { mission }: Pick<MissionEngine, 'mission'>,
  { approved_here, warnings: [why] }: MissionApproval,
  out: Output,
): void {
  if (approved_here !== null) return;
  const says = terminal`Approved by ${mission?.plan.approved_by ?? 'an unnamed person'}, as the file says`;
  const line =
    why === undefined ? terminal`${says}; no approval of these bytes is recorded here` : terminal`${says}. ${why}`;
  if (out.json) out.note(line);
  else out.line(line);
}

/**
 * Stays until nothing is under way, or until it is interrupted:
 *
 * Ctrl+C (SIGINT) asks on a terminal, then pauses after the current attempt; without a terminal it pauses at once. A
 * second Ctrl+C, SIGTERM, SIGHUP or the death of the parent that re-executed this command releases the missions; the
 * worker runs on under its supervisor, and `mission resume` attaches to it.
 */
async function stayUntilSettled(
  host: MissionHost,
  missionId: string,
  actor: Actor,
  out: Output,
): Promise<{ readonly how: Stayed['how']; readonly engine: MissionEngine | null }> {
  let letGo: (() => void) | null = null;
  const detached = new Promise<'detached'>((resolve) => (letGo = () => resolve('detached')));
  let interrupted = 0;
  const pause = async (): Promise<void> => {
    const mission = host.engine(missionId)?.mission;
    if (out.interactive) {
      out.note(terminal``);
      const wanted = await out.ask(
        terminal`Pause ${missionId} after the current attempt? (Ctrl+C again: exit and leave the worker running)`,
        () => letGo?.(),
      );
      if (!wanted) {
        interrupted = 0;
        return;
      }
    }
    if (!mission || mission.ending) return;
    const answer = await host.command({
      id: randomUUID(),
      mission_id: missionId,
      command: { type: 'PauseMission' },
      actor,
      reason: 'Interrupted with Ctrl+C.',
      expected_seq: null,
      from_worker: false,
    });
    out.note(terminal`${answer.reason} Interrupt again to exit at once and leave the worker running.`);
  };
  const onInterrupt = (): void => {
    const now = performance.now();
    // A re-executed command may get one signal twice: sent to the group, and forwarded by its parent.
    if (process.connected && !process.stdin.isTTY && interrupted !== 0 && now - interrupted < 250) return;
    if (interrupted !== 0) {
      letGo?.();
      return;
    }
    interrupted = now;
    pause().catch((error: unknown) => out.note(terminal`The mission could not be paused: ${errorWords(error)}`));
  };
  const onEnd = (): void => letGo?.();
  process.on('SIGINT', onInterrupt);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, onEnd);
  process.on('disconnect', onEnd);
  process.channel?.unref();
  // Keeps this process alive, because a mission that waits for a time has nothing else that does.
  const stays = setInterval(() => undefined, 2 ** 30);
  try {
    for (;;) {
      const how = await Promise.race([host.settled().then(() => 'settled' as const), detached]);
      const engine = host.engine(missionId) ?? null;
      if (how === 'detached') await host.release();
      // A command taken at the last moment may have started something.
      else if (!(await host.releaseIfSettled())) continue;
      return { how, engine };
    }
  } finally {
    clearInterval(stays);
    process.off('SIGINT', onInterrupt);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, onEnd);
    process.off('disconnect', onEnd);
  }
}

/**
 * Stays with a mission, closes the workspace and prints how the mission stands. The caller prints the document. A person
 * sees the end before git is asked, because git may take long.
 */
async function stay(
  { workspace, out }: Invocation,
  { host, node }: Owned,
  missionId: string,
  actor: Actor,
): Promise<Stayed> {
  const { how, engine } = await stayUntilSettled(host, missionId, actor, out);
  const view = engine?.mission ? missionView(engine.mission, [], new Map(), true) : null;
  const halt = engine?.halt ?? null;
  await node.close();
  if (view === null) return { how, exit: exitCodes.environment, result: null };
  const detached = how === 'detached';
  if (!detached) printResult(view, halt, out);
  const ignored = detached && !out.json ? null : await evidenceIgnoredBy(workspace, view.plan_id);
  const result = { ...missionResult(view, halt), ...(ignored && { evidence_ignored: ignored }) };
  if (detached) {
    for (const line of whatGoesOn(view.lanes)) out.note(line);
    out.note(terminal`Continue with: ${decisionStep('resume', missionId)}`);
    return { how, exit: exitCodes.blocked, result };
  }
  if (ignored) printIgnored(view, ignored, out);
  return { how, exit: exitOfMission(view, halt), result };
}

export interface HumanCommand {
  readonly mission_id: string;
  readonly command: MissionCommand;
  /**
   * What follows when this process became the owner: `run` stays and reports how the mission ended. `finish` stays
   * until the request is done. `record` leaves as soon as what is left only waits.
   */
  readonly then: 'run' | 'finish' | 'record';
  /** Identifies the command; default: a new id. */
  readonly id?: string;
  /** Default reason, where the person need not give one. */
  readonly reason?: string;
  /** Prints the result of an accepted command, instead of the answer alone. */
  readonly after?: () => Promise<ExitCode>;
}

/** Sends a person's decision to the owner, or decides it as the owner. The owner refuses that of a worker. */
export async function humanCommand(call: Invocation, wanted: HumanCommand): Promise<ExitCode> {
  const { out } = call;
  const asked_at = new Date().toISOString();
  const actor = actorOf(call);
  const reason = wanted.reason ?? call.text('reason') ?? '';
  const from_worker = await isInsideWorker(call.workspace);
  const { mission_id, command, id = randomUUID() } = wanted;
  const message = { id, mission_id, command: { ...command }, actor, reason, from_worker };
  const delivered = await deliver(
    otherOwner(call.workspace, message),
    () => (from_worker ? Promise.resolve({ ok: false, refusal: insideWorker } as const) : ownedBy(call, actor)),
    lookStep,
    longWait(call),
  );
  switch (delivered.by) {
    case 'nobody':
      return out.refuse(delivered.refusal);
    case 'another':
      return from_worker && !delivered.answer.accepted
        ? out.refuse(delivered.answer, exitCodes.refused)
        : printAnswer(call, delivered.answer, wanted);
    case 'this':
      return asOwner(call, wanted, { id, actor, reason, asked_at }, delivered.value);
  }
}

/** The command that shows what became of another one. */
export const lookStep = 'mission status';

export const insideWorker = {
  code: 'NON_COMPLIANT',
  reason: 'This command comes from inside a worker’s process tree. An agent cannot decide for a human.',
  next: [personStep],
} as const;

async function asOwner(
  call: Invocation,
  wanted: HumanCommand,
  decision: { readonly id: string; readonly actor: Actor; readonly reason: string; readonly asked_at: string },
  { host, node }: Owned,
): Promise<ExitCode> {
  const { out } = call;
  const { mission_id, command } = wanted;
  const progress = progressListener(out, node.ports.paths);
  host.listen(progress);
  try {
    const answer = await host.command({ ...decision, mission_id, command, expected_seq: null, from_worker: false });
    if (!answer.accepted || wanted.then === 'record') {
      await host.leave();
      await node.close();
      return await printAnswer(call, answer, wanted);
    }
    // A command with more to do says itself what became of it.
    if (!wanted.after) out.line(terminal`${out.paint('green', 'Accepted')}: ${answer.reason}`);
    const { how, exit, result } = await stay(call, { host, node }, mission_id, decision.actor);
    if (wanted.after && exit !== exitCodes.environment) return await wanted.after();
    out.document({ ...answer, ...(result ? { mission: result } : {}) });
    return wanted.then === 'finish' && how === 'settled' && exit !== exitCodes.environment ? exitCodes.ok : exit;
  } finally {
    progress.dispose();
  }
}

function printAnswer(call: Invocation, answer: CommandAnswer, { after }: HumanCommand): ExitCode | Promise<ExitCode> {
  const { out } = call;
  if (!answer.accepted) return out.refuse(answer);
  if (after) return after();
  out.line(terminal`${out.paint('green', 'Accepted')}: ${answer.reason}`);
  for (const step of answer.next) out.line(terminal`  next: ${step}`);
  out.document(answer);
  return exitCodes.ok;
}

/** Reports a file that a person's command wrote, so that it counts as no worker's change. `file` is absolute. */
export async function tellWritten(call: Invocation, file: string): Promise<void> {
  const path = (await readMissionPaths(call.workspace)).relative(file)?.replaceAll('\\', '/');
  const bytes = await readFile(file).catch(() => null);
  // No mission observes a file outside its workspace.
  if (path === undefined || bytes === null) return;
  const sent = await sendToOwner(
    otherOwner(call.workspace, {
      id: randomUUID(),
      mission_id: '',
      command: { type: 'DocumentSaved', path, sha256: sha256Of(bytes) },
      actor: actorOf(call),
      reason: `A person’s command wrote ${path}.`,
      from_worker: await isInsideWorker(call.workspace),
    }),
    longWait(call),
  );
  if (sent === null || sent.kind === 'gone' || (sent.kind === 'answered' && sent.answer.accepted)) return;
  call.out.note(
    terminal`The process that runs missions here has not taken that a person wrote ${path}: the task that it runs may block because of it.`,
  );
}
