import assert from 'node:assert/strict';
import { allowStarts, holdStarts } from '../../../src/adapters/user/machineHold';
import type { Composition } from '../../../src/extension/compose';
import type { MissionView } from '../../../src/contracts/page/missionView';
import { fakeVscode } from '../fakeVscode';
import { blockView, controlView, missionView } from '../sampleViews';

const { offers } = missionView();
const blocked = missionView({
  status: 'blocked',
  blocks: [blockView({ task_id: 'T1' })],
  offers: { ...offers, RetryTask: ['T1'], CancelMission: true },
});
const stop = { by: 'Ada', reason: 'The disk burns', at: '2026-11-30T10:00:00.000Z' };

describe('A command by which tasks may run, while starts are held', () => {
  let did: string[];
  let retryTask: (mission: MissionView) => Promise<void>;
  let cancelMission: (mission: MissionView) => Promise<void>;

  before(async () => {
    fakeVscode({
      window: {
        showInputBox: () => Promise.resolve((did.push('asks why'), undefined)),
        showErrorMessage: (...said: string[]) => Promise.resolve((did.push(said.join(' | ')), said[1])),
        showWarningMessage: (text: string, _options: object, button: string) =>
          Promise.resolve((did.push(text), button)),
      },
      commands: { executeCommand: (id: string) => Promise.resolve(void did.push(id)) },
    });
    const decisions = await import('../../../src/extension/commands/ask/decisions');
    const of = (mission: MissionView): Composition => {
      const folder = {
        folder: { uri: { toString: () => 'file:///w' }, name: 'w' },
        view: controlView([mission], 'this'),
      };
      const composition = {
        folders: { all: [folder], onDidChange: () => ({ dispose: () => undefined }) },
        log: { warn: () => undefined },
        selection: { mission: null },
      };
      return composition as unknown as Composition;
    };
    retryTask = (mission) => decisions.retryTask(of(mission));
    cancelMission = (mission) => decisions.cancelMission(of(mission));
  });
  beforeEach(async () => {
    did = [];
    assert.ok((await holdStarts(stop)).ok);
  });
  afterEach(() => allowStarts(stop));

  it('is refused before it asks for a reason, with the button that allows starts', async () => {
    await retryTask(blocked);
    assert.equal(did.length, 2, did.join('\n'));
    assert.match(
      did[0] ?? '',
      /^Retry Task was refused \(STARTS_HELD\)\. Ada stopped everything at .+ \| Allow Starts Again$/,
    );
    assert.equal(did[1], 'missionControl.allowStarts');
  });

  it('asks for a reason where nothing is held, where a host of a fleet runs it, and where nothing starts', async () => {
    await retryTask({ ...blocked, runs_on: 'On host b.' });
    await cancelMission(blocked);
    await allowStarts(stop);
    await retryTask(blocked);
    assert.equal(did.filter((one) => one === 'asks why').length, 3, did.join('\n'));
  });
});
