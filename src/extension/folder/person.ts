import type { Memento } from 'vscode';
import { nameOfUser, namesNobody, type Actor } from '../../contracts/vocabulary/actors';
import { ui } from '../../base/text/ui';
import type { askText } from '../window/ui';

/** Who decides in this window. Asked once and kept on this machine: no setting that a repository could bring. */
export class Person {
  /** Another window that writes to the same memory a moment later can undo what was written here. */
  #given: string | undefined;

  constructor(
    private readonly memory: Pick<Memento, 'get' | 'update'>,
    private readonly osUser: string,
    /** What Git calls this user, as a first answer; null: it does not say. */
    private readonly gitName: () => Promise<string | null>,
    private readonly ask: typeof askText,
  ) {}

  /** Without asking: the name given once, else the user's name in the operating system. */
  get actor(): Actor {
    return { kind: 'human', name: this.#stored() ?? nameOfUser(this.osUser) };
  }

  /** Asks the first time; undefined when the question was dismissed. */
  async identify(): Promise<Actor | undefined> {
    if (this.#stored() !== undefined) return this.actor;
    const name = await this.ask({
      title: 'Your name',
      prompt: ui`It stands in the evidence beside everything you decide. Asked once on this machine.`,
      value: (await this.gitName()) ?? (namesNobody(this.osUser) ? '' : this.osUser),
      refuses: (text) => {
        if (text.trim() === '' || text.length > 200) return ui`A name of 1 to 200 characters.`;
        return namesNobody(text) ? ui`${text} names nobody: what you decide is recorded under your name.` : null;
      },
    });
    if (name === undefined) return undefined;
    this.#given = name.trim();
    await this.memory.update(key, this.#given);
    return this.actor;
  }

  #stored(): string | undefined {
    const name = this.memory.get<unknown>(key);
    return typeof name === 'string' && name !== '' && !namesNobody(name) ? name : this.#given;
  }
}

const key = 'humanName';
