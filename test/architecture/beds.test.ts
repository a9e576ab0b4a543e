import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { findExecutable } from '../../src/adapters/processes/commandLine';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { searchPath } from '../agents/homes';
import { AgentBed } from '../cli/agentBed';
import { CliBed } from '../cli/cliBed';
import { Place } from '../habitats/place';
import { environmentOf, placesIn } from '../kill/scenarios';
import { skipWithReason } from '../support/skip';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where packages of a distribution put programs. */
const installed = ['/usr/bin', '/bin'];

/** The environment of every kind of bed, as it is before a test asks for anything. */
const beds: Readonly<Record<string, () => Environment | Promise<Environment>>> = {
  'of the test process, its supervisors and its VS Code': () => process.env,
  'of the command line': () => used(new CliBed()),
  'of the command line with an agent': () => used(new AgentBed([])),
  'of a habitat': async () => {
    const place = new Place(() => []);
    await place.dispose();
    return place.env;
  },
  'of the kill tests': () => environmentOf(placesIn('/nowhere')),
  'of the real CLIs, beside these themselves': () => ({
    PATH: searchPath().split(path.delimiter).slice(1).join(path.delimiter),
  }),
};

/** Here a text names the folder, and no program of a bed is looked up in it. */
const made: ReadonlySet<string> = new Set([
  'test/adapters/journal/redacted.test.ts',
  'test/adapters/processes.test.ts',
  'test/adapters/system/redact.test.ts',
  'test/adapters/user/userState.test.ts',
  'test/architecture/beds.test.ts',
  'test/bench/launch.ts',
  'test/supervisor/programs/tree.mjs',
  'test/support/machine.ts',
]);

describe('what a bed sees of the machine', () => {
  before(function () {
    if (process.platform !== 'linux') skipWithReason(this, 'bubblewrap is for Linux');
  });

  for (const [name, environment] of Object.entries(beds))
    it(`${name}: no sandbox and no agent CLI, even where they are installed`, async () => {
      const env = await environment();
      const folders = (env['PATH'] ?? '').split(path.delimiter).map(real);
      assert.deepEqual(
        folders.filter((folder) => installed.map(real).includes(folder)),
        [],
        'a bed searches `machinePath()` instead (test/support/machine.ts)',
      );
      for (const program of ['bwrap', ...agentNames]) assert.equal(await findExecutable(program, env), null, program);
      for (const program of ['sh', 'git', 'node']) assert.notEqual(await findExecutable(program, env), null, program);
    });

  it('no other file of the tests searches where packages are installed', () => {
    const files = globSync('test/**/*.{ts,mjs}', { exclude: ['test/tools/**', 'test/fixtures/**'] });
    const searching = files.filter((file) => /['"`:]\/usr\/bin['"`:]/.test(readFileSync(file, 'utf8')));
    assert.deepEqual(
      searching.filter((file) => !made.has(file)),
      [],
    );
  });
});

async function used(bed: CliBed): Promise<Environment> {
  const { env } = bed;
  // Its own folder is where it was; what it holds is not asked about here.
  assert.notEqual(await findExecutable('node', env), null);
  await bed.dispose();
  return env;
}

function real(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}
