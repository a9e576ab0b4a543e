import assert from 'node:assert/strict';
import { CliBed, cliFile, decision, start, type Ended } from './cliBed';

describe('mission packet', () => {
  let bed: CliBed;
  before(() => (bed = new CliBed()));
  after(() => bed.dispose());
  const words = (...args: string[]): Promise<Ended> => bed.spawn(process.execPath, [cliFile, ...args]).ended;

  it('list says how many closed packets there are, and the option that shows them', async () => {
    assert.equal((await words('packet', 'list')).stdout, 'No recovery packets.\n');
    const plan = bed.plan('p', [{ script: `${start}process.exit(7);` }]);
    const { json } = await bed.mission('run', plan);
    assert.equal((await bed.mission('cancel', json.mission_id, ...decision)).code, 0);
    for (const named of [[], ['p']])
      assert.equal(
        (await words('packet', 'list', ...named)).stdout,
        'No open recovery packets; --all shows 1 that is closed.\n',
      );
    assert.match((await words('packet', 'list', '--all')).stdout, /^\S+\.p1 +superseded +T1 /);
  });

  it('revise names the limits of a time that is no number', async () => {
    const plan = bed.plan('q', [{ script: `${start}process.exit(7);` }]);
    assert.equal((await bed.mission('run', plan)).code, 3);
    const { code, stderr } = await words('packet', 'revise', 'q', '--set', 'max_runtime_seconds=abc', ...decision);
    assert.equal(code, 2);
    assert.match(stderr, /--set max_runtime_seconds=abc: it is a whole number of seconds from 1 to 604800\./);
  });

  it('show and status say what a person answered about a command, which stays blocked', async () => {
    const plan = bed.plan('r', [{ script: `${start}process.exit(7);` }]);
    const { json } = await bed.mission('run', plan);
    const ask = ['--outcome', 'ask-user', '--question', 'May it be b?', '--choice', 'Yes', '--choice', 'No'];
    assert.equal((await bed.mission('packet', 'resolve', json.packets[0]!.packet_id, ...ask, ...decision)).code, 0);
    assert.equal((await bed.mission('answer', 'r', '--choice', '2', ...decision)).code, 3);
    assert.match((await words('status', 'r')).stdout, /^ +- Grace answered the question of T1: No \(because\)$/m);
  });
});
