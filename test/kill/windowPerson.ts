import { setTimeout as sleep } from 'node:timers/promises';
import type { Mission } from '../../src/core/model/state';
import { approveShown, askedNow } from '../vscode/approving';
import type { VscodeWindow } from '../vscode/harness/window';

/** How long a window may take to go on unasked before a person asks for it, milliseconds. */
const patienceMs = 8_000;
/** How long a decision may take to be seen in the journal before it is made again. */
const answerMs = 15_000;

/** Who decides in front of a window whose extension host may end at any moment: through the palette, once more where it must be. */
export class WindowPerson {
  /** When the mission was asked for the first time. */
  asked_at: number | null = null;
  commands = 0;
  /** Why the last try did not succeed. */
  trouble = '';

  constructor(
    private readonly window: VscodeWindow,
    private readonly plan: string,
  ) {}

  /**
   * One decision, if one is due. `unownedMs`: for how long the missions have had no owner. `ended`: whether the
   * extension host that was asked is gone.
   */
  async decide(
    mission: Mission | undefined,
    unownedMs: number,
    ended: () => boolean,
    now: () => Promise<Mission | undefined>,
  ): Promise<void> {
    if (mission?.execution === 'REPORTED') return;
    const blocked = mission?.rows.find((row) => row.status === 'blocked' && !row.retry);
    const packet = mission?.packets.findLast(({ task_id }) => task_id === blocked?.task.task_id);
    try {
      if (mission === undefined) {
        // Whatever was begun by an earlier extension host: first look whether it comes to something.
        if (this.asked_at !== null && unownedMs < 1_000) return;
        await this.#run(ended, now);
      } else if (blocked && packet?.written) {
        await this.#say('Mission Control: Retry Task', ended);
        await until(
          async () =>
            ended() ||
            (await now())?.rows.some(
              ({ task, status, retry }) => task.task_id === blocked.task.task_id && (status !== 'blocked' || retry),
            ) === true,
        );
      } else if (unownedMs > patienceMs) {
        const before = mission.last_seq;
        await this.#say('Mission Control: Resume', ended);
        await until(async () => ended() || (await now())?.last_seq !== before);
      }
    } catch (error) {
      // An extension host that ends takes its questions with it.
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  async #run(ended: () => boolean, now: () => Promise<Mission | undefined>): Promise<void> {
    const { window } = this;
    await this.#closeDialog();
    await window.editor.open(this.plan);
    await window.command('Mission Control: Run Plan');
    this.asked_at ??= performance.now();
    this.commands += 1;
    await until(async () => {
      if (ended() || (await now()) !== undefined) return true;
      if (await askedNow(window, 'Approve and Run')) await approveShown(window, 'Approve and Run');
      else if ((await window.quickInput.isOpen()) && (await window.quickInput.read()).title.includes('Your name'))
        await window.quickInput.answer('Ada Lovelace');
      return false;
    });
  }

  async #say(command: string, ended: () => boolean): Promise<void> {
    const { window } = this;
    await this.#closeDialog();
    await window.command(command);
    await until(async () => ended() || (await window.quickInput.isOpen()));
    if (ended()) return;
    await window.quickInput.answer('kill test');
    this.commands += 1;
  }

  async #closeDialog(): Promise<void> {
    if (await this.window.dialogs.isOpen()) await this.window.page.keyboard.press('Escape');
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + answerMs; performance.now() < end && !(await condition());) await sleep(100);
}
