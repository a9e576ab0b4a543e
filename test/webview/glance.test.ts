import assert from 'node:assert/strict';
import type { PanelView } from '../../src/contracts/page/panelView';
import { panelOf } from '../support/panelOf';
import { invoices } from './invoices';
import { journalOf } from './journals';
import { manyTasks } from './manyTasks';
import { openPane, type Pane } from './pane';
import { blockedStates, states } from './states';
import type { Situation } from '../scenarios/scenario';

/** What a person sees of the page within three seconds: nothing covers it, nothing takes more room than it is worth. */
describe('the page at a glance', () => {
  let pane: Pane;
  const panels = new Map<string, PanelView>();
  before(async () => {
    for (const { name, panel } of [...states(), ...blockedStates()]) panels.set(name, panel);
    pane = await openPane();
  });
  beforeEach(() => pane.renew());
  after(() => pane.close());

  const show = async (width: number, panel: PanelView | undefined): Promise<void> => {
    assert.ok(panel);
    await pane.widen(width);
    await pane.show(panel);
  };
  const heightOf = async (selector: string): Promise<number> =>
    Number(
      await pane.page.evaluate(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().height`),
    );

  const blockOf = (name: string): string | undefined => {
    const shown = panels.get(name)?.shown;
    return shown?.kind === 'mission' ? shown.mission.view.blocks[0]?.packet_id : undefined;
  };

  it('decides about a block on a card that is a third of the screen, the command lines folded', async () => {
    await show(1200, panels.get('blocked-child-exit-nonzero'));
    const card = pane.page.locator('[data-section="decision"]');
    assert.ok(
      (await heightOf('[data-section="decision"]')) <= 300,
      String(await heightOf('[data-section="decision"]')),
    );
    assert.match(await card.locator('[data-outcome]').first().innerText(), /^Try it again…\s+Recommended\. /);
    assert.doesNotMatch(await card.innerText(), /mission retry /);
    await card.getByRole('button', { name: /command lines/ }).press('Enter');
    await card.getByText('mission retry invoices-').waitFor();
    assert.match(await card.innerText(), /retry-repair is safe when the cause is not structural/);
    await card.getByRole('button', { name: 'Open its whole output' }).press('Enter');
    const { type, target } = (await pane.asked()).at(-1) as { readonly type: string; readonly target: unknown };
    assert.deepEqual([type, target], ['open', { kind: 'output', packet_id: blockOf('blocked-child-exit-nonzero') }]);
  });

  it('offers no output on the card of a launch that wrote none', async () => {
    const panel = panels.get('blocked-child-exit-nonzero');
    assert.ok(panel?.shown?.kind === 'mission');
    const { view } = panel.shown.mission;
    const blocks = view.blocks.map((one) => ({ ...one, no_output: true as const }));
    await show(1200, {
      ...panel,
      shown: { ...panel.shown, mission: { ...panel.shown.mission, view: { ...view, blocks } } },
    });
    const card = pane.page.locator('[data-section="decision"]');
    await card.getByRole('button', { name: 'Open the recovery packet' }).waitFor();
    assert.equal(await card.getByText('Open its whole output').count(), 0);
  });

  it('names the code of a failure beside its state only where it says more than the reason', async () => {
    const panel = panels.get('completed');
    assert.ok(panel?.shown?.kind === 'mission');
    const { mission } = panel.shown;
    for (const [code, words] of [
      ['ACCEPTANCE_FAILED', 'Failed'],
      ['SCOPE_VIOLATION', 'Failed: changes outside its paths'],
      ['PLAN_HASH_MISMATCH', 'Failed: plan hash mismatch'],
    ] as const) {
      const ending = { outcome: 'FAILED', code, reason: 'Not met: x.', cancelled: false } as const;
      const view = { ...mission.view, status: 'failed', ending } as const;
      await show(1200, { ...panel, shown: { ...panel.shown, mission: { ...mission, view } } });
      assert.equal(await pane.page.locator('.pill').first().innerText(), words);
    }
  });

  it('moves nothing by itself while a mission runs, because every frame would be drawn anew, all day', async () => {
    await show(1200, panels.get('three-lanes'));
    await pane.page.emulateMedia({ reducedMotion: 'no-preference' });
    const moving = await pane.page.evaluate(`[...document.querySelectorAll('*')].flatMap((one) => {
      const { transitionDuration, transitionProperty, animationName } = getComputedStyle(one);
      const moves = animationName !== 'none' || transitionDuration.split(', ').some((time) => time !== '0s');
      return moves ? [one.outerHTML.slice(0, 80) + ' ' + transitionProperty + ' ' + animationName] : [];
    })`);
    assert.deepEqual(moving, []);
  });

  it('says why a task is blocked once: on its card', async () => {
    await show(1200, panels.get('blocked-launch-failed'));
    const sentence = await pane.page.locator('.sentence').innerText();
    assert.match(sentence, /^Task \S+ is blocked\.$/);
  });

  it('says of what is nearly a million tokens that it is one', async () => {
    const panel = panels.get('completed');
    assert.ok(panel?.shown?.kind === 'mission');
    const { mission } = panel.shown;
    const view = { ...mission.view, usage: { ...mission.view.usage, input_tokens: 999_600, output_tokens: 0 } };
    await show(1200, { ...panel, shown: { ...panel.shown, mission: { ...mission, view } } });
    assert.match(await pane.page.locator('[data-section="header"]').innerText(), /1\.0 M/);
  });

  it('keeps long details from taking the room of what to do next, and has all of them', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index} ${'of many '.repeat(12)}`);
    const situation = invoices({ 'api#1': { end: { exit_code: 1, stderr_tail: lines.join('\n') } } });
    await show(1200, panelOf({ missions: [journalOf(situation, 'invoices')] }));
    const card = pane.page.locator('[data-section="decision"]');
    const fold = card.getByRole('button', { name: /more lines of what happened/ });
    assert.doesNotMatch(await card.innerText(), /line 11/);
    await fold.press('Enter');
    await card.getByText(/line 11/).waitFor();
  });

  it('opens the recovery packet, which has all of them, where the card holds only the first of many', async () => {
    const panel = panels.get('blocked-child-exit-nonzero');
    assert.ok(panel?.shown?.kind === 'mission');
    const { view } = panel.shown.mission;
    const details = Array.from({ length: 300 }, (_, index) => `modified src/part-${index}.ts: out of scope`);
    const mission = {
      ...panel.shown.mission,
      view: { ...view, blocks: view.blocks.map((one) => ({ ...one, details })) },
    };
    await show(1200, { ...panel, shown: { ...panel.shown, mission } });
    const fold = pane.page.locator('.fold', { hasText: /more lines of what happened/ });
    await fold.getByRole('button', { name: /more lines/ }).press('Enter');
    await fold.getByText('and 196 more.').waitFor();
    await fold.getByRole('button', { name: 'Open the recovery packet' }).press('Enter');
    const { type, target } = (await pane.asked()).at(-1) as { readonly type: string; readonly target: unknown };
    assert.deepEqual([type, target], ['open', { kind: 'packet', packet_id: view.blocks[0]?.packet_id }]);
  });

  for (const width of [780, 861, 1200])
    it(`keeps what can be trusted on one line at ${width}, whole in its title and in the facts`, async () => {
      for (const name of ['blocked-child-exit-nonzero', 'completed', 'running']) {
        await show(width, panels.get(name));
        const line = await heightOf('.trust li');
        // A list stands beside the one that ended.
        const most = name === 'completed' && width === 861 ? 2.5 : 1.5;
        assert.ok((await heightOf('.trust')) < most * line, `${name}: ${await heightOf('.trust')} of ${line}`);
      }
      const whole =
        'Workers confined by bubblewrap, no network for verify; each may write the approved paths of its task alone';
      assert.equal(await pane.page.locator(`.trust [title="${whole}"]`).count(), 1);
      await pane.page.locator('[data-fold="facts"] button').press('Enter');
      await pane.page.locator('dl.facts', { hasText: whole }).waitFor();
    });

  for (const width of [640, 861, 1200])
    it(`puts the words of a row beside its bars at ${width}, never on them`, async () => {
      for (const name of ['question-choices', 'intervention', 'relaunched', 'three-lanes', 'completed']) {
        await show(width, panels.get(name));
        assert.deepEqual(await pane.page.evaluate(wordsOnBars), [], name);
      }
    });

  it('shows a question in its own colour, a failure in another, and neither of them as a worker', async () => {
    for (const [name, mark] of [
      ['question', 'warn'],
      ['intervention', 'warn'],
      ['memory', 'warn'],
      ['blocked-child-exit-nonzero', 'bad'],
    ] as const) {
      await show(1200, panels.get(name));
      const colours = (await pane.page.evaluate(waitingColours)) as readonly string[];
      const wanted = await pane.page.evaluate(`getComputedStyle(document.querySelector('td.mark.${mark}')).color`);
      assert.deepEqual([...new Set(colours)], [wanted], name);
      assert.equal(await pane.page.locator('[data-lane]').count(), 0, name);
    }
  });

  it('shows the names of tasks whole at 861 beside the list, and the ids of very long ones', async () => {
    await show(861, panels.get('question-choices'));
    assert.deepEqual(await pane.page.evaluate(cut('.taskName')), []);
    await show(861, panelOf({ missions: [manyTasks(40, 13)] }));
    assert.deepEqual(await pane.page.evaluate(cut('.taskName b')), []);
  });

  it('says of a worker what it did last, and the amount of its output only where that is not known', async () => {
    await show(1200, panels.get('three-lanes'));
    const lane = pane.page.locator('.lane').first();
    assert.deepEqual(
      await lane
        .locator('.actions li')
        .allInnerTexts()
        .then((all) => all.map((one) => one.split('\n')[0])),
      ['read', 'edit', 'run'],
    );
    assert.match(await lane.innerText(), /src\/api\/invoices\.ts/);
    assert.doesNotMatch(await lane.innerText(), /61 lines/);
    await show(1200, panels.get('running'));
    assert.match(await lane.innerText(), /61 lines, 14\.\d kB/);
  });

  it('warns of a worker that shows no sign of life for half of its timeout, and of no other', async () => {
    const warning = pane.page.locator('.lane .warn');
    await show(1200, panels.get('running'));
    assert.equal(await warning.count(), 0);
    const silent = JSON.stringify(panels.get('running')).replaceAll(/"silence_limit":\d+/g, '"silence_limit":1');
    await show(1200, JSON.parse(silent) as PanelView);
    assert.match(await warning.innerText(), /^silent for \d+ .*, and stopped after 1 s$/);
  });

  it('says what happened at 300 as well, and who acted only where it was not Mission Control', async () => {
    await show(300, panels.get('canceled'));
    const first = pane.page.locator('.events li').last();
    assert.match(await first.innerText(), /\d\d:\d\d:\d\d\s+\S+ \S+/);
    await show(1200, panels.get('canceled'));
    assert.deepEqual([...new Set(await pane.page.locator('.events .actor').allInnerTexts())], ['ada']);
  });

  it('runs no clock for a worker in a mission that nothing runs, and marks its row as interrupted', async () => {
    await show(1200, panels.get('interrupted'));
    const lane = pane.page.locator('.lane').first();
    assert.match(await lane.innerText(), /, since .*\d\d:\d\d/);
    assert.doesNotMatch(await lane.innerText(), /, for \d/);
    assert.match(await pane.page.locator('tr[data-task="api"]').innerText(), /◌/);
    assert.match(await pane.page.locator('tr[data-task="api"]').innerText(), /interrupted/);
    await show(1200, panels.get('other-window'));
    assert.match(await lane.innerText(), /, for \d/);
    assert.doesNotMatch(await pane.page.locator('tr[data-task="api"]').innerText(), /◌|interrupted/);
  });

  it('marks what changed: good in a completed mission, bad in a failed one, neither in a canceled one', async () => {
    const tones: string[] = [];
    for (const name of ['completed', 'failed', 'canceled']) {
      await show(1200, panels.get(name));
      tones.push((await pane.page.locator('[data-section="changed"]').getAttribute('class')) ?? '');
    }
    assert.deepEqual(tones, ['card good', 'card bad', 'card']);
  });

  it('says of verify commands that none was run where the task blocked before them, not that they failed', async () => {
    await show(1200, panels.get('doubt'));
    const row = pane.page.locator('tr[data-task="ui"]');
    assert.match(await row.innerText(), /not run/);
    assert.doesNotMatch(await row.innerText(), /0 of 1/);
    await show(1200, panelOf({ missions: [journalOf(invoices({ 'ui#1': { verify: [1] } }), 'invoices')] }));
    assert.match(await row.innerText(), /✕ 0 of 1/);
  });

  it('says on the card when a used-up limit ends, by the clock of the reader', async () => {
    const resets_at = '2999-11-26T08:10:00Z';
    const spent = { exit_code: 1, final_ok: false, final_reason: 'api_error: You’ve hit your session limit' };
    const world = (limit: { readonly resets_at: string | null }): Situation => ({
      tasks: [{ task_id: 'T1', worker: 'claude' }],
      world: { 'T1#1': { changes: [], claim: 'missing', end: { ...spent, limit: { reached: true, ...limit } } } },
    });
    const card = pane.page.locator('[data-section="decision"]');
    await show(1200, panelOf({ missions: [journalOf(world({ resets_at }), 'limit')] }));
    const moment = card.locator(`time[datetime="${resets_at}"]`);
    assert.match((await moment.innerText()).trim(), /\d:10:00$/);
    assert.match(await card.innerText(), /The limit of its provider ends at .*\d:10:00\./);
    const past = journalOf(world({ resets_at: '2025-11-26T08:10:00Z' }), 'limit');
    await show(1200, panelOf({ missions: [past] }));
    assert.match(await card.innerText(), /The limit of its provider ended at .*\d:10:00\./);
    await show(1200, panelOf({ missions: [journalOf(world({ resets_at: null }), 'limit')] }));
    assert.doesNotMatch(await card.innerText(), /The limit of its provider/);
  });

  it('marks the end of a mission that a person canceled as an end, not as a break', async () => {
    await show(1200, panels.get('canceled'));
    assert.equal(await pane.page.locator('.envelope [data-standing="ended"]').count(), 1);
    assert.equal(await pane.page.locator('.envelope [data-standing="broken"]').count(), 0);
  });

  it('marks in what happened last what begins, what is good and what is bad', async () => {
    const marks = async (): Promise<string> =>
      (await pane.page.locator('.events li > [aria-hidden]').allInnerTexts()).filter((mark) => mark !== '').join('');
    await show(1200, panels.get('three-lanes'));
    assert.equal(await marks(), '▶▶▶✓✓▶▶#');
    assert.match(await pane.page.locator('.events').innerText(), /schema: Verification verify: exit code 0\./);
    await show(300, panels.get('failed'));
    assert.match(await marks(), /^!.*!▶/);
  });

  it('has a card for each step of the walkthrough that it opens, the check of the machine first', async () => {
    await show(1200, panels.get('empty'));
    await pane.page.locator('[data-step="check"]').press('Enter');
    const asked = (await pane.asked()) as readonly { readonly type: string }[];
    assert.deepEqual(asked.at(-1), { type: 'walkthrough', step: 'check' });
    const steps = (await pane.page.evaluate(
      '[...document.querySelectorAll("[data-step]")].map((one) => one.dataset.step)',
    )) as readonly string[];
    assert.deepEqual(steps, ['check', 'sample', 'plan', 'approve', 'run']);
  });
});

/** The words of rows that stand on a bar of theirs. */
const wordsOnBars = `[...document.querySelectorAll('tr[data-task]')].flatMap((row) => {
  const words = row.querySelector('.behind:not(.first)')?.getBoundingClientRect();
  const end = Math.max(...[...row.querySelectorAll('rect.bar')].map((bar) => bar.getBoundingClientRect().right));
  const edge = row.querySelector('.bars')?.closest('td').getBoundingClientRect().right;
  if (!words || (words.left >= end && words.right <= edge + 1)) return [];
  return [row.dataset.task + ': ' + [words.left, words.right, end, edge].map(Math.round).join(' ')];
})`;

/** What of them does not fit where it stands. */
function cut(selector: string): string {
  return `[...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const edge = one.closest('.taskName').getBoundingClientRect().right;
    return range.getBoundingClientRect().right > edge + 1 ? [one.textContent] : [];
  })`;
}

/** Colours of the words behind bars that wait, and of the bars of what stands still now. */
const waitingColours = `[
  ...[...document.querySelectorAll('.behind:not(.dim)')].map((words) => getComputedStyle(words).color),
  ...[...document.querySelectorAll('.bar.block.running')].map((bar) => getComputedStyle(bar).fill),
]`;
