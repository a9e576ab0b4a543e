import { errorWords, type Outcome } from '../../base/outcome';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import type { Inbox, InboxCommand, InboxWatch } from '../ports/ownership';
import type { WorkspaceEvent } from '../ports/workspaceEvents';
import { personStep } from '../../base/text/steps';
import {
  approvalCommandSchema,
  missionCommandSchema,
  savedDocumentSchema,
  type ApprovedFile,
  type MissionCommand,
} from '../../contracts/commands/missionCommand';
import type { SavedDocument } from './savedDocument';

/** The owner's side of the inbox: decides commands one at a time, in the order they came. */
export class OwnerInbox {
  #watch: InboxWatch | null = null;
  #answers: Promise<void> = Promise.resolve();
  #leaving = false;

  constructor(
    private readonly inbox: Inbox,
    private readonly owner: CommandTaker,
    /** Journals a refusal of a command for which there is no mission. */
    private readonly record: (refusal: WorkspaceEvent, sender: Actor) => Promise<unknown>,
  ) {}

  open(): void {
    this.#watch = this.inbox.watch((command) => {
      this.#answers = this.#answers.then(() =>
        this.#leaving ? this.inbox.giveBack(command.id) : this.#answer(command),
      );
    });
  }

  /** Takes no more commands. Resolves when those taken are answered. */
  async close(): Promise<void> {
    await this.#watch?.dispose();
    await this.#answers;
  }

  /** Closes, and returns commands that were not begun to their sender, or leaves them to the next owner. */
  async leave(): Promise<void> {
    this.#leaving = true;
    await this.close();
    this.#watch = null;
  }

  /** Never rejects: a failure is the answer. */
  async #answer(command: InboxCommand): Promise<void> {
    const answer = await this.#decide(command).catch((error: unknown): CommandAnswer => ({
      accepted: false,
      code: 'STATE_STORE_CORRUPT',
      reason: `The command could not be decided: ${errorWords(error)}.`,
      next: ['mission doctor'],
    }));
    await this.inbox.answer(command.id, answer);
  }

  /** Does not believe the file: the owner itself found `from_worker` and `identified`. Journals each refusal. */
  async #decide(command: InboxCommand): Promise<CommandAnswer> {
    const { actor, reason, from_worker, identified } = command;
    const record = (answer: CommandAnswer): Promise<unknown> => this.record(commandRefused(command, answer), actor);
    const refuse = async (code: string, why: string, ...next: readonly string[]): Promise<CommandAnswer> => {
      const answer = { accepted: false, code, reason: why, next };
      await record(answer);
      return answer;
    };
    const approval = approvalCommandSchema.safeParse(command.command);
    if (approval.success) {
      if (from_worker || actor.kind !== 'human')
        return refuse('NON_COMPLIANT', 'An agent cannot approve a plan.', personStep);
      if (!identified)
        return refuse(
          'NON_COMPLIANT',
          'The process that sent the approval could not be found, so it is unknown whether a human sent it.',
          'Approve again with `mission plan approve` or in the editor, and wait for the answer.',
        );
      const { type: _, ...file } = approval.data;
      const recorded = await this.owner.recordApproval(actor, { ...file, reason });
      return recorded.ok
        ? { accepted: true, code: 'OK', reason: 'The approval is recorded.', next: [] }
        : { accepted: false, ...recorded.refusal };
    }
    const saved = savedDocumentSchema.safeParse(command.command);
    if (saved.success) {
      if (from_worker || !identified || actor.kind !== 'human') {
        const why = 'It is unknown whether a person saved this file, so it counts as the worker’s.';
        return refuse('NON_COMPLIANT', why, 'Save it again in the editor.');
      }
      const { path, sha256 } = saved.data;
      const answer = await this.owner.documentSaved(actor, { path, sha256 });
      return answer.accepted ? answer : refuse(answer.code, answer.reason, ...answer.next);
    }
    const parsed = missionCommandSchema.safeParse(command.command);
    if (!parsed.success) return refuse('COMMAND_INVALID', 'The command is not one of this version.', 'mission --help');
    const answer = await this.owner.command({ ...command, command: parsed.data });
    // No mission could journal this refusal, so it goes to the stream of refusals.
    if (answer.code === 'MISSION_UNKNOWN' || answer.code === 'FLEET_CLAIMED') await record(answer);
    return answer;
  }
}

function commandRefused({ id, mission_id, command }: InboxCommand, { code, reason }: CommandAnswer): WorkspaceEvent {
  const { type } = command as { readonly type?: unknown };
  return {
    type: 'CommandRefused',
    command_id: id,
    mission_id: mission_id.slice(0, 200),
    command: typeof type === 'string' ? type.slice(0, 200) : 'unknown',
    code,
    reason,
  };
}

interface CommandTaker {
  command(request: Omit<InboxCommand, 'command'> & { readonly command: MissionCommand }): Promise<CommandAnswer>;
  recordApproval(actor: Actor, approval: ApprovedFile & { readonly reason: string }): Promise<Outcome<null>>;
  documentSaved(actor: Actor, save: SavedDocument): Promise<CommandAnswer>;
}
