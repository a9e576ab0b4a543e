import assert from 'node:assert/strict';
import type { WayView } from '../../../src/contracts/page/blockView';
import { pageMessageOf } from '../../../src/contracts/page/pageMessage';
import { askedCommands } from '../../../src/contracts/page/panelMessages';
import type { PanelItem } from '../../../src/engine/views/panelView';
import type { Composition } from '../../../src/extension/compose';
import { fakeQuickPick } from '../fakeQuickPick';
import { fakeVscode } from '../fakeVscode';
import { blockView, controlView, missionView } from '../sampleViews';

/** A button of the page opens a command with what is shown filled in. The page may be forged, so it decides nothing. */
describe('a button of the page that asks', () => {
  let listed: (readonly string[])[];
  let picks: boolean;
  let sent: unknown[];
  let opened: unknown[];
  let questions: { readonly text: string; readonly detail: string }[];
  let answer: (argument: object) => Promise<void>;
  let resolve: (argument: object) => Promise<void>;

  before(async () => {
    fakeVscode({
      window: {
        createQuickPick: fakeQuickPick<{ readonly label: string }>((items) => {
          listed.push(items.map(({ label }) => label));
          return picks ? items.slice(0, 1) : null;
        }),
        showInputBox: () => Promise.resolve(undefined),
        showWarningMessage: (text: string, { detail }: { readonly detail: string }, yes: object) => {
          questions.push({ text, detail });
          return Promise.resolve(picks ? yes : undefined);
        },
      },
      commands: { executeCommand: (...all: unknown[]) => Promise.resolve(void opened.push(all)) },
    });
    const { answerQuestion } = await import('../../../src/extension/commands/answer');
    const { resolveBlocker } = await import('../../../src/extension/commands/answer');
    const choices = [
      { id: '1', text: 'CSV' },
      { id: '2', text: 'JSON' },
    ];
    const question = { text: 'Which?', choices, asked_by: { kind: 'worker', name: 'claude' } as const, asked: 1 };
    const { offers } = missionView();
    const of = { mission: 'm', task: 'T1' };
    const ways: readonly WayView[] = [
      { step: { command: 'rerun-validation', args: of }, label: 'Validate again', does: '', recommended: true },
      { step: { command: 'retry', args: of }, label: 'Try it again', does: '', outcome: 'retry-repair' },
      { step: { command: 'skip', args: of }, label: 'Skip it', does: '' },
    ];
    const mission = missionView({
      status: 'blocked',
      blocks: [blockView({ task_id: 'T2', question }), blockView({ task_id: 'T1', ways })],
      offers: { ...offers, AnswerQuestion: ['T2'] },
    });
    const folder = {
      folder: { uri: { toString: () => 'file:///w' }, name: 'w' },
      view: controlView([mission], 'this'),
      command: (...all: unknown[]) => Promise.resolve(void sent.push(all)),
    };
    const composition = {
      folders: { all: [folder] },
      log: { warn: () => undefined },
      selection: { mission: null },
      person: { identify: () => Promise.resolve({ kind: 'human', name: 'Ada' }) },
    };
    const named = { folder: 'file:///w', missionId: mission.mission_id, taskId: 'T2' };
    answer = (argument) => answerQuestion(composition as unknown as Composition, { ...named, ...argument });
    resolve = (argument) =>
      resolveBlocker(composition as unknown as Composition, { ...named, taskId: 'T1', ...argument });
  });
  beforeEach(() => {
    [listed, sent, opened, questions, picks] = [[], [], [], [], false];
  });

  it('offers the shown answer first, and decides nothing before the person picks and says why', async () => {
    await answer({ choice: '2' });
    assert.deepEqual(listed, [['JSON', 'CSV', 'Another answer…', 'Open Recovery Packet']]);
    picks = true;
    await answer({ choice: '2' });
    assert.deepEqual(sent, []);
  });

  it('offers nothing that the question does not have', async () => {
    await answer({ choice: 'rm -rf' });
    assert.deepEqual(listed, [['CSV', 'JSON', 'Another answer…', 'Open Recovery Packet']]);
  });

  it('offers the shown way out of a block first, and decides nothing before the person picks and says why', async () => {
    const after = 'Open Recovery Packet';
    await resolve({ choice: 'Try it again' });
    assert.deepEqual(listed, [['Try it again', 'Validate again', 'Skip it', after]]);
    picks = true;
    await resolve({ choice: 'Try it again' });
    assert.deepEqual(sent, []);
    picks = false;
    for (const choice of ['rm -rf', '']) await resolve({ choice });
    assert.deepEqual(listed.slice(2), Array(2).fill(['Validate again', 'Try it again', 'Skip it', after]));
  });

  it('runs a plan only after a person said so in a dialog that names it', async () => {
    const { openAsked } = await import('../../../src/extension/panel/asked');
    const plan = { plan_id: 'invoices', path: 'docs/plans/PLAN_invoices.json', tasks: [{}, {}] };
    const items = [
      { entry: { id: 'draft d' }, of: { kind: 'draft', draft: plan } },
      { entry: { id: 'mission m' }, of: { kind: 'mission' } },
    ] as unknown as readonly PanelItem[];
    for (const entry of ['draft d', 'mission m', 'elsewhere'])
      await openAsked({ type: 'ask', entry, command: 'runPlan' }, items);
    assert.deepEqual(opened, []);
    assert.deepEqual(questions, [
      {
        text: 'Run plan invoices?',
        detail: 'docs/plans/PLAN_invoices.json has 2 tasks. An approved plan starts at once.',
      },
    ]);
    picks = true;
    await openAsked({ type: 'ask', entry: 'draft d', command: 'runPlan' }, items);
    assert.deepEqual(opened, [
      ['missionControl.runPlan', { webviewSection: 'missionControl.draft', entry: 'draft d' }],
    ]);
  });

  it('opens only commands that ask, whatever a forged page names', () => {
    const ask = (command: string): unknown =>
      pageMessageOf({ type: 'ask', entry: 'mission m', command, task_id: 'T2' });
    for (const command of askedCommands) assert.notEqual(ask(command), null);
    for (const command of ['startMission', 'retryTask', 'stopEverything', 'resume', 'doctorRemedy', '__proto__', ''])
      assert.equal(ask(command), null, command);
    const known = { type: 'ask', entry: 'mission m', command: 'answerQuestion' };
    for (const more of [{ text: 'yes' }, { reason: 'Because' }, { choice: 7 }, { argument: {} }])
      assert.equal(pageMessageOf({ ...known, ...more }), null, JSON.stringify(more));
  });
});
