import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { usersOfTier } from '../support/users';
import { start } from './cliBed';
import { ConfinedBed } from './confinedBed';

for (const user of usersOfTier)
  describe(`what a launch leaves in a cache, as ${user}`, function () {
    this.timeout(300_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
    });
    afterEach(() => bed.dispose());

    const home = (name: string): string => path.join(bed.scratch, name);
    const put = (name: string, text: string): void => {
      mkdirSync(path.dirname(home(name)), { recursive: true });
      writeFileSync(home(name), text, { mode: 0o755 });
    };
    /** Runs one task; `verify` is the text of a shell script. */
    async function run(
      planId: string,
      script: string,
      verify = 'true',
      more: Record<string, unknown> = {},
    ): Promise<void> {
      const body = `${start}import path from 'node:path';
const cache = (name) => path.join(process.env.HOME, '.cache', name);
fs.writeFileSync('docs/out/changed', process.hrtime.bigint().toString());\n${script}`;
      const plan = bed.plan(planId, [{ script: body, verify: [['sh', '-ec', verify]] }], more);
      const ran = await bed.mission('run', plan, '--confinement', 'required');
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    }
    const caches = (planId: string): { kept: number; names: string[]; changed: string[] } | undefined =>
      bed.evidence(planId, 'T1').attempts?.[0]?.launches[0]?.caches as never;

    it('is not there for launches with other rights, and never replaces what the person has', async () => {
      put('.cache/mytool/helper.sh', 'echo good');
      const poison = `for (const name of ['mytool/helper.sh', 'mytool/plugin.sh']) {
  fs.writeFileSync(cache(name), 'echo poisoned');
  fs.utimesSync(cache(name), new Date('2099-01-01'), new Date('2099-01-01'));
}`;
      await run('p1', poison, 'grep poisoned ~/.cache/mytool/plugin.sh');
      const good = 'test "$(sh ~/.cache/mytool/helper.sh)" = good';
      await run('p2', '', `${good}; test ! -e ~/.cache/mytool/plugin.sh`, { network: true });
      process.env['PASSED_TO_IT'] = 'x';
      await run('p3', '', `${good}; test ! -e ~/.cache/mytool/plugin.sh`, { env: ['PASSED_TO_IT'] });
      put('.cache/mytool/helper.sh', 'echo newer');
      await run('p4', '', 'test "$(sh ~/.cache/mytool/helper.sh)" = newer; grep poisoned ~/.cache/mytool/plugin.sh');
    });

    it('is named in the evidence by its content, and not by its time', async () => {
      put('.cache/mytool/same', 'same');
      put('.cache/mytool/other', 'before');
      await run(
        'named',
        `fs.writeFileSync(cache('mytool/new'), 'new');
fs.writeFileSync(cache('mytool/other'), 'after!');
fs.writeFileSync(cache('mytool/same'), 'same');
fs.utimesSync(cache('mytool/other'), 1, 1);`,
      );
      const named = caches('named');
      assert.deepEqual(
        [named?.kept, named?.names, named?.changed],
        [1, ['<home>/.cache/mytool/new'], ['<home>/.cache/mytool/other']],
      );
      assert.equal(readFileSync(home('.cache/mytool/other'), 'utf8'), 'before');
      assert.equal((await bed.mission('evidence', 'verify', 'named')).code, 0);
    });

    it('is no sign-in, and no launch sees the person’s', async () => {
      const token = '.cache/huggingface/token';
      put(token, 'first');
      put('.cache/google/auth/application_default_credentials.json', 'first');
      await run(
        'signs-in',
        `for (const act of [() => fs.rmSync(cache('huggingface/token')), () => fs.writeFileSync(cache('huggingface/token'), 'attacker')])
  try { act(); } catch {}
fs.writeFileSync(cache('huggingface/stored_tokens'), 'attacker');
fs.mkdirSync(cache('new/auth'), { recursive: true });
fs.writeFileSync(cache('new/auth/x'), 'attacker');
fs.writeFileSync(cache('new/my_credentials.v2.json'), 'attacker');
fs.writeFileSync(cache('new/data'), 'data');`,
      );
      put(token, 'second');
      await run(
        'later',
        `for (const name of ['huggingface/stored_tokens', 'new/auth', 'new/my_credentials.v2.json'])
  if (fs.existsSync(cache(name))) throw new Error(name);
if (fs.readFileSync(cache('new/data'), 'utf8') !== 'data') throw new Error('data');`,
        '! cat ~/.cache/huggingface/token ~/.cache/google/auth/*.json 2> /dev/null | grep -E "first|second|attacker"',
      );
      assert.equal(readFileSync(home(token), 'utf8'), 'second');
    });
  });
