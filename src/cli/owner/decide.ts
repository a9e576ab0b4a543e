import { randomUUID } from 'node:crypto';
import { otherOwner } from '../../adapters/inbox/otherOwner';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import { deliver } from '../../engine/owner/deliver';
import type { MissionCommand } from '../../contracts/commands/missionCommand';
import type { Actor } from '../../contracts/vocabulary/actors';
import { actorOf, isInsideWorker, ownedBy, type Owned } from './session';
import { stay } from './foreground';
import { longWait } from './otherOwnerRefusal';
import { exitCodes, type ExitCode } from '../shell/exitCodes';
import { progressListener } from '../show/progress';
import type { Invocation } from '../shell/command';
import { personStep } from '../../base/text/steps';
import { terminal } from '../../base/text/marked/terminal';

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
