import assert from 'node:assert/strict';
import { done } from '../../../src/base/outcome';
import type { Directories } from '../../../src/engine/ports/folders';
import { prepareWorkerEnvironment } from '../../../src/engine/effects/launch/launchEnvironment';

const three = { workspace: '/run', target: '/ws', orchestrator: '/ws/.mission-control' };
const always = (): boolean => true;
const never = (): boolean => false;

/** Directories with prepared states; the list holds what is asked of them, in order. */
function preparedDirectories(
  standings: Readonly<Record<string, 'missing' | 'unusable' | 'usable' | 'other'>>,
  { fails = '', helps = true }: { readonly fails?: string; readonly helps?: boolean } = {},
) {
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
      if (directory === fails) return Promise.resolve({ changes: [], tried: true, problem: 'not permitted' });
      if (helps) now[directory] = 'usable';
      const changes = [{ path: directory, before: '0500', after: '0700' }];
      return Promise.resolve({ changes, tried: true, problem: null });
    },
  };
  return { directories, asked };
}

describe('the directories of a launch', () => {
  it('are looked at in the order of the contract', async () => {
    const { directories, asked } = preparedDirectories({});
    assert.deepEqual(await prepareWorkerEnvironment(three, always, directories), { ok: true, modes: [] });
    assert.deepEqual(asked, ['look /run', 'look /ws', 'look /ws/.mission-control']);
  });

  it('only the run directory is created', async () => {
    const { directories, asked } = preparedDirectories({ '/run': 'missing' });
    assert.ok((await prepareWorkerEnvironment(three, never, directories)).ok);
    assert.deepEqual(asked.slice(0, 2), ['look /run', 'create /run']);
  });

  for (const missing of ['/ws', '/ws/.mission-control'])
    it(`${missing} has to be there`, async () => {
      const { directories, asked } = preparedDirectories({ [missing]: 'missing' });
      const prepared = await prepareWorkerEnvironment(three, always, directories);
      assert.ok(!prepared.ok);
      assert.deepEqual(
        [prepared.refusal.code, prepared.refusal.reason, prepared.unusable],
        ['DIRECTORY_MISSING', `Critical directory missing: ${missing}.`, undefined],
      );
      assert.equal(asked.includes(`create ${missing}`), false);
    });

  it('permission bits are added where the plan allows it, and what was changed is reported', async () => {
    const { directories } = preparedDirectories({ '/ws': 'unusable' });
    const prepared = await prepareWorkerEnvironment(three, always, directories);
    assert.deepEqual(prepared, { ok: true, modes: [{ path: '/ws', before: '0500', after: '0700' }] });
  });

  it('a plan that does not allow it changes nothing, and no chmod is reported', async () => {
    const { directories, asked } = preparedDirectories({ '/ws': 'unusable' });
    const prepared = await prepareWorkerEnvironment(three, never, directories);
    assert.ok(!prepared.ok && prepared.refusal.reason.startsWith('Cannot fix permissions for /ws'));
    assert.deepEqual(prepared.unusable, { directory: '/ws', chmod_tried: false });
    assert.equal(asked.includes('chmod /ws'), false);
  });

  it('a person may allow it for one of them', async () => {
    const { directories } = preparedDirectories({ '/ws': 'unusable', '/ws/.mission-control': 'unusable' });
    const prepared = await prepareWorkerEnvironment(three, (directory) => directory === '/ws', directories);
    assert.ok(!prepared.ok);
    assert.deepEqual(prepared.unusable, { directory: '/ws/.mission-control', chmod_tried: false });
  });

  it('bits that cannot be added are refused, and those that were added before are reported', async () => {
    const { directories } = preparedDirectories({ '/run': 'unusable', '/ws': 'unusable' }, { fails: '/ws' });
    const prepared = await prepareWorkerEnvironment(three, always, directories);
    assert.ok(!prepared.ok);
    assert.deepEqual(
      [prepared.refusal.code, prepared.refusal.reason],
      ['PERMISSIONS_NOT_FIXED', 'Cannot fix permissions for /ws: not permitted.'],
    );
    assert.deepEqual(prepared.unusable, { directory: '/ws', chmod_tried: true });
    assert.deepEqual(prepared.modes, [{ path: '/run', before: '0500', after: '0700' }]);
  });

  it('bits that did not help are refused, and reported as changed', async () => {
    const { directories } = preparedDirectories({ '/ws': 'unusable' }, { helps: false });
    const prepared = await prepareWorkerEnvironment(three, always, directories);
    assert.ok(!prepared.ok);
    assert.deepEqual(prepared.unusable, { directory: '/ws', chmod_tried: true });
    assert.deepEqual(prepared.modes, [{ path: '/ws', before: '0500', after: '0700' }]);
  });
});
