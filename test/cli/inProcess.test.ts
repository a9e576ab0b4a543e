import assert from 'node:assert/strict';
import path from 'node:path';
import { CliBed, cliFile, start } from './cliBed';
import { missionHere, onlyReads, readingCommands, type Printed } from './inProcess';

const asks = `${start}fs.writeFileSync('docs/out/file', 'done');`;

/** Most tests ask `mission` in their own process what a mission is: this shows that they read the same. */
describe('a command that only reads, called in the process of the test', function () {
  this.timeout(600_000);
  let bed: CliBed;
  let calls: readonly (readonly string[])[];

  before(async () => {
    bed = new CliBed();
    const done = bed.plan('DONE', [{ script: asks }]);
    const failing = bed.plan('FAILS', [{ script: 'process.exit(1)' }]);
    assert.equal((await bed.mission('run', done)).code, 0);
    assert.notEqual((await bed.mission('run', failing)).code, 0);
    const { json } = await bed.spawn(process.execPath, [cliFile, 'list', '--json']).ended;
    const id = json.missions.find(({ plan_id }) => plan_id === 'DONE')?.mission_id ?? '';
    bed.write('exported', (await bed.spawn(process.execPath, [cliFile, 'journal', 'export', id]).ended).stdout);
    const packets = await bed.spawn(process.execPath, [cliFile, 'packet', 'list', '--json']).ended;
    calls = [
      ['list'],
      ['list', '--workspace', 'gone'],
      ['list', '--nonsense'],
      ['list', '--help'],
      ['status'],
      ['status', id],
      ['status', 'UNKNOWN'],
      ['packet list'],
      ['packet show', packets.json.packets[0]?.packet_id ?? ''],
      ['packet show', 'unknown'],
      ['evidence verify', 'DONE'],
      ['evidence verify', 'GONE'],
      ['journal export', id],
      ['journal export', 'gone'],
      ['journal verify', id],
      ['journal verify', 'exported'],
      ['audit verify', id],
      ['audit verify', 'gone'],
      ['check', 'plan', done],
      ['check', done, 'README.md', 'gone.json'],
      ['plan validate', done],
      ['plan validate', '../nowhere.json'],
    ].map(([name = '', ...rest]) => [...name.split(' '), ...rest]);
  });
  after(() => bed.dispose());

  const started = async (args: readonly string[], directory: string): Promise<Printed> => {
    const { code, stdout, stderr } = await bed.spawn(process.execPath, [cliFile, ...args], { cwd: directory }).ended;
    return { code: code ?? -1, stdout, stderr };
  };
  /** Without what shows when it was asked. */
  const timeless = ({ code, stdout, stderr }: Printed): Printed => ({
    code,
    stderr,
    stdout: stdout
      .replaceAll(/"(generated_at|checked_at)": "[^"]*"/g, '"$1": "now"')
      .replaceAll(/started .* ago/g, 'started before'),
  });

  it('ends with the code and prints the text of a process of its own, as JSON and for people', async () => {
    const called = new Set<string>();
    for (const call of calls) {
      const [one = '', two = ''] = call;
      const name = readingCommands.includes(one) ? one : `${one} ${two}`;
      for (const args of called.has(name) ? [[...call, '--json']] : [[...call, '--json'], call]) {
        const [real, here] = [await started(args, bed.root), await missionHere(args, bed.root, bed.env)];
        assert.deepEqual(timeless(here), timeless(real), args.join(' '));
      }
      called.add(name);
    }
    assert.deepEqual(
      readingCommands.filter((name) => !called.has(name)),
      [],
    );
  });

  it('knows the folder that it is called in', async () => {
    const below = path.join(bed.root, 'docs');
    const [real, here] = [await started(['list'], below), await missionHere(['list'], below, bed.env)];
    assert.deepEqual(here, real);
    assert.match(here.stderr, /WORKSPACE_ABOVE/);
  });

  it('leaves the environment of the test as it was', async () => {
    const before = { ...process.env };
    await Promise.all([missionHere(['list'], bed.root, bed.env), missionHere(['status'], bed.root, bed.env)]);
    assert.deepEqual({ ...process.env }, before);
  });

  it('does not write, and gets no settings for its Node', () => {
    assert.ok(!onlyReads(['run', 'x'], {}));
    assert.ok(!onlyReads(['audit', 'export', 'x'], {}));
    assert.ok(!onlyReads(['list'], { NODE_OPTIONS: '--require x' }));
    assert.ok(onlyReads(['packet', 'list'], {}));
  });
});
