import { randomUUID } from 'node:crypto';
import { sendCommand, takeBack } from '../../adapters/inbox/send';
import type { NodePorts } from '../../adapters/nodePorts';
import type { MissionHost } from '../../engine/owner/host';
import type { InboxAnswer } from '../../engine/ports/ownership';
import type { Outcome } from '../../base/outcome';
import type { MissionCommand } from '../../contracts/missionCommand';
import { actorOf, becomeOwner, isInsideWorker, openOwner, openViewer } from './session';
import { conclude } from './conclude';
import { stayUntilSettled } from './foreground';
import { exitCodes, exitOfRefusal, type ExitCode } from '../shell/exitCodes';
import { progressListener } from '../show/progress';
import type { Invocation } from '../shell/command';
import { personStep } from '../../base/text/steps';
import { terminal } from '../../base/text/terminal';

/** Milliseconds an owner has for its answer. */
const answerLimit = 15_000;

export interface HumanCommand {
  readonly mission_id: string;
  readonly command: MissionCommand;
  /**
   * What follows when nobody owned the missions and this process took them: `run` stays and reports how the
   * mission ended, `finish` stays until what was asked for is done, `record` lets go at once.
   */
  readonly then: 'run' | 'finish' | 'record';
  /** Identifies the command; default: a new id. */
  readonly id?: string;
  /** Why, where nobody has to say it. */
  readonly reason?: string;
  /** Says what came of an accepted command, instead of the answer alone. */
  readonly after?: () => Promise<ExitCode>;
}

/**
 * Carries out a decision of a person: through the inbox of the owner, or as the owner when there is none. Sending needs
 * nothing but the inbox, so it works where this process could not own missions itself.
 */
export async function humanCommand(call: Invocation, wanted: HumanCommand): Promise<ExitCode> {
  const { out } = call;
  const actor = actorOf(call);
  const reason = wanted.reason ?? call.text('reason') ?? '';
  const fromWorker = await isInsideWorker(call.workspace);
  const id = wanted.id ?? randomUUID();
  for (let attempt = 1, silent = 0; attempt <= 20 && silent < 3; attempt++) {
    const sent = await sendToOwner(call, {
      id,
      mission_id: wanted.mission_id,
      command: { ...wanted.command },
      actor,
      reason,
      expected_seq: null,
      from_worker: fromWorker,
      token_sha256: null,
    });
    if (!sent.ok) return out.refuse(sent.refusal);
    if (sent.value === 'pending') return out.refuse(unanswered(id));
    if (typeof sent.value === 'object')
      return fromWorker && !sent.value.accepted
        ? out.refuse(sent.value, exitCodes.refused)
        : report(call, sent.value, wanted);
    if (sent.value === 'silent') silent += 1;
    if (sent.value !== 'no_owner') continue;
    if (fromWorker) break;
    const opened = await openOwner(call);
    if (!opened.ok) return out.refuse(opened.refusal);
    const host = await becomeOwner(opened.value, actor);
    if (host.ok) return asOwner(call, wanted, id, host.value, opened.value);
    await opened.value.close();
    if (host.refusal.code !== 'LEASE_HELD') return out.refuse(host.refusal);
  }
  if (fromWorker) return out.refuse(insideWorker);
  return out.refuse({
    code: 'LEASE_HELD',
    reason: 'The owner of the missions of this folder does not answer.',
    next: ['mission status', 'End that process; ownership is free at once.'],
  });
}

/**
 * `no_owner`: nobody owns the missions, nothing was sent. `silent`: an owner is there and has not taken it. `gone`: the
 * owner went away before it decided. `pending`: it was taken and not answered; it, or the next owner, still will.
 */
async function sendToOwner(
  call: Invocation,
  command: Parameters<typeof sendCommand>[1],
): Promise<Outcome<InboxAnswer | 'no_owner' | 'silent' | 'gone' | 'pending'>> {
  const opened = await openViewer(call);
  if (!opened.ok) return opened;
  const viewer = opened.value;
  if (viewer === null) return { ok: true, value: 'no_owner' };
  try {
    const owned = (): Promise<boolean> => viewer.held();
    if (!(await owned())) return { ok: true, value: 'no_owner' };
    const answer = await sendCommand(viewer.folder, command, { timeoutMs: answerLimit, owned });
    if (typeof answer === 'object') return { ok: true, value: answer };
    const left = !(await owned());
    if (answer === 'pending' && left) await takeBack(viewer.folder, command.id);
    if (left) return { ok: true, value: 'gone' };
    return { ok: true, value: answer === 'nobody' ? 'silent' : 'pending' };
  } finally {
    await viewer.close();
  }
}

export const insideWorker = {
  code: 'NON_COMPLIANT',
  reason: 'This command comes from inside a worker’s process tree. An agent cannot decide for a human.',
  next: [personStep],
} as const;

async function asOwner(
  call: Invocation,
  wanted: HumanCommand,
  id: string,
  host: MissionHost,
  owner: NodePorts,
): Promise<ExitCode> {
  const { out } = call;
  const actor = actorOf(call);
  const progress = progressListener(out, owner.ports.paths);
  host.listen(progress);
  try {
    const answer = await host.command({
      id,
      mission_id: wanted.mission_id,
      command: wanted.command,
      actor,
      reason: wanted.reason ?? call.text('reason') ?? '',
      expected_seq: null,
      from_worker: false,
    });
    if (!answer.accepted || wanted.then === 'record') {
      await host.release();
      await owner.close();
      return await report(call, answer, wanted);
    }
    out.line(terminal`${out.paint('green', 'Accepted')}: ${answer.reason}`);
    const stayed = await stayUntilSettled(host, wanted.mission_id, actor, out);
    const { exit, result } = await conclude(owner, wanted.mission_id, stayed, out);
    if (wanted.after && exit !== exitCodes.environment) return await wanted.after();
    out.document({ ...answer, ...(result ? { mission: result } : {}) });
    return wanted.then === 'finish' && stayed.how === 'settled' && exit !== exitCodes.environment ? exitCodes.ok : exit;
  } finally {
    progress.dispose();
  }
}

function report(call: Invocation, answer: InboxAnswer, { after }: HumanCommand): ExitCode | Promise<ExitCode> {
  const { out } = call;
  if (!answer.accepted) return out.refuse(answer, exitOfRefusal(answer.code));
  if (after) return after();
  out.line(terminal`${out.paint('green', 'Accepted')}: ${answer.reason}`);
  for (const step of answer.next) out.line(terminal`  next: ${step}`);
  out.document(answer);
  return exitCodes.ok;
}

function unanswered(id: string): { readonly code: string; readonly reason: string; readonly next: readonly string[] } {
  return {
    code: 'LEASE_HELD',
    reason: `The owner has taken the command (${id}) and has not answered; it, or the next owner, still decides it.`,
    next: ['mission status'],
  };
}
