import { askedSentence } from '../../src/base/text/words';
import type { EvidenceVerdict, PanelView } from '../../src/contracts/page/panelView';
import { reasonCategories, type ReasonCategory } from '../../src/contracts/vocabulary/codes/codes';
import type { Mission } from '../../src/core/model/state';
import { missionStatus } from '../../src/core/mission/status';
import { liveSession } from '../../src/core/model/session';
import { cases } from '../scenarios/cases';
import { play } from '../scenarios/play';
import type { Scenario, Situation } from '../scenarios/scenario';
import type { PanelFolder } from '../../src/engine/views/panelView';
import { panelOf, type PanelWorld } from '../support/panelOf';
import { invoices } from './invoices';
import { journalOf } from './journals';
import { manyTasks } from './manyTasks';
import {
  asking,
  askingChoices,
  milestones,
  orchestrated,
  relaunched,
  remembering,
  superseded,
  validated,
} from './situations';

/** A page in one state. */
export interface State {
  readonly name: string;
  readonly panel: PanelView;
  /** What a person has to read before they scroll. */
  readonly first: readonly (string | RegExp)[];
}

const running = (
  panel: string,
  situation: Situation,
  until: Parameters<typeof journalOf>[2],
  world: PanelWorld = {},
): PanelView => panelOf({ missions: [journalOf(situation, panel, until)], ...world });
const atRest = (situation: Situation, world: PanelWorld = {}): PanelView =>
  panelOf({
    missions: [journalOf(situation, 'invoices')],
    drafts: [{ ...draft, plan_id: 'export', findings: [] }],
    evidence_only: [evidence],
    selected: 0,
    ...world,
  });

