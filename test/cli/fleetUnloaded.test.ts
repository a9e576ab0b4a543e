import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile } from './cliBed';

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/** What each program has of a fleet: the list of its missions that a workspace may show. */
const shown = ['src/contracts/fleetMirror.ts'];

describe('a program without a command of a fleet', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  /** Modules of a fleet that a process has run and files of pg-boss that it has read, as V8 counts them. */
  async function loadedBy(...args: readonly string[]): Promise<readonly string[]> {
    const folder = path.join(bed.scratch, `coverage of ${args.join(' ').replaceAll(/\W/g, '-')}`);
    const env = { ...bed.env, NODE_V8_COVERAGE: folder, NODE_PATH: path.resolve('test/tools/fleet/node_modules') };
    await bed.spawn(process.execPath, [cliFile, ...args], { cwd: bed.root, env }).ended;
    const scripts = readdirSync(folder).flatMap(
      (file) => (JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Coverage).result,
    );
    const ran = scripts.flatMap(({ functions }) => functions).filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    const modules = ran.map(({ functionName }) => functionName).filter((name) => /^src\/.*fleet/.test(name));
    return [...modules, ...scripts.map(({ url }) => url).filter((url) => /pg-boss/.test(url))];
  }

  it('runs no module of it, and reads no file of pg-boss', async () => {
    const plan = bed.plan('here', [{}]);
    for (const args of [['plan', 'validate', plan], ['run', plan], ['status']] as const)
      assert.deepEqual(
        (await loadedBy(...args)).filter((module) => !shown.includes(module)),
        [],
        args.join(' '),
      );
    const asked = await loadedBy('fleet', 'list', '--database', 'postgres://127.0.0.1:1/fleet');
    assert(asked.includes('src/adapters/fleet/database.ts'), asked.join('\n'));
  });

  it('holds none of it, where it is no command line', () => {
    for (const [program, holds] of [
      ['extension', []],
      ['activation', shown],
      ['mcp', []],
    ] as const) {
      const modules = readFileSync(`dist/${program}.js`, 'utf8').matchAll(/^ *\/\/ (src\/\S+)$/gm);
      const names = [...modules].map(([, name = '']) => name);
      assert(names.length > 0, `${program} says from which files it was made`);
      assert.deepEqual(
        names.filter((name) => name.includes('fleet')),
        holds,
        program,
      );
    }
    const bundles = readdirSync('dist').filter((name) => /\.c?js$/.test(name));
    const modules = bundles.flatMap((name) =>
      [...readFileSync(`dist/${name}`, 'utf8').matchAll(/^ *\/\/ (node_modules\/\S+)$/gm)].map(([, file = '']) => file),
    );
    assert(modules.length > 0, 'the bundles say which modules of others they hold');
    assert.deepEqual(
      modules.filter((file) => /^node_modules\/pg(-|\/)/.test(file)),
      [],
    );
  });
});
