import assert from 'node:assert/strict';
import { menuSections } from '../../../src/contracts/page/menuKeys';
import type { MissionView } from '../../../src/contracts/page/missionView';
import { panelGroups, type PanelEntry, type ShownDraft } from '../../../src/contracts/page/panelView';
import { missionRows, type MissionEntry, planRows, type PlanEntry } from '../../../src/extension/trees/missionRows';
import { needsYouRows, needsYouText } from '../../../src/extension/trees/needsYouRows';
import { rowIcons, signatureOf, type Row } from '../../../src/extension/trees/row';
import { blockView, completed, failed, here, missionView } from '../sampleViews';

const at = '2026-01-01T00:01:05.000Z';
const now = { now: at, unlisted: 0 };
const hostile = '[x](command:y)$(error)\u202e**b**\u001b[31m\nline';
const inert = String.raw`[x](command:y)$(error)\u202e**b**\x1b[31m\nline`;

function entryOf(
  view: MissionView | null,
  changes: Partial<PanelEntry> = {},
  folder: string = 'file:///w',
): MissionEntry {
  const entry: PanelEntry = {
    ...{ id: `mission ${view?.mission_id ?? 'none'}`, group: 'running', title: view?.plan_id ?? 'none' },
    ...{ workspace: null, word: 'running', note: 'Why.', at: null },
    progress: view ? { done: view.done, total: view.tasks.length } : null,
    ...changes,
  };
  return { entry, folder, view };
}

/** A tree as text: two blanks for each level. */
function drawn(rows: readonly Row[], indent = ''): readonly string[] {
  return rows.flatMap((row) => [
    `${indent}${row.label.toString()} | ${row.description.toString()}`,
    ...drawn(row.rows(), `${indent}  `),
  ]);
}

function all(rows: readonly Row[]): readonly Row[] {
  return rows.flatMap((row) => [row, ...all(row.rows())]);
}

const [first, second] = missionView().tasks;
assert.ok(first && second);
const tasks = [
  { ...first, started_at: '2026-01-01T00:00:00.000Z', ended_at: '2026-01-01T00:00:12.000Z' },
  { ...second, started_at: '2026-01-01T00:00:12.000Z' },
  { ...second, task_id: 'T3', status: 'todo', depends_on: ['T1', 'T2'] },
  { ...second, task_id: 'T4', status: 'blocked', code: 'TASK_TIMEOUT', started_at: null },
] as const;

