import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';

/** What the linter says of a file. */
export interface Finding {
  /** The name that a comment which lets it pass would give: `eqeqeq`, `house/pen`, `typescript/no-deprecated`. */
  readonly rule: string;
  readonly message: string;
}

export interface Linted {
  readonly exitCode: number | undefined;
  /** The findings of a file, by its path. */
  readonly found: ReadonlyMap<string, readonly Finding[]>;
}

/**
 * Lints files by the command of the gate, which has one place, package.json, in a tree that holds nothing else: a file
 * is judged by the room that its path names.
 *
 * @param files text by path
 * @param config what takes the place of the configuration; a plugin that it names is a file of `files`
 */
export async function lintTree(files: Readonly<Record<string, string>>, config?: object): Promise<Linted> {
  const tree = await mkdtemp(path.join(tmpdir(), 'mission-lint-'));
  try {
    const written = { ...files, 'scripts/tsconfig.lint.json': JSON.stringify(project) };
    for (const [file, text] of Object.entries(written)) await put(tree, file, text);
    for (const name of [
      '.oxlintrc.json',
      ...['house-rules', 'plain-words', 'short-sentences', 'test-titles'].map((one) => `scripts/${one}.mjs`),
    ])
      await copyFile(name, path.join(tree, name));
    if (config !== undefined) await put(tree, '.oxlintrc.json', JSON.stringify(config));
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
    const [program = '', ...args] = (scripts['lint:rules'] ?? '').split(' ');
    const { stdout, exitCode } = await execa(program, [...args, '--format', 'json'], {
      cwd: tree,
      reject: false,
      preferLocal: true,
      localDir: process.cwd(),
      // The linter would look for the one that knows types in node_modules of the tree.
      env: { OXLINT_TSGOLINT_PATH: path.resolve('node_modules/.bin/tsgolint') },
    });
    return { exitCode, found: findingsIn(stdout) };
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

/** Snippets that are linted in one run, because a run costs as much as a hundred of them. */
export class Snippets {
  readonly #files: Record<string, string> = {};
  #found: ReadonlyMap<string, readonly Finding[]> = new Map();

  /**
   * @param place folder and ending of a file: `src/core/*.ts`
   * @returns what the linter says of the snippet, once it ran
   */
  add(place: string, code: string): () => readonly Finding[] {
    const file = place.replace('*', `snippet${Object.keys(this.#files).length}`);
    this.#files[file] = `${code}\n`;
    return () => this.#found.get(file) ?? [];
  }

  async run(): Promise<void> {
    ({ found: this.#found } = await lintTree(this.#files));
  }

  /** Returns those of all snippets. */
  findings(): readonly Finding[] {
    return [...this.#found.values()].flat();
  }
}

/** @returns those of `rule`, as the author reads them */
export function messagesOf(findings: readonly Finding[], rule: string): readonly string[] {
  return findings.filter((finding) => finding.rule === rule).map(({ message }) => message);
}

/** The compiler options of the house, without the packages that a snippet has no need of. */
const project = {
  compilerOptions: { strict: true, target: 'ES2023', lib: ['ES2023', 'DOM'], types: [], jsx: 'preserve', noEmit: true },
  include: ['../src', '../webview-ui', '../test'],
};

async function put(tree: string, file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(tree, file)), { recursive: true });
  await writeFile(path.join(tree, file), text);
}

function findingsIn(stdout: string): ReadonlyMap<string, readonly Finding[]> {
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly { filename: string; message: string; code?: string }[];
  };
  const found = new Map<string, Finding[]>();
  for (const { filename, message, code } of diagnostics) {
    const [, scope, rule] = /^(.+?)\((.+)\)$/.exec(code ?? '') ?? [];
    const name = rule === undefined ? message : scope === 'eslint' ? rule : `${scope ?? ''}/${rule}`;
    found.set(filename, [...(found.get(filename) ?? []), { rule: name, message }]);
  }
  return found;
}