/** Every state but those that differ in the reason of a block alone. */
export function states(): readonly State[] {
  return [
    { name: 'empty', panel: { ...panelOf({}), found }, first: [/no missions yet/i] },
    {
      name: 'draft',
      panel: panelOf({ drafts: [draft] }),
      first: ['invoices', 'Agree the API schema', 'PATH_INVALID'],
    },
    {
      name: 'draft-approved',
      panel: panelOf({ drafts: [{ ...draft, status: 'APPROVED', findings: [] }] }),
      first: ['invoices', 'Run Plan…'],
    },
    {
      name: 'planned',
      panel: running('invoices', invoices(), ({ execution }) => execution === 'LOCKED'),
      first: ['invoices', /planned/i],
    },
    {
      name: 'running',
      panel: running(
        'invoices',
        invoices(),
        ({ lanes }) => lanes[0]?.task_id === 'ui' && lanes[0].stage.at === 'running',
      ),
      first: ['invoices', 'ui'],
    },
    {
      name: 'three-lanes',
      panel: running(
        'invoices',
        invoices({}, { lanes: 3, slow: ['schema', 'docs', 'ui', 'api'] }),
        ({ lanes }) => lanes.length === 3 && lanes.every(({ stage }) => stage.at === 'running'),
        { live: { actions } },
      ),
      first: ['api', 'ui', 'docs', 'src/api/invoices.ts', 'npm test -- invoices'],
    },
    { name: 'forty-tasks', panel: panelOf({ missions: [manyTasks(40, 13)] }), first: ['quarterly-review'] },
    { name: 'question', panel: atRest(asking), first: [/which port/i, /answer/i] },
    { name: 'question-choices', panel: atRest(askingChoices), first: [/which format/i, 'CSV', 'JSON'] },
    {
      name: 'intervention',
      panel: atRest(invoices({ 'ui#1': { claim: 'done_without_changes', changes: ['src/ui/InvoicePage.tsx'] } })),
      first: ['ui', /result/i],
    },
    { name: 'memory', panel: atRest(remembering), first: ['architecture/store', /conflict|contradict/i] },
    {
      name: 'paused',
      panel: atRest(invoices({}, pausedAtLunch)),
      first: [/paused/i, 'Lunch'],
    },
    {
      name: 'plan-gone',
      panel: atRest(invoices({}, pausedAtLunch), { plan_now: null }),
      first: [/paused/i, /is not the approved plan/, /Bring the approved bytes back/],
    },
    {
      name: 'pausing',
      panel: running('invoices', invoices({}, pausedAtLunch), ({ hold }) => hold.kind === 'pause_requested'),
      first: [/pausing/i, 'api'],
    },
    {
      name: 'budget',
      panel: atRest(invoices({}, { budget: { tokens: 120_000 } })),
      first: [/budget/i],
    },
    {
      name: 'scope-violation',
      panel: atRest(
        invoices({
          'ui#1': { changes: ['src/ui/InvoicePage.tsx', 'src/billing/tax.ts', '.github/workflows/release.yml'] },
        }),
      ),
      first: ['src/billing/tax.ts', '.github/workflows/release.yml'],
    },
    {
      name: 'doubt',
      panel: atRest(
        invoices({
          'ui#1': {
            ...{ confined: false, claim: 'done_claiming_less' },
            changes: ['src/ui/InvoicePage.tsx', 'src/billing/tax.ts', 'notes/todo.md'],
          },
        }),
      ),
      first: ['src/billing/tax.ts', 'notes/todo.md', /nothing shows who/i],
    },
    {
      name: 'failed',
      panel: atRest(
        invoices({ 'api#1': { end: { exit_code: 1, stderr_tail: 'no space left' } } }, { on_block: 'fail' }),
      ),
      first: [/failed/i],
    },
    {
      name: 'canceled',
      panel: atRest(
        invoices(
          {},
          {
            script: [
              {
                at: { effect: 'awaitWorker', task: 'ui' },
                command: { type: 'CancelMission' },
                reason: 'The page is not wanted any more',
              },
            ],
          },
        ),
      ),
      first: [/cancel/i, 'The page is not wanted any more'],
    },
    {
      name: 'completed',
      panel: atRest(invoices(), { evidence: verified, lines: counted }),
      first: [/completed/i, 'Review Changes', '+48', 'src/api/invoices.ts', 'CHANGELOG.md'],
    },
    {
      name: 'interrupted',
      panel: panelOf({
        missions: [journalOf(invoices(), 'invoices', isRunning)],
        owner: 'none',
        live: { left: { state: 'runs', pid: 4711 } },
      }),
      first: [/no process runs this mission/i, /resume/i],
    },
    {
      name: 'other-window',
      panel: panelOf({ missions: [journalOf(invoices(), 'invoices', isRunning)], owner: 'another' }),
      first: [/another process/i],
    },
    {
      name: 'missed-stop',
      panel: panelOf({
        missions: [journalOf(invoices(), 'invoices', isRunning)],
        owner: 'another',
        lastStop: { by: 'Grace', at: '2026-01-01T10:30:00.000Z' },
      }),
      first: ['Grace stopped everything', 'has not answered: it pauses when it goes on'],
    },
    { name: 'unreadable', panel: panelOf({ unreadable: [unreadable] }), first: [/newer version/i] },
    {
      name: 'evidence-only',
      panel: panelOf({ evidence_only: [evidence] }),
      first: [
        'RGPT-S2-B-04',
        /evidence/i,
        'SUCCESS, 2 attempts, changed src/api.ts, docs/api.md',
        'skip, docs: written by hand',
      ],
    },
    { name: 'superseded', panel: atRest(superseded), first: ['invoices-r2'] },
    { name: 'relaunched', panel: atRest(relaunched), first: [/paused|denied/i] },
    { name: 'milestones', panel: atRest(milestones), first: [/milestone|validate-M1/i] },
    {
      name: 'milestone-validated',
      panel: running(
        'invoices',
        validated,
        ({ lanes }) => lanes[0]?.task_id === 'ui' && lanes[0].stage.at === 'running',
      ),
      first: ['The service answers', 'Customers see it', 'ui'],
    },
    {
      name: 'orchestrator',
      panel: running('invoices', orchestrated, (mission) => (liveSession(mission)?.launch.process ?? null) !== null),
      first: ['api', /orchestrator/i, 'What you can do'],
    },
  ];
}

/** One state per reason for which something blocks in the project's scenarios. */
export function blockedStates(): readonly State[] {
  const found = new Map<ReasonCategory, Scenario>();
  const resting = cases().flatMap(([, all]) => all.filter(({ then }) => ['blocked', 'paused'].includes(then.status)));
  for (const scenario of resting) {
    const category = blockedBy(play(scenario).mission);
    if (category && !found.has(category)) found.set(category, scenario);
  }
  return reasonCategories.flatMap((category) => {
    const scenario = found.get(category);
    if (!scenario) return [];
    const journal = journalOf(scenario, 'invoices');
    const panel = panelOf({ missions: [journal] });
    return [{ name: `blocked-${category.replaceAll('_', '-')}`, panel, first: whatAndNext(panel) }];
  });
}

