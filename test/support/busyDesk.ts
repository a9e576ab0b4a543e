import { setTimeout as delay } from 'node:timers/promises';

/** The workspace that a desk stands around; names are relative to it. */
export interface DeskPlace {
  write(name: string, content: string): void;
  append(name: string, text: string): void;
  /** Runs git in the workspace, or in a folder beside it. */
  git(args: readonly string[], beside?: string): unknown;
  /** Where a folder beside the workspace lies. */
  beside(name: string): string;
  /** Makes the draft of a plan. */
  draft(id: string): Promise<unknown>;
}

/** What editors, tools, git and a person do at a desk, again and again. */
export class BusyDesk {
  constructor(private readonly place: DeskPlace) {}

  /** Puts a repository with a remote and a colleague there. */
  async stage(): Promise<void> {
    const { place } = this;
    place.write('.gitignore', '.mission-control/\nlog/\n.venv/\nout/\n.cache/\nnode_modules/\n');
    place.write('notes.md', 'mine\n');
    place.write('src/app.ts', 'export const a=1\n');
    place.write('package-lock.json', '{}\n');
    for (const file of ['log/dev.log', '.venv/lib/a.py', 'out/app.js', '.cache/index', 'node_modules/a/index.js'])
      place.write(file, '1\n');
    const remote = place.beside('remote.git');
    await place.git(['add', '.']);
    await place.git(['commit', '-qm', 'desk']);
    await place.git(['clone', '-q', '--bare', '.', remote]);
    await place.git(['remote', 'add', 'origin', remote]);
    await place.git(['clone', '-q', remote, place.beside('colleague')]);
  }

  /** Works round after round; `also` is done at the end of each. */
  async workUntil(over: { readonly yet: boolean }, also?: (round: number) => Promise<void>): Promise<void> {
    for (let round = 1; !over.yet && round < 1000; round++) {
      await this.workOnce(round);
      await also?.(round);
      await delay(50);
    }
  }

  async workOnce(round: number): Promise<void> {
    const { place } = this;
    // The editor: a swap file, its workspace, format on save, and what the desktop leaves.
    place.write('.notes.md.swp', `b0VIM ${round}`);
    place.write('.idea/workspace.xml', `<x n="${round}"/>`);
    place.write('.DS_Store', String(round));
    place.write('src/app.ts', round % 2 === 0 ? 'export const a = 1;\n' : 'export const a=1\n');
    // Watchers, a development server, a language server, Python, a package manager.
    place.append('log/dev.log', `GET / ${round}\n`);
    place.write('out/app.js', `${round}\n`);
    place.write('.cache/index', `${round}\n`);
    place.write(`.venv/lib/__pycache__/a.cpython-${round % 3}.pyc`, String(round));
    place.write('node_modules/.cache/x', String(round));
    place.write('package-lock.json', `{ "round": ${round} }\n`);
    // Git: a fetch by itself, and what is staged.
    await place.git(['commit', '-q', '--allow-empty', '-m', `theirs ${round}`], 'colleague');
    await place.git(['push', '-q', 'origin', 'HEAD'], 'colleague');
    await place.git(['fetch', '-q', 'origin']);
    place.append('notes.md', `${round}\n`);
    await place.git(['add', 'notes.md']);
  }

  /** What a person does now and then: a tag, a commit, a collection of garbage, a plan. */
  async nowAndThen(count: number): Promise<void> {
    const { place } = this;
    await place.git(['tag', `v${count}`]);
    await place.git(['commit', '-qm', 'notes']);
    await place.git(['gc', '-q']);
    await place.draft(`another-${count}`);
  }
}
