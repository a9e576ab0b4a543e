import { errorWords } from '../../base/errorWords';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { CommandAnswer } from '../../core/model/state';
import { decideInbox, type CommandTaker } from './decide';
import type { Inbox, InboxCommand, InboxWatch } from '../ports/ownership';
import type { WorkspaceEvent } from '../ports/workspaceEvents';

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
    const answer = await decideInbox(command, this.owner, (refused, given) =>
      this.record(commandRefused(refused, given), refused.actor),
    ).catch((error: unknown): CommandAnswer => ({
      accepted: false,
      code: 'STATE_STORE_CORRUPT',
      reason: `The command could not be decided: ${errorWords(error)}.`,
      next: ['mission doctor'],
    }));
    await this.inbox.answer(command.id, answer);
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
