import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { FilesOfFolder } from '../../src/cli/serve/folderFiles';
import { CliBed, cliFile, decision, start } from './cliBed';

/** A mission whose journal is gone, here or in another checkout: its packets and its evidence still say what they know. */
describe('a mission without its journal', function () {
  this.timeout(120_000);
  let bed: CliBed;
  beforeEach(() => {
    bed = new CliBed();
  });
  afterEach(() => bed.dispose());

  /** Blocks a mission, and takes its journal away. */
  const lost = async (): Promise<string> => {
    const script = `${start}if (fs.existsSync('.broken')) process.exit(1); fs.writeFileSync('docs/out/a', 'a');`;
    bed.write('.broken', '');
    const run = await bed.mission('run', bed.plan('lost', [{ script }]));
    assert.equal(run.code, 3, run.stdout + run.stderr);
    for (const name of readdirSync(bed.at('.mission-control')))
      if (name.startsWith('state.db')) rmSync(bed.at(`.mission-control/${name}`));
    return run.json.mission_id;
  };
  const words = async (...args: string[]): Promise<string> =>
    (await bed.spawn(process.execPath, [cliFile, ...args]).ended).stdout;
  const typed = (line: string): string[] =>
    line
      .trim()
      .replace(/^next: mission /, '')
      .split(' ')
      .map((word) => ({ NAME: 'Grace', TEXT: 'back' })[word] ?? word);

  it('is shown with its packet by status, list and packet list, and the step that they name brings it back', async () => {
    const id = await lost();
    const shown = await words('status');
    assert.match(shown, /The journal of this machine does not know the mission\. Its evidence says: not ended\./);
    assert.match(shown, /Without its journal, what runs, what waits and what a person decided is not known\./);
    assert.match(shown, new RegExp(`Packet ${id}\\.p1 of task T1: The worker exited with 1\\.`));
    assert.doesNotMatch(shown, /No missions yet/);
    assert.match(await words('list'), /lost +not in the journal here/);
    const packets = await words('packet', 'list');
    assert.match(packets, new RegExp(`${id}\\.p1 +not in the journal here +T1 +The worker exited with 1\\.`));
    const step = /^ *next: mission handoff resume .*$/m.exec(packets)?.[0] ?? assert.fail(packets);
    assert.ok(shown.includes(step.trim()), shown);
    const resumed = await bed.mission(...typed(step));
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
    const [mission] = (await bed.mission('status', id)).json.missions;
    assert.equal(mission?.status, 'blocked');
    rmSync(bed.at('.broken'));
    const retried = await bed.mission('retry', id, 'T1', ...decision);
    assert.equal(retried.json.mission.status, 'completed', retried.stdout + retried.stderr);
    assert.match(await words('packet', 'list'), /No open recovery packets/);
  });

  it('is brought back by the step that each command about it names, and a start of its plan leads there', async () => {
    const id = await lost();
    const lines = [
      ...['retry', 'skip', 'rerun-validation'].map((command) => [command, id, 'T1', ...decision]),
      ...['pause', 'resume', 'cancel'].map((command) => [command, id, ...decision]),
      ...[['diff'], ['plan', 'revise'], ['journal', 'export'], ['audit', 'export']].map((words) => [...words, id]),
      ['packet', 'revise', id, '--task', 'T1', '--set', 'priority=high', ...decision],
    ];
    for (const line of lines) {
      const { json } = await bed.mission(...line);
      assert.equal(json.code, 'MISSION_UNKNOWN', line.join(' '));
      assert.match(
        json.next[0] ?? '',
        /^mission handoff resume .*\/handoff\/1 --by NAME --reason TEXT$/,
        line.join(' '),
      );
    }
    const started = await bed.mission('run', 'docs/plans/PLAN_lost.json');
    assert.deepEqual([started.json.code, started.json.next[0]], ['EVIDENCE_FOREIGN', 'mission status lost']);
  });

  it('is on the page with the same, and no other checkout needs the state folder for what git keeps', async () => {
    const id = await lost();
    const [here] = (await new FilesOfFolder(bed.root).read(() => false)).evidence;
    assert.deepEqual(
      here?.packets.map(({ packet_id }) => packet_id),
      [`${id}.p1`],
    );
    assert.match(here.next.join(), /^mission handoff resume \.mission-control\/missions\/.*\/handoff\/1 --by NAME/);
    rmSync(bed.at('.mission-control'), { recursive: true });
    const [away] = (await new FilesOfFolder(bed.root).read(() => false)).evidence;
    assert.deepEqual([away?.packets, away?.plan_id], [[], 'lost']);
    assert.match(
      away?.next.join(' ') ?? '',
      /^Where its journal is: mission handoff export .* Then here: mission handoff resume DIR/,
    );
    assert.match(await words('status', 'lost'), /Where its journal is: mission handoff export /);
  });

  it('refuses a packet by the file that is there, and by what brings its mission back', async () => {
    const id = await lost();
    const shown = await bed.mission('packet', 'show', `${id}.p1`);
    assert.equal(shown.json.code, 'PACKET_UNKNOWN');
    assert.match(shown.json.reason, /recovery-packets\/.*\.json\.$/);
    assert.match(shown.json.next.join(), /^mission handoff resume /);
  });
});
