import assert from 'node:assert/strict';
import { done, refused } from '../../../src/base/outcome';
import type { Directories } from '../../../src/engine/ports/directories';
import { prepareWorkerEnvironment } from '../../../src/engine/effects/prepareWorkerEnvironment';

const three = { workspace: '/run', target: '/ws', orchestrator: '/ws/.mission-control' };

/** Directories that stand as told; what is asked of them is written down in order. */
function told(standings: Readonly<Record<string, 'missing' | 'unusable' | 'usable' | 'other'>>, fixes = true) {
  const now: Record<string, 'missing' | 'unusable' | 'usable' | 'other'> = { ...standings };
  const asked: string[] = [];
  const directories: Directories = {
    standing: (directory) => {
      asked.push(`look ${directory}`);
      return Promise.resolve(now[directory] ?? 'usable');
    },
    create: (directory) => {
      asked.push(`create ${directory}`);
      now[directory] = 'usable';
      return Promise.resolve(done(null));
    },
    addOwnerBits: (directory) => {
      asked.push(`chmod ${directory}`);
      if (!fixes) return Promise.resolve(refused('PERMISSIONS_NOT_FIXED', 'not permitted', 'next'));
      now[directory] = 'usable';
      return Promise.resolve(done([{ path: directory, before: '0500', after: '0700' }]));
    },
  };
  return { directories, asked };
}

describe('the directories of a launch', () => {
  it('are looked at in the order of the contract', async () => {
    const { directories, asked } = told({});
    assert.deepEqual(await prepareWorkerEnvironment(three, true, directories), done([]));
    assert.deepEqual(asked, ['look /run', 'look /ws', 'look /ws/.mission-control']);
  });

  it('only the run directory is created', async () => {
    const { directories, asked } = told({ '/run': 'missing' });
    assert.ok((await prepareWorkerEnvironment(three, false, directories)).ok);
    assert.deepEqual(asked.slice(0, 2), ['look /run', 'create /run']);
  });

  for (const missing of ['/ws', '/ws/.mission-control'])
    it(`${missing} has to be there`, async () => {
      const { directories, asked } = told({ [missing]: 'missing' });
      const prepared = await prepareWorkerEnvironment(three, true, directories);
      assert.ok(!prepared.ok);
      assert.deepEqual(
        [prepared.refusal.code, prepared.refusal.reason],
        ['DIRECTORY_MISSING', `Critical directory missing: ${missing}.`],
      );
      assert.equal(asked.includes(`create ${missing}`), false);
    });

  it('permission bits are added where the plan allows it, and what was changed is told', async () => {
    const { directories } = told({ '/ws': 'unusable' });
    const prepared = await prepareWorkerEnvironment(three, true, directories);
    assert.deepEqual(prepared, done([{ path: '/ws', before: '0500', after: '0700' }]));
  });

  it('a plan that does not allow it changes nothing', async () => {
    const { directories, asked } = told({ '/ws': 'unusable' });
    const prepared = await prepareWorkerEnvironment(three, false, directories);
    assert.ok(!prepared.ok && prepared.refusal.reason.startsWith('Cannot fix permissions for /ws'));
    assert.equal(asked.includes('chmod /ws'), false);
  });

  it('bits that cannot be added are refused', async () => {
    const { directories } = told({ '/run': 'unusable' }, false);
    const prepared = await prepareWorkerEnvironment(three, true, directories);
    assert.ok(!prepared.ok);
    assert.deepEqual(
      [prepared.refusal.code, prepared.refusal.reason],
      ['PERMISSIONS_NOT_FIXED', 'Cannot fix permissions for /run: not permitted.'],
    );
  });
});
