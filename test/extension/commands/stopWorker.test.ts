import assert from 'node:assert/strict';
import type { Composition } from '../../../src/extension/compose';
import type { MissionView } from '../../../src/contracts/page/missionView';
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
  /** What is on the screen until it is over. */
  let shown: Set<string>;
  let others: MissionView[];
  let inSight: { readonly folder: string; readonly missionId: string } | null;
  /** Shows the next snapshot; null: no part of the extension follows them. */
  let becomes: ((next: MissionView) => void) | null = null;
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
      withProgress: async ({ title }: { readonly title: string }, work: () => Promise<void>) => {
        shown.add(title);
        await work();
        shown.delete(title);
      },
    };
    fakeVscode({ window });
    const decisions = await import('../../../src/extension/commands/ask/decisions');
    stopWorker = (mission, argument) => {
      const folder = {
        folder: { uri: { toString: () => 'file:///w' }, name: 'w' },
        view: controlView([mission, ...others], 'this'),
        refresh: () => Promise.resolve(),
        onDidChangeView: (listener: () => void) => {
          becomes = (next) => {
            folder.view = controlView([next], 'this');
            listener();
          };
          return { dispose: () => (becomes = null) };
        },
        command: (_actor: unknown, _mission: string, command: unknown) => {
          sent.push(command);
          return Promise.resolve({ accepted: true, code: 'OK', reason: 'Done.', next: [] });
        },
      };
      const composition = {
        folders: { all: [folder], onDidChange: () => ({ dispose: () => undefined }) },
        log: { warn: () => undefined },
        selection: { mission: inSight },
        person: { identify: () => Promise.resolve({ kind: 'human', name: 'Ada' }) },
      };
      return decisions.stopWorker(composition as unknown as Composition, argument);
    };
  });
  beforeEach(() => {
    [asked, picked, sent, answers] = [[], [], [], []];
    [others, inSight] = [[], null];
    shown = new Set();
  });
  const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

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

  it('is about the mission on the page, and asks which one only where the page shows none that fits', async () => {
    others = [{ ...looksAt, mission_id: 'another', plan_id: 'another' }];
    inSight = { folder: 'file:///w', missionId: 'another' };
    await stopWorker(looksAt);
    assert.deepEqual([picked, asked], [[], ['Stop the orchestrator of task T2 of mission another?']]);
    inSight = { folder: 'file:///w', missionId: 'third' };
    await stopWorker(looksAt);
    assert.deepEqual(picked, [['p: blocked', 'another: blocked']]);
  });

  it('stops a worker as before', async () => {
    const lanes = [liveWorker({ task_id: 'T1' })];
    await stopWorker(missionView({ lanes, offers: { ...offers, StopTask: ['T1'] } }));
    assert.deepEqual(asked, ['Stop the worker of task T1 of mission p?']);
    assert.deepEqual(sent, [{ type: 'StopTask', task_id: 'T1' }]);
    // The notification that says so comes with the block.
    assert.deepEqual([answers, [...shown]], [[], []]);
  });

  it('says that a worker is being stopped until it has ended, and follows nothing then', async () => {
    const lanes = [liveWorker({ task_id: 'T1', stopping: true })];
    const stopping = missionView({ lanes, offers: { ...offers, StopTask: ['T1'] } });
    await stopWorker(stopping);
    assert.deepEqual([[...shown], answers], [['Stop Worker: Done.'], []]);
    becomes?.(stopping);
    await settled();
    assert.deepEqual([...shown], ['Stop Worker: Done.']);
    becomes?.(missionView({ status: 'paused' }));
    await settled();
    assert.deepEqual([[...shown], answers, becomes], [[], [], null]);
  });
});
