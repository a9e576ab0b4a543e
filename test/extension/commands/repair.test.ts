import assert from 'node:assert/strict';
import { done, refused, type Outcome } from '../../../src/base/outcome';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import type { Composition } from '../../../src/extension/compose';
import { fakeVscode } from '../fakeVscode';

describe('the button that repairs what a check of the doctor found', () => {
  let said: string[];
  let shown: number;
  let press: (outcome: Outcome<null>) => Promise<void>;

  before(async () => {
    fakeVscode({
      window: {
        showWarningMessage: () => Promise.resolve('Repair'),
        showErrorMessage: (text: string) => Promise.resolve(void said.push(text)),
      },
      workspace: { isTrusted: true },
      version: '1.0.0',
    });
    const { doctorRemedy } = await import('../../../src/extension/commands/doctor');
    press = (outcome) => {
      const repair = { explains: 'write the mark', does: () => Promise.resolve(outcome) };
      const remedy = { kind: 'repair', check: { id: 'state-store', detail: 'It has no mark.' }, repair };
      return doctorRemedy(
        {
          folders: { all: [] },
          doctorPages: { remedyOf: () => remedy, show: () => (shown += 1) },
          settings: { worker: () => ({ extraArgs: [] }), defaultWorker: () => 'claude' },
          agentsHere: { look: () => Promise.resolve() },
          workers: { resolve: () => Promise.resolve(refused('STATE_STORE_UNWRITABLE', 'It is not there.')) },
          plans: planFiles,
          doctorPorts: { machine: () => Promise.resolve([]), sandbox: () => Promise.resolve([]) },
        } as unknown as Composition,
        {},
      );
    };
  });
  beforeEach(() => {
    [said, shown] = [[], 0];
  });

  it('shows the page again where the repair is done', async () => {
    await press(done(null));
    assert.deepEqual([said, shown], [[], 1]);
  });

  it('shows the reason and the next step of a repair that was refused, and the page again', async () => {
    await press(refused('STATE_STORE_UNWRITABLE', 'Another process keeps it busy.', 'Try again.'));
    assert.deepEqual(
      [said, shown],
      [['Repair was refused (STATE_STORE_UNWRITABLE). Another process keeps it busy. Next: Try again.'], 1],
    );
  });
});
