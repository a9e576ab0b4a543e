import type { Memento } from 'vscode';
import { nameOfUser, namesNobody, type Actor } from '../../contracts/vocabulary/actors';
import { ui } from '../../base/text/marked/ui';
import type { askText } from '../window/ui';

/** Asked once and stored on this machine, because no repository can set it there. */
export class Person {
  /** Kept here too, because another window may overwrite the stored name a moment later. */
  #given: string | undefined;

  constructor(
    private readonly memory: Pick<Memento, 'get' | 'update'>,
    private readonly osUser: string,
    /** The user's name in git's configuration, as a suggestion; null: git has none. */
    private readonly gitName: () => Promise<string | null>,
    private readonly ask: typeof askText,
  ) {}

  /** The stored name, else the operating system's user name; never asks. */
  get actor(): Actor {
    return { kind: 'human', name: this.#stored() ?? nameOfUser(this.osUser) };
  }

  /** Asks the first time; undefined: the person dismissed the question. */
  async identify(): Promise<Actor | undefined> {
    if (this.#stored() !== undefined) return this.actor;
    const name = await this.ask({
      title: 'Your name',
      prompt: ui`It stands in the evidence beside everything you decide. Asked once on this machine.`,
      value: (await this.gitName()) ?? (namesNobody(this.osUser) ? '' : this.osUser),
      refuses: (text) => {
        if (text.trim() === '' || text.length > 200) return ui`A name of 1 to 200 characters.`;
        return namesNobody(text) ? ui`${text} names no person. Your decisions are recorded under your name.` : null;
      },
    });
    if (name === undefined) return undefined;
    this.#given = name.trim();
    await this.memory.update(key, this.#given);
    return this.actor;
  }

  #stored(): string | undefined {
    const name = this.#given ?? this.memory.get<unknown>(key);
    return typeof name === 'string' && name !== '' && !namesNobody(name) ? name : undefined;
  }
}

const key = 'humanName';
