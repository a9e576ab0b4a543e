import assert from 'node:assert/strict';
import type { MissionView } from '../../../src/contracts/page/missionView';
import type { Composition } from '../../../src/extension/compose';
import { fakeQuickPick } from '../fakeQuickPick';
import { fakeVscode } from '../fakeVscode';
import { blockView, controlView, liveWorker, missionView } from '../sampleViews';

const { offers, mission_id: missionId } = missionView();
const called = { folder: 'file:///w', missionId };
const onTask = { ...called, taskId: 'T2' };
const blocks = [blockView({ acceptable: [{ name: 'a.txt', why: 'is tracked by git' }] })];
const incomplete = liveWorker({ intervention: { path: null, missing: ['summary'] } });

type Command = (composition: Composition, argument?: unknown) => Promise<void>;

/** Buttons of old notifications and menus call commands on missions in which something else is true by now. */
describe('a command that can do nothing', () => {
  let said: string[];
  let picks: (items: readonly unknown[]) => readonly unknown[] | null;
  let commands: Record<string, Command>;
  const run = async (name: string, mission: MissionView | null, argument?: unknown): Promise<readonly string[]> => {
    const folder = {
      folder: { uri: { toString: () => 'file:///w', fsPath: '/w' }, name: 'w' },
      view: controlView(mission ? [mission] : [], 'this'),
    };
    const composition = {
      folders: { all: mission ? [folder] : [] },
      log: { warn: () => undefined },
      selection: { mission: null },
      person: { identify: () => Promise.resolve({ kind: 'human', name: 'Ada' }) },
      mission: () => Promise.resolve('{"reason":"Another process releases it."}'),
    } as unknown as Composition;
    await commands[name]?.(composition, argument);
    return said;
  };

  before(async () => {
    const say = (text: string): Promise<void> => Promise.resolve(void said.push(text));
    fakeVscode({
      window: {
        showInformationMessage: say,
        showErrorMessage: say,
        showInputBox: () => Promise.resolve('Because'),
        createQuickPick: fakeQuickPick<unknown>((items) => picks(items)),
      },
    });
    const decisions = await import('../../../src/extension/commands/ask/decisions');
    const { completeIntervention } = await import('../../../src/extension/commands/answer');
    const { confirmMemory } = await import('../../../src/extension/commands/answer');
    const { reviseTask } = await import('../../../src/extension/commands/plan/newRevision');
    const { resumeHandoff } = await import('../../../src/extension/commands/handoff');
    const stops = await import('../../../src/extension/commands/stopEverything');
    const held = { code: 'STARTS_HELD', reason: 'Ada stopped everything.', next: [] } as const;
    const allowStarts: Command = (composition) => stops.allowStarts(composition, () => Promise.resolve(held));
    const opening = await import('../../../src/extension/commands/opening');
    const showWorkerTerminal: Command = (composition, argument) =>
      opening.showWorkerTerminal(composition, { show: () => Promise.resolve(false) } as never, argument);
    const { openRecoveryPacket } = opening;
    const { stopWorker, skipTask, acceptChange } = decisions;
    commands = { stopWorker, skipTask, acceptChange, completeIntervention, confirmMemory, reviseTask };
    commands = { ...commands, resumeHandoff, allowStarts, openRecoveryPacket, showWorkerTerminal };
  });
  beforeEach(() => {
    said = [];
    picks = (items) => items.slice(0, 1);
  });

  it('says that no worker runs in the mission of an old button', async () => {
    assert.deepEqual(await run('stopWorker', missionView(), called), ['No worker is running.']);
  });

  it('says that a worker has no terminal yet, or none any longer', async () => {
    const baseline = missionView({ lanes: [liveWorker({ run_dir: '' })] });
    assert.deepEqual(await run('showWorkerTerminal', baseline, called), ['No worker is running.']);
    said = [];
    const ended = missionView({ lanes: [liveWorker()] });
    assert.deepEqual(await run('showWorkerTerminal', ended, called), [
      'Task T2 of mission p has ended meanwhile. Open Evidence or Open Recovery Packet shows what became of it.',
    ]);
  });

  it('says that no task can be skipped or revised, and nothing where a person closes the list', async () => {
    assert.deepEqual(await run('skipTask', missionView(), called), ['No task waits to be started or decided about.']);
    said = [];
    assert.deepEqual(await run('reviseTask', missionView(), called), [
      'No task waits whose metadata could be revised.',
    ]);
    said = [];
    picks = () => null;
    for (const name of ['skipTask', 'reviseTask'])
      assert.deepEqual(
        await run(name, missionView({ offers: { ...offers, SkipTask: ['T2'], ReviseMetadata: ['T1', 'T2'] } })),
        [],
      );
  });

  it('says once what the task of a menu is', async () => {
    const says = 'Task T2 of mission p does not take this now: it is running. Nothing was changed.';
    for (const name of ['confirmMemory', 'completeIntervention', 'reviseTask', 'skipTask']) {
      said = [];
      assert.deepEqual(await run(name, missionView(), onTask), [says], name);
    }
  });

  it('says that nothing was ticked, so that nothing is accepted', async () => {
    picks = () => [];
    const mission = missionView({ status: 'blocked', blocks, offers: { ...offers, AcceptChanges: ['T2'] } });
    assert.deepEqual(await run('acceptChange', mission), [
      'No change was ticked, so nothing was accepted. Tick each change that may stay.',
    ]);
  });

  it('says when to come back for what is being written', async () => {
    const waiting = missionView({ lanes: [incomplete], offers: { ...offers, CompleteIntervention: ['T2'] } });
    assert.deepEqual(await run('completeIntervention', waiting), [
      'The result packet of task T2 is being written. Run Complete Intervention again in a moment.',
    ]);
    said = [];
    const blocked = missionView({ status: 'blocked', blocks: [blockView({ packet_path: null })] });
    assert.deepEqual(await run('openRecoveryPacket', blocked), [
      'The recovery packet of task T2 is being written. Run Open Recovery Packet again in a moment.',
    ]);
  });

  it('says that it needs a folder', async () => {
    assert.deepEqual(await run('resumeHandoff', null), ['Resume Handoff… works in a folder, and none is open.']);
  });

  it('names a next step where starts stay forbidden', async () => {
    assert.deepEqual(await run('allowStarts', missionView()), [
      'Allow Starts Again was refused. Another process releases it. Next: Mission Control: Doctor',
    ]);
  });
});
