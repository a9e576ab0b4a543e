import assert from 'node:assert/strict';
import type { Composition } from '../../../src/extension/compose';
import type { MissionView } from '../../../src/contracts/missionView';
import { fakeQuickPick } from '../fakeQuickPick';
import { fakeVscode } from '../fakeVscode';
import { blockView, controlView, liveWorker, missionView } from '../sampleViews';

const session = { task_id: 'T2', launch_id: 'l', run_dir: '.mission-control/missions/m/runs/2-orchestrator', pid: 7 };
const { offers } = missionView();
const looksAt = missionView({
  status: 'blocked',
  blocks: [blockView()],
  offers: { ...offers, StopTask: ['T2'] },
  orchestrator: { worker: 'claude', session },
});

describe('Stop Worker', () => {
  let asked: string[];
  let picked: (readonly string[])[];
  let sent: unknown[];
  let answers: string[];
  let stopWorker: (mission: MissionView, argument?: object) => Promise<void>;

  before(async () => {
    const window = {
      showWarningMessage: (question: string, _options: object, ...buttons: string[]) => {
        asked.push(question);
        return Promise.resolve(buttons[0]);
      },
      createQuickPick: fakeQuickPick<{ readonly label: string; readonly description: string }>((items) => {
        picked.push(items.map(({ label, description }) => `${label}: ${description}`));
        return items.slice(-1);
      }),
      showInputBox: () => Promise.resolve('Because'),
      showInformationMessage: (text: string) => Promise.resolve(void answers.push(text)),
    };
    fakeVscode({ window });
    const decisions = await import('../../../src/extension/commands/decisions');
    stopWorker = (mission, argument) => {
      const folder = {
        folder: { uri: { toString: () => 'file:///w' }, name: 'w' },
        view: controlView([mission], 'this'),
        command: (_actor: unknown, _mission: string, command: unknown) => {
          sent.push(command);
          return Promise.resolve({ accepted: true, code: 'OK', reason: 'Done.', next: [] });
        },
      };
      const composition = {
        folders: { all: [folder] },
        log: { warn: () => undefined },
        person: { identify: () => Promise.resolve({ kind: 'human', name: 'Ada' }) },
      };
      return decisions.stopWorker(composition as unknown as Composition, argument);
    };
  });
  beforeEach(() => {
    [asked, picked, sent, answers] = [[], [], [], []];
  });

  it('ends the session of an orchestrator, which is no lane', async () => {
    await stopWorker(looksAt);
    assert.deepEqual(asked, ['Stop the orchestrator of task T2 of mission p?']);
    assert.deepEqual(sent, [{ type: 'StopTask', task_id: 'T2' }]);
  });

  it('does so on the row of its task as well', async () => {
    await stopWorker(looksAt, { folder: 'file:///w', missionId: looksAt.mission_id, taskId: 'T2' });
    assert.deepEqual([asked.length, sent.length], [1, 1], answers.join());
  });

  it('asks which one where workers and an orchestrator run', async () => {
    await stopWorker({ ...looksAt, lanes: [liveWorker({ task_id: 'T1' })] });
    assert.deepEqual(picked, [['T1: command, running', 'T2: claude, orchestrator, looks at its block']]);
    assert.deepEqual(sent, [{ type: 'StopTask', task_id: 'T2' }]);
  });

  it('stops a worker as before', async () => {
    const lanes = [liveWorker({ task_id: 'T1' })];
    await stopWorker(missionView({ lanes, offers: { ...offers, StopTask: ['T1'] } }));
    assert.deepEqual(asked, ['Stop the worker of task T1 of mission p?']);
    assert.deepEqual(sent, [{ type: 'StopTask', task_id: 'T1' }]);
  });
});