/** What happened to the task that blocks first, what its outcomes do, and what a person can do next. */
function whatAndNext({ shown }: PanelView): State['first'] {
  const block = shown?.kind === 'mission' ? shown.mission.view.blocks[0] : undefined;
  const ways = (block?.ways ?? []).filter(({ step, refused, helps }) => step.command !== 'answer' && !refused && helps);
  // A question says what happened, and each of its choices what it does.
  const { question } = block ?? {};
  const said =
    block && question
      ? [askedSentence({ ...block, question }), ...question.choices.map(({ text }) => text)]
      : [block?.reason];
  return [...said.flatMap((text) => text ?? []), ...ways.map(({ does }) => does), 'What you can do'];
}

/** Why the task of its newest open packet blocked; null: nothing is open. */
function blockedBy({ packets, rows }: Mission): ReasonCategory | null {
  const packet = packets.findLast(({ state }) => state.kind === 'open');
  const failure = rows.find(({ task }) => task.task_id === packet?.task_id)?.attempts.at(-1)?.failure;
  return failure?.kind === 'recoverable' ? failure.category : null;
}

const isRunning: Parameters<typeof journalOf>[2] = (mission) =>
  missionStatus(mission) === 'running' &&
  mission.lanes.some(({ stage, task_id }) => task_id === 'api' && stage.at === 'running');

const pausedAtLunch: Pick<Situation, 'script'> = {
  script: [{ at: { effect: 'awaitWorker', task: 'api' }, command: { type: 'PauseMission' }, reason: 'Lunch' }],
};

const actions = [
  { tool: 'Read', detail: 'src/api/schema.json' },
  { tool: 'Edit', detail: 'src/api/invoices.ts' },
  {
    tool: 'Bash',
    detail: 'npm test -- invoices --reporter dot --grep "answers with the invoices of one customer alone"',
  },
];

const found = { text: 'Found here: Claude Code 2.1.4 and Codex 0.98. Workers are confined by bubblewrap.' };

const verified: EvidenceVerdict = {
  standing: 'good',
  text: 'Evidence verified',
  dir: 'docs/ops/executions/invoices',
  findings: [],
};

/** The file of one task has changed since its end. */
const counted: NonNullable<PanelWorld['lines']> = new Map([
  ['schema', { added: 12, removed: 0, unknown: 0 }],
  ['api', { added: 48, removed: 7, unknown: 0 }],
  ['ui', { added: 130, removed: 22, unknown: 1 }],
  ['release', { added: 0, removed: 0, unknown: 1 }],
]);

const draft: PanelFolder['drafts'][number] = {
  plan_id: 'invoices',
  path: 'docs/plans/PLAN_invoices.json',
  status: 'DRAFT',
  goal: 'Customers see their invoices',
  at: '2026-01-01T09:58:00.000Z',
  tasks: [
    { task_id: 'schema', description: 'Agree the API schema', worker: 'codex' },
    { task_id: 'api', description: 'Serve /invoices', worker: 'codex' },
    { task_id: 'ui', description: 'Invoice page', worker: 'claude' },
  ],
  findings: [
    {
      code: 'PATH_INVALID',
      message: '/tasks/2/paths/0: "../ui" leaves the workspace. Write a path inside it.',
      severity: 'error',
    },
    { code: 'UNKNOWN_FIELD', message: '/owner: is not a field of a plan.', severity: 'warning' },
  ],
};

const evidence: PanelFolder['evidence'][number] = {
  plan_id: 'RGPT-S2-B-04',
  dir: 'docs/ops/executions/RGPT-S2-B-04',
  outcome: 'COMPLETED',
  at: '2025-11-02T08:00:00.000Z',
  packets: [],
  says: ['The journal of this machine does not know the mission. Its evidence says: COMPLETED.'],
  tasks: [
    { task_id: 'schema', description: 'SUCCESS, 1 attempt, changed src/schema.ts', worker: 'claude' },
    { task_id: 'api', description: 'SUCCESS, 2 attempts, changed src/api.ts, docs/api.md', worker: 'command' },
    { task_id: 'docs', description: 'SKIPPED, 0 attempts', worker: '' },
  ],
  decisions: [
    '2025-11-02 07:40 UTC Ada: retry-delegation, api: the network is back',
    '2025-11-02 07:50 UTC Ada: skip, docs: written by hand',
  ],
  next: [],
  verified: {
    standing: 'plain',
    text: 'Evidence verified; no journal here knows of it',
    dir: 'docs/ops/executions/RGPT-S2-B-04',
    findings: [],
  },
};

const unreadable: PanelFolder['unreadable'][number] = {
  mission_id: 'invoices-20260101T100000Z-k3x9ad',
  reason: 'Its journal was written by a newer version of Mission Control (schema 9). Update this one to read it.',
};
