import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { usersOfTier } from '../support/users';
import { decision } from './cliBed';
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
    /** A task that writes below its own path, and then goes on. */
    const script = (task: string, body: string): string =>
      `import fs from 'node:fs'; import path from 'node:path';
const cache = (name) => path.join(process.env.HOME, '.cache', name);
fs.mkdirSync('docs/${task}', { recursive: true }); fs.writeFileSync('docs/${task}/made', '1');\n${body}`;
    /** Runs one task; `verify` is the text of a shell script. */
    async function run(
      planId: string,
      body: string,
      verify = 'true',
      more: Record<string, unknown> = {},
    ): Promise<void> {
      const task = { task_id: 'T1', paths: [`docs/${planId}/`], script: script(planId, body) };
      const plan = bed.plan(planId, [{ ...task, verify: [['sh', '-ec', verify]] }], more);
      const ran = await bed.mission('run', plan, '--confinement', 'required');
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    }
    const caches = (planId: string): { kept: number; names: string[]; changed: string[] } | undefined =>
      bed.evidence(planId, 'T1').attempts?.[0]?.launches[0]?.caches as never;

    it('is there for the workers of its mission alone, and never in place of what the person has', async () => {
      put('.cache/mytool/helper.sh', 'echo good');
      const poison = `for (const name of ['mytool/helper.sh', 'mytool/plugin.sh']) {
  fs.writeFileSync(cache(name), 'echo poisoned');
  fs.utimesSync(cache(name), new Date('2099-01-01'), new Date('2099-01-01'));
}`;
      const clean = 'test "$(sh ~/.cache/mytool/helper.sh)" = good; test ! -e ~/.cache/mytool/plugin.sh';
      const tasks = [
        { task_id: 'T1', paths: ['docs/T1/'], script: script('T1', poison), verify: [['sh', '-ec', clean]] },
        {
          ...{ task_id: 'T2', paths: ['docs/T2/'], verify: [['sh', '-ec', clean]] },
          script: script(
            'T2',
            `if (!fs.existsSync(cache('mytool/plugin.sh'))) throw new Error('not kept');
if (fs.readFileSync(cache('mytool/helper.sh'), 'utf8') !== 'echo good') throw new Error('in place of the person’s');`,
          ),
        },
      ];
      const ran = await bed.mission('run', bed.plan('p1', tasks), '--confinement', 'required');
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
      await run('p2', `if (fs.existsSync(cache('mytool/plugin.sh'))) throw new Error('of another mission');`, clean);
      await run('p3', '', clean, { network: true });
      put('.cache/mytool/helper.sh', 'echo newer');
      await run('p4', '', 'test "$(sh ~/.cache/mytool/helper.sh)" = newer');
    });

    it('of a check is there for the next check of its attempt, and is gone after the last', async () => {
      const made = '~/.cache/mytool/made';
      const first = `test ! -e ${made}; mkdir -p ~/.cache/mytool; touch ${made}`;
      const verify = [first, 'test -e docs/T1/right', `test -e ${made}`].map((text) => ['sh', '-ec', text]);
      const body = `import fs from 'node:fs'; fs.mkdirSync('docs/T1', { recursive: true }); fs.writeFileSync('docs/T1/wrong', '1');`;
      const plan = bed.plan('checks', [{ task_id: 'T1', paths: ['docs/T1/'], script: body, verify }]);
      const ran = await bed.mission('run', plan, '--confinement', 'required');
      assert.equal(ran.code, 3, ran.stdout + ran.stderr);
      bed.write('docs/T1/right', '1');
      const again = await bed.mission('rerun-validation', 'checks', 'T1', ...decision);
      assert.equal(again.code, 0, again.stdout + again.stderr);
      const kept = execFileSync('find', [home('.local/state/mission-control/workspaces'), '-path', '*/caches/kept/*']);
      assert.doesNotMatch(String(kept), /mytool/);
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
      const tasks = [
        {
          ...{ task_id: 'T1', paths: ['docs/T1/'] },
          script: script(
            'T1',
            `for (const act of [() => fs.rmSync(cache('huggingface/token')), () => fs.writeFileSync(cache('huggingface/token'), 'attacker')])
  try { act(); } catch {}
fs.writeFileSync(cache('huggingface/stored_tokens'), 'attacker');
fs.mkdirSync(cache('new/auth'), { recursive: true });
fs.writeFileSync(cache('new/auth/x'), 'attacker');
fs.writeFileSync(cache('new/my_credentials.v2.json'), 'attacker');
fs.writeFileSync(cache('new/data'), 'data');`,
          ),
        },
        {
          ...{ task_id: 'T2', paths: ['docs/T2/'] },
          script: script(
            'T2',
            `for (const name of ['huggingface/stored_tokens', 'new/auth', 'new/my_credentials.v2.json'])
  if (fs.existsSync(cache(name))) throw new Error(name);
if (fs.readFileSync(cache('new/data'), 'utf8') !== 'data') throw new Error('data');
try { if (/first|attacker/.test(fs.readFileSync(cache('huggingface/token'), 'utf8'))) throw new Error('seen'); }
catch (error) { if (error.code === undefined) throw error; }`,
          ),
        },
      ];
      const ran = await bed.mission('run', bed.plan('signs-in', tasks), '--confinement', 'required');
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
      put(token, 'second');
      await run(
        ...(['later', ''] as const),
        '! cat ~/.cache/huggingface/token ~/.cache/google/auth/*.json 2> /dev/null | grep -E "first|second|attacker"',
      );
      assert.equal(readFileSync(home(token), 'utf8'), 'second');
    });
  });
