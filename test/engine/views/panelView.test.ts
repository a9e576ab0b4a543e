import assert from 'node:assert/strict';
import { utcText } from '../../../src/base/text/amounts';
import type { PanelGroup } from '../../../src/contracts/page/panelView';
import type { MissionView } from '../../../src/contracts/page/missionView';
import { fold } from '../../../src/core/mission/evolve';
import { missionView } from '../../../src/core/view/mission/missionView';
import {
  panelItems,
  shownEntry,
  shownItem,
  type PanelFolder,
  type PanelItem,
} from '../../../src/engine/views/panelView';
import { paced, panelOf, recordedJournal, renamed, scenarioJournal } from '../../support/panelOf';

const item = (id: string, group: PanelGroup): PanelItem => ({ entry: { id, group } }) as PanelItem;
const shown = (items: readonly PanelItem[], before: string | null): string | undefined =>
  shownItem(items, before)?.entry.id;

describe('the list of the panel', () => {
  it('groups what needs a person first, with a failure that no person has seen, then what runs', () => {
    const completed = scenarioJournal('outcomes', 'PASS of every task completes the mission through EVIDENCED');
    const stopped = 'stop ends the tree, blocks the task and pauses the mission until a person acts';
    const budget = 'a budget of tokens that is used up pauses before the next attempt, and asks a person';
    const paused = scenarioJournal('people', stopped);
    const missions = {
      blocked: recordedJournal('0.1.0/blocked'),
      failed: recordedJournal('0.1.0/scope'),
      budget: scenarioJournal('budget', budget),
      stopped: paused,
      completed,
      running: completed.slice(
        0,
        completed.findIndex(({ event }) => event.type === 'WorkerEnded'),
      ),
      planned: completed.slice(0, 2),
      canceled: recordedJournal('0.1.0/cancelled'),
    };
    const { entries } = panelOf({
      missions: Object.entries(missions).map(([name, entriesOf]) => renamed(entriesOf, name)),
      drafts: [
        {
          plan_id: 'draft',
          path: 'docs/plans/PLAN_draft.json',
          status: 'DRAFT',
          goal: '',
          tasks: [],
          findings: [],
          at: null,
        },
      ],
      evidence_only: [
        {
          ...{ plan_id: 'elsewhere', dir: 'docs/ops/executions/elsewhere', outcome: 'COMPLETED', at: null },
          ...{ packets: [], says: [], tasks: [], decisions: [], next: [] },
          verified: { standing: 'good', text: 'Evidence verified', dir: null, findings: [] },
        },
      ],
      unreadable: [{ mission_id: 'torn', reason: 'Entry 7 is not JSON.' }],
    });
    const groups = new Map<PanelGroup, string[]>();
    for (const { group, title } of entries) groups.set(group, [...(groups.get(group) ?? []), title].sort());
    assert.deepEqual(
      [...groups],
      [
        ['needs_you', ['blocked', 'budget', 'failed', 'stopped']],
        ['running', ['running']],
        ['planned', ['planned']],
        ['drafts', ['draft']],
        ['finished', ['canceled', 'completed']],
        ['evidence_only', ['elsewhere']],
        ['unreadable', ['torn']],
      ],
    );
  });

  it('two missions of one plan are distinguished by when they began; one alone is not', () => {
    const journal = recordedJournal('0.1.0/done');
    const [first, second] = panelOf({
      missions: [renamed(journal, 'P', 'M1'), renamed(paced(journal), 'P', 'M2')],
    }).entries;
    assert.match(first?.note ?? '', /^Started 2026-11-29 01:45 UTC\. /);
    assert.match(second?.note ?? '', /^Started /);
    assert.notEqual(first?.id, second?.id);
    assert.doesNotMatch(panelOf({ missions: [journal] }).entries[0]?.note ?? '', /Started/);
  });

  it('shows a mission by the view of its window', () => {
    const entries = recordedJournal('0.1.0/done');
    const running = entries.slice(
      0,
      entries.findIndex(({ event }) => event.type === 'WorkerEnded'),
    );
    const mission = fold(running);
    assert.ok(mission);
    const read = { mission, entries: running };
    const view = missionView(mission, [], new Map(), false);
    const folder = (own: MissionView): PanelFolder => ({
      ...{ key: '/w', workspace: 'w', owner: 'none', missions: [read], unreadable: [], drafts: [], evidence: [] },
      views: [own],
    });
    const shown = (own: MissionView): readonly unknown[] => {
      const [item] = panelItems([folder(own)]);
      assert.ok(item);
      const entry = shownEntry(item, { live: new Map() });
      assert.ok(entry.kind === 'mission');
      const { rows, times } = entry.mission;
      return [item.entry.group, item.entry.word, item.entry.note, rows[0]?.spans.at(-1)?.outcome, times.until === null];
    };
    const left = 'No process runs this mission now. It goes on where it stopped when you resume it.';
    assert.deepEqual(shown(view), ['paused', 'interrupted', left, 'unknown', false]);
    const own = { ...view, interrupted: false, headline: 'This window goes on with it.' };
    assert.deepEqual(shown(own), ['running', 'running', 'This window goes on with it.', 'running', true]);
  });

  it('shows at the head of a mission that its process has not answered a stop of everything', () => {
    const entries = recordedJournal('0.1.0/done').slice(0, 12);
    const at = new Date(Date.parse(entries.at(-1)?.at ?? '') + 1000).toISOString();
    const said = (owner: PanelFolder['owner']): string | undefined => {
      const { shown } = panelOf({ missions: [entries], owner, lastStop: { by: 'Grace', at } });
      assert.ok(shown?.kind === 'mission');
      return shown.mission.view.missed_stop;
    };
    assert.equal(
      said('another'),
      `Grace stopped everything at ${utcText(at)}, and the process that runs this mission has not answered: it pauses when it goes on.`,
    );
    assert.equal(said('this'), undefined);
  });

  it('says where to decide about a mission that a claim of a fleet has, in list and headline', () => {
    const claimed = { code: 'FLEET_CLAIMED' as const, reason: 'A host has it.', next: ['mission fleet show j'] };
    const view = panelOf({ missions: [recordedJournal('0.1.0/blocked')], owner: 'none', claimed });
    assert.deepEqual(
      [view.entries[0]?.group, view.entries[0]?.note],
      ['running', 'A host has it. `mission fleet show j` says where it is.'],
    );
    assert(view.shown?.kind === 'mission');
    const { headline, offers, needs } = view.shown.mission.view;
    assert.deepEqual([headline, offers.RetryTask, needs], [view.entries[0]?.note, [], null]);
  });

  it('stays on what it shows, whatever another mission needs, for as long as that is there', () => {
    const [draft, ended] = [item('draft', 'drafts'), item('ended', 'finished')];
    for (const calls of [item('asks', 'needs_you'), item('runs', 'running'), item('paused', 'paused')]) {
      assert.equal(shown([calls, draft, ended], 'ended'), 'ended');
      assert.equal(shown([calls, draft, ended], 'draft'), 'draft');
      assert.equal(shown([calls, draft, ended], 'gone'), calls.entry.id);
    }
  });

  it('begins with what needs a person or runs, else the newest mission, and never with an arbitrary plan', () => {
    const [draft, ended, evidence] = [
      item('draft', 'drafts'),
      item('ended', 'finished'),
      item('other', 'evidence_only'),
    ];
    assert.equal(shown([item('asks', 'needs_you'), draft, ended], null), 'asks');
    assert.equal(shown([draft, ended, evidence], null), 'ended');
    assert.equal(shown([draft, evidence], null), undefined);
    assert.equal(shown([draft, item('broken', 'unreadable')], null), 'broken');
    assert.equal(shown([], 'ended'), undefined);
  });
});
