import assert from 'node:assert/strict';
import type { startsHeld } from '../../../src/adapters/user/machineHold';
import type { Composition } from '../../../src/extension/compose';
import { fakeVscode } from '../fakeVscode';

describe('Stop Everything', () => {
  let did: string[];
  let reason: string | undefined;
  let held: Awaited<ReturnType<typeof startsHeld>>;
  let run: () => Promise<void>;
  let allow: () => Promise<void>;

  before(async () => {
    fakeVscode({
      window: {
        showErrorMessage: (...said: string[]) => Promise.resolve((did.push(said.join(' | ')), said[1])),
        showInformationMessage: (text: string) => Promise.resolve(void did.push(text)),
        showInputBox: () => Promise.resolve((did.push('asks why'), reason)),
        showWarningMessage: () => Promise.reject(new Error('It asks before it stops.')),
        withProgress: (_options: object, work: () => Promise<unknown>) => work(),
      },
      commands: { executeCommand: (id: string) => Promise.resolve(void did.push(id)) },
    });
    const { allowStarts, stopEverything } = await import('../../../src/extension/commands/stopEverything');
    const composition = {
      person: {
        actor: { kind: 'human', name: 'user-of-the-machine' },
        identify: () => Promise.resolve({ kind: 'human', name: 'Ada' }),
      },
      mission: (args: readonly string[]) => Promise.resolve((did.push(args.join(' ')), '{"stopped":true}')),
    };
    run = () => stopEverything(composition as unknown as Composition, () => Promise.resolve(held));
    allow = () => allowStarts(composition as unknown as Composition, () => Promise.resolve(held));
  });
  beforeEach(() => {
    did = [];
    held = { code: 'STARTS_HELD', reason: 'Ada stopped everything.', next: [] };
  });

  it('stops before it asks anything, and records name and reason afterwards', async () => {
    reason = 'The disk burns';
    await run();
    assert.deepEqual(did, [
      'stop --all --by user-of-the-machine --reason no reason was given yet',
      'Everything is stopped. Nothing starts before you allow it with Allow Starts Again.',
      'asks why',
      'stop --all --by Ada --reason The disk burns',
      'The reason of the stop is recorded.',
    ]);
  });

  it('stops nothing again for a reason that comes after starts were allowed', async () => {
    [reason, held] = ['The disk burns', null];
    await run();
    const last = 'Starts are allowed again meanwhile, so the reason of the stop is not recorded.';
    assert.deepEqual([did.length, did.at(-1)], [4, last]);
  });

  it('asks nothing about starts that nothing holds', async () => {
    [reason, held] = ['The fire is out', null];
    await allow();
    assert.deepEqual(did, ['Starts are allowed already: nothing was stopped.']);
  });

  it('has stopped also where the person gives no reason', async () => {
    reason = undefined;
    await run();
    assert.deepEqual([did.length, did.at(-1)], [3, 'asks why']);
  });

  it('is lifted by a button of each refusal that it causes, and no other refusal has that button', async () => {
    const { showRefusal } = await import('../../../src/extension/commands/ask/targets');
    await showRefusal('Run Plan', {
      code: 'STARTS_HELD',
      reason: 'Ada stopped all.',
      next: ['mission stop --release'],
    });
    await showRefusal('Run Plan', { code: 'WORKER_MISSING', reason: 'No CLI.', next: [] });
    assert.deepEqual(did, [
      'Run Plan was refused (STARTS_HELD). Ada stopped all. Next: mission stop --release | Allow Starts Again',
      'missionControl.allowStarts',
      'Run Plan was refused (WORKER_MISSING). No CLI.',
    ]);
  });
});