describe('rows of missions', () => {
  it('stand in the groups of the page, with their tasks, states and durations', () => {
    const rows = missionRows(
      [
        entryOf(missionView({ tasks })),
        entryOf(null, { group: 'drafts', id: 'draft x', title: 'x' }),
        entryOf(completed({ mission_id: 'm2', plan_id: 'old', ended_at: '2026-01-01T00:00:40.000Z' }), {
          group: 'finished',
          word: 'completed',
        }),
        entryOf(null, { group: 'evidence_only', title: 'elsewhere', word: 'completed', workspace: 'docs' }),
        entryOf(null, { group: 'unreadable', title: 'torn', word: 'unreadable' }),
      ],
      now,
    );
    assert.deepEqual(drawn(rows), [
      'Running | 1',
      '  p | 1/4 · 1 min',
      '    T1 | done · 12 s',
      '    T2 | running · < 1 min',
      '    T3 | to do · waits for T2',
      '    T4 | deadline passed',
      'Finished | 1',
      '  old | completed · 1/2 · 40 s',
      '    T1 | done',
      '    T2 | running',
      'Evidence Only | 1',
      '  elsewhere | completed · docs',
      'Unreadable | 1',
      '  torn | ',
    ]);
  });

  it('have a group for each of the page, but for plans, which have a tree of their own', () => {
    const entries = panelGroups.map((group) => entryOf(missionView({ mission_id: group }), { group, id: group }));
    const rows = missionRows(entries, now);
    assert.equal(rows.length, panelGroups.length - 1);
    const ids = all(rows).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('differ where a folder and its copy have the same mission', () => {
    const view = missionView();
    const folders = ['file:///one', 'file:///copy'];
    const missions = missionRows(
      folders.map((folder) => entryOf(view, { id: `mission ${view.mission_id} ${folder}` }, folder)),
      now,
    );
    const blocked = missionView({ status: 'blocked', blocks: [blockView()] });
    const needing = needsYouRows(folders.map((folder) => here(blocked, { folder, workspace: folder.slice(8) })));
    for (const rows of [all(missions), needing]) {
      const ids = rows.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      const acted = rows.flatMap(({ target }) => (target.kind === 'mission' ? [target.folder] : []));
      assert.deepEqual(new Set(acted), new Set(folders));
    }
    assert.deepEqual(drawn(needing), ['T2 | blocked · p · one', 'T2 | blocked · p · copy']);
  });

  it('carry what menus go by: the mission, the task, and what each takes now', () => {
    const offers = { ...missionView().offers, PauseMission: true, StopTask: ['T2'] };
    const rows = all(missionRows([entryOf(missionView({ offers, tasks }))], now));
    const menus = rows.map(({ menu, target }) => [menu, target.kind === 'mission' ? target.taskId : target.kind]);
    assert.deepEqual(menus.slice(0, 4), [
      ['', 'none'],
      [`${menuSections.mission};PauseMission;StopTask;begun;`, null],
      [`${menuSections.task};begun;`, 'T1'],
      [`${menuSections.task};StopTask;begun;`, 'T2'],
    ]);
    const [unread] = all(missionRows([entryOf(null, { group: 'unreadable', id: 'unreadable m' })], now)).slice(1);
    assert.deepEqual(
      [unread?.target, unread?.menu],
      [{ kind: 'entry', folder: 'file:///w', entry: 'unreadable m' }, `${menuSections.unreadable};;`],
    );
    const [found] = all(missionRows([entryOf(null, { group: 'evidence_only', id: 'e' })], now)).slice(1);
    assert.equal(found?.menu, `${menuSections.evidence};;`);
  });

  it('tell a task that asks a person from one that is blocked, whose state is no code', () => {
    const question = { text: 'Which?', choices: [], asked_by: { kind: 'worker', name: 'claude' } as const, asked: 1 };
    const blocked = { ...second, status: 'blocked', code: 'DEPENDENCY_NOT_MET', started_at: null } as const;
    const view = missionView({
      tasks: [
        { ...blocked, task_id: 'T2', asks: true },
        { ...blocked, task_id: 'T3' },
      ],
      blocks: [blockView({ task_id: 'T2', question }), blockView({ task_id: 'T3' })],
    });
    const rows = all(missionRows([entryOf(view)], now)).filter(({ label }) => /^T/.test(label.toString()));
    assert.deepEqual(
      rows.map(({ label, description, icon }) => [label.toString(), description.toString(), icon]),
      [
        ['T2', 'asks you', rowIcons.question],
        ['T3', 'blocked', rowIcons.needsYou],
      ],
    );
  });

  it('are the same row while a second passes, and another after a minute', () => {
    const seen = (time: string): readonly string[] =>
      all(missionRows([entryOf(missionView({ tasks }))], { now: time, unlisted: 0 })).map(signatureOf);
    assert.deepEqual(seen('2026-01-01T00:01:06.000Z'), seen(at));
    assert.notDeepEqual(seen('2026-01-01T00:02:06.000Z'), seen(at));
  });

  it('say that a mission is pausing, and that its process has not answered a stop of everything', () => {
    const pausing = missionView({ pausing: true });
    const missed_stop = 'Grace stopped everything, and the process has not answered.';
    const [group] = missionRows(
      [entryOf(pausing, { word: 'pausing' }), entryOf(missionView({ mission_id: 'm2', missed_stop }), { id: 'm2' })],
      now,
    );
    const [first, second] = group?.rows() ?? [];
    assert.equal(first?.description.toString(), 'pausing · 1/2 · 1 min');
    assert.equal(second?.description.toString(), `1/2 · 1 min · ${missed_stop}`);
    assert.deepEqual(second.tooltip.map(String), ['p: running', missed_stop, 'Why.']);
  });

  it('say how much evidence is not listed, also where none is', () => {
    const found = entryOf(null, { group: 'evidence_only', title: 'elsewhere', word: 'completed' });
    const ended = entryOf(completed(), { group: 'finished', word: 'completed' });
    const said = (entries: readonly MissionEntry[], unlisted: number): readonly string[] =>
      missionRows(entries, { now: at, unlisted }).map(
        (row) => `${row.label.toString()} | ${row.description.toString()}`,
      );
    assert.deepEqual(said([found], 50), ['Evidence Only | 1 · 50 others are not listed']);
    assert.deepEqual(said([found], 1), ['Evidence Only | 1 · 1 other is not listed']);
    assert.deepEqual(said([ended], 1), ['Finished | 1', 'Evidence Only | 1 is not listed']);
    assert.deepEqual(said([], 2), ['Evidence Only | 2 are not listed']);
    assert.deepEqual(said([ended], 0), ['Finished | 1']);
    assert.equal(missionRows([], { now: at, unlisted: 2 })[0]?.folded, 'leaf');
  });

  it('make the tasks of a mission only when a person unfolds it', () => {
    const view = missionView();
    const looked: Pick<MissionView, 'tasks'> = Object.defineProperty({ ...view }, 'tasks', {
      get: () => Object.assign([...view.tasks], { map: () => assert.fail('a task was made') }),
    });
    const [group] = missionRows([entryOf({ ...view, ...looked })], now);
    assert.equal(group?.rows().length, 1);
  });
});

describe('rows of what needs a person', () => {
  const blocked = missionView({
    status: 'blocked',
    blocks: [blockView(), blockView({ packet_id: 'p2', task_id: 'T1' })],
  });

  it('are one for each matter, and open what helps with exactly that', () => {
    const rows = needsYouRows(
      [missionView(), blocked, failed({ mission_id: 'm2', plan_id: 'q' })].map((one) => here(one)),
    );
    assert.deepEqual(drawn(rows), ['T2 | blocked · p', 'T1 | blocked · p', 'q | failed: changes outside its paths']);
    assert.deepEqual(
      rows.map(({ does, target }) => [does, target.kind === 'mission' ? target.taskId : '']),
      [
        ['resolveBlocker', 'T2'],
        ['resolveBlocker', 'T1'],
        ['showMissionControl', null],
      ],
    );
    assert.equal(rows[0]?.tooltip[1]?.toString(), 'The worker exited with 3.');
    assert.equal(needsYouText([here(blocked), here(missionView())]).toString(), '2 matters need you, in 1 mission');
  });
});

describe('rows of plans', () => {
  const draft: ShownDraft = {
    ...{ plan_id: 'p', path: 'docs/plans/PLAN_p.json', status: 'DRAFT', goal: 'Tidy.', findings: [] },
    tasks: [{ task_id: 'T1', description: '', worker: 'command' }],
  };
  const error = { code: 'E', message: 'Wrong.', severity: 'error' } as const;
  const row = (plan: Partial<PlanEntry>): Row => {
    const entry = { folder: 'file:///w', workspace: null, draft, sha256: 'A'.repeat(64), missions: [], ...plan };
    const [only] = planRows([entry]);
    assert.ok(only);
    return only;
  };
  const approved = { ...draft, status: 'APPROVED' };
  const other = 'B'.repeat(64);
  const cases: readonly (readonly [string, Partial<PlanEntry>, string])[] = [
    ['draft', {}, 'approve;run'],
    [
      'draft · 2 errors, 1 warning',
      {
        draft: {
          ...draft,
          findings: [error, error, { ...error, severity: 'warning' }, { ...error, severity: 'info' }],
        },
      },
      '',
    ],
    ['approved', { draft: approved }, 'run'],
    ['approved · 1 error', { draft: { ...approved, findings: [error] } }, ''],
    ['locked by mission, running', { draft: approved, missions: [missionView()] }, ''],
    ['locked by mission, running; the file has changed', { sha256: other, missions: [missionView()] }, ''],
    ['done', { draft: approved, missions: [completed()] }, 'run'],
    ['failed', { draft: approved, missions: [failed()] }, 'run'],
    ['superseded by p-r2', { draft: approved, missions: [failed({ superseded_by: 'p-r2' })] }, ''],
    ['draft', { sha256: other, missions: [completed()] }, 'approve;run'],
    ['changed since its mission', { draft: approved, sha256: other, missions: [completed()] }, ''],
    ['approved', { draft: approved, sha256: null, missions: [completed()] }, 'run'],
    ['draft · docs', { workspace: 'docs' }, 'approve;run'],
  ];
  for (const [text, plan, words] of cases)
    it(`say ${text}, and take ${words === '' ? 'neither approval nor run' : words}`, () => {
      const made = row(plan);
      assert.deepEqual([made.description.toString(), made.menu], [text, `${menuSections.plan};${words};`]);
      assert.deepEqual(made.target, { kind: 'plan', folder: 'file:///w', path: draft.path });
    });

  it('are in the order of their paths', () => {
    const entry = { folder: 'file:///w', workspace: null, sha256: null, missions: [] };
    const rows = planRows(
      ['b', 'a'].map((plan_id) => ({ ...entry, draft: { ...draft, plan_id, path: `${plan_id}.json` } })),
    );
    assert.deepEqual(
      rows.map(({ label }) => label.toString()),
      ['a', 'b'],
    );
  });
});

describe('text of others in rows', () => {
  it('is one visible line, whatever it holds', () => {
    const view = missionView({
      ...{ plan_id: hostile, status: 'blocked', headline: hostile },
      tasks: [{ ...second, task_id: hostile, description: hostile, status: 'blocked', code: hostile, reason: hostile }],
      blocks: [blockView({ task_id: hostile, code: hostile, reason: hostile })],
    });
    const findings = [{ code: hostile, message: hostile, severity: 'error' as const }];
    const draft = { plan_id: hostile, path: hostile, status: hostile, goal: hostile, tasks: [], findings };
    const rows = [
      ...needsYouRows([here(view, { workspace: hostile })]),
      ...missionRows(
        [entryOf(view, { group: 'needs_you', title: hostile, word: hostile, note: hostile, workspace: hostile })],
        now,
      ),
      ...planRows([{ folder: 'file:///w', workspace: hostile, draft, sha256: null, missions: [] }]),
    ];
    const texts = all(rows).flatMap(({ label, description, tooltip }) => [label, description, ...tooltip].map(String));
    assert.ok(texts.filter((text) => text.includes(inert)).length > 10);
    for (const text of texts)
      for (const hidden of ['\u202e', '\u001b', '\n']) assert.ok(!text.includes(hidden), JSON.stringify(text));
  });
});
