import type { UsageFacts } from '../../src/contracts/launchEvidence';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stepLine } from '../../src/base/text/steps';
import { wayLines } from '../../src/cli/show/missionResult';
import { blockFacts } from '../../src/core/mission/resolve/blockFacts';
import { blockRows, rowOfBlock, type BlockRow } from '../../src/core/mission/resolve/remedies';
import { editProblem, withEdit } from '../../src/core/mission/resolve/planEdits';
import { refusedIfAsked } from '../../src/core/mission/commands';
import { reachOf } from '../../src/core/plan/fields/reach';
import type { PlanEdit } from '../../src/contracts/vocabulary/steps';
import { commandOf, waysOut } from '../../src/core/mission/waysOut';
import type { WayView } from '../../src/contracts/page/blockView';
import type { MissionCommand } from '../../src/contracts/commands/missionCommand';
import { openPackets, rowOf, type Mission } from '../../src/core/model/state';
import { cases } from './cases';
import { play } from './play';
import type { ScriptedAct, Situation } from './scenario';

/**
 * How the recommended way of a row ends. A revision runs as another mission: `test/cli/waysOut.test.ts` follows it.
 * `outside`: a person first changes what no scenario changes.
 */
type Ends = 'done' | 'revision' | 'outside';

interface Followed extends Situation {
  readonly ends?: Ends;
}

function scenario(title: string): Followed {
  const all = cases().flatMap(([, list]) => list);
  return all.find((one) => one.title.startsWith(title)) ?? assert.fail(title);
}

type World = NonNullable<Situation['world']>;
const one = { task_id: 'T1', verify: [['a']] };
const agent = { task_id: 'T1', worker: 'claude' } as const;
const failed = { exit_code: 1 } as const;
const denied = (path: string, reason: string): World => ({
  'T1#1': { changes: [], launches: [{ denied: [{ path, reason }] }] },
});
const told = (stderr_tail: string, layered = false, argv: readonly string[] = ['worker']): World => ({
  'T1#1': { confined: true, layered, argv, held: ['linked.js'], changes: [], end: { exit_code: 1, stderr_tail } },
});
const strays = {
  changes: [{ path: 'lib/x', kind: 'added', what: 'file', sha256: null, lines: 1 }],
  ...{ more: 0, ignored: [], more_ignored: 0, trouble: null },
} as const;
const deadline = { reason: 'deadline', exit_code: null, signal: 'SIGTERM' } as const;

const tokens = (input_tokens: number): UsageFacts => ({
  input_tokens,
  cached_input_tokens: null,
  output_tokens: 0,
  cost_usd: null,
});
const overBudget = scenario('after execution: the budget of the plan stopped it');
const retriesUsed = scenario('a profile whose retries are used up');

/** A block of each row, from which its recommended way is followed to its end. Every later attempt is healthy. */
const blocks: Readonly<Record<BlockRow, Followed>> = {
  question: { tasks: [{ ...agent, worker: 'codex' }], world: { 'T1#1': { claim: 'blocked_asking' } } },
  changes: { tasks: [one], world: { 'T1#1': { verify_changes: ['README.md'], known: { 'README.md': 'tracked' } } } },
  processes: { tasks: [one], world: { 'T1#1': { end: { tree_gone: false, survivors: [7] }, tree_looks: [true] } } },
  stopped: {
    tasks: [one],
    script: [{ at: { effect: 'awaitWorker' }, command: { type: 'StopTask', task_id: 'T1' } }],
  },
  budget: {
    ...overBudget,
    tasks: [
      { ...agent, task_id: 'T0' },
      { ...agent, depends_on: ['T0'] },
    ],
    world: { ...overBudget.world, 'T0#1': { end: { usage: tokens(500) } } },
    script: [
      {
        at: { effect: 'awaitWorker', task: 'T1' },
        report: { type: 'UsageWasSeen', launch_id: '', usage: tokens(600) },
      },
    ],
  },
  budget_alone: { ...scenario('after execution: the budget of the plan stopped it'), ends: 'revision' },
  grant: { tasks: [agent], world: denied('/d1/a', 'workingDir: Path is outside allowed working directories') },
  signed_out: scenario('the block of a CLI without sign-in in its sandbox'),
  denied: { tasks: [agent], world: denied('lib/other.ts', 'EROFS: read-only file system'), ends: 'revision' },
  permission: { tasks: [agent], world: denied('/elsewhere/x', 'something that no row knows') },
  missed: {
    tasks: [one],
    world: told('Error: connect ECONNREFUSED 127.0.0.1:5432', false, ['psql', 'postgres://localhost:5432/a']),
    ends: 'revision',
  },
  link: { tasks: [one], world: told("EROFS: read-only file system, open 'linked.js'") },
  edge: { tasks: [one], world: told('sh: 1: cannot create dist/x: Read-only file system') },
  mount: { tasks: [one], world: told("Error: EBUSY: resource busy or locked, rmdir 'dist'", true), ends: 'revision' },
  folder: { tasks: [one], world: told("Error: EXDEV: x, rename 'a/x' -> 'b/x'") },
  sealed: { tasks: [one], world: told("fatal: Unable to create '/ws/.git/index.lock': Read-only file system", true) },
  stray: { tasks: [one], world: { 'T1#1': { end: { strays } } } },
  layer: scenario('step 4: an approved name became a link'),
  layer_gone: {
    tasks: [one],
    world: { 'T1#1': { confined: true, landing: 'gone' }, 'T1#2': { confined: true, landing: 'lands' } },
  },
  overwritten: scenario('step 4: another program changed an approved file'),
  breach: { ...scenario('a worker stopped for a write out of scope hands in'), ends: 'revision' },
  silent_check: {
    tasks: [one],
    script: [
      {
        at: { effect: 'awaitWorker', purpose: 'verify' },
        report: {
          ...{ type: 'WorkerWentSilent', launch_id: '', last_heartbeat_at: '2026-01-01T00:00:00.000Z' },
          ...{ timeout_seconds: 1200, age_seconds: 1201, found: 'its processes do nothing' },
        },
      },
    ],
    ends: 'revision',
  },
  time: { tasks: [{ ...one, max_runtime_seconds: 60 }], world: { 'T1#1': { end: deadline } } },
  time_given: {
    tasks: [{ ...one, max_runtime_seconds: 60 }],
    world: { 'T1#1': { end: deadline } },
    script: [
      {
        at: 'idle',
        command: { type: 'ReviseMetadata', task_id: 'T1', packet_id: null, changes: { max_runtime_seconds: 90 } },
      },
    ],
  },
  time_at_most: { tasks: [{ ...one, max_runtime_seconds: 604_800 }], world: { 'T1#1': { end: deadline } } },
  nothing_changed: { tasks: [{ task_id: 'T1', worker: 'codex' }], world: { 'T1#1': { changes: [] } } },
  check: { tasks: [one], world: { 'T1#1': { verify: [1] } } },
  limit: scenario('a plan that says nothing of it waits'),
  no_project: {
    tasks: [{ ...agent, intent: 'architecture', intent_from: 'declared' }],
    world: { 'T1#1': { project: 'absent' } },
    ends: 'outside',
  },
  project: {
    tasks: [{ ...agent, intent: 'architecture', intent_from: 'declared' }],
    world: { 'T1#1': { project: 'invalid' } },
  },
  provider: { tasks: [agent], world: { 'T1#1': { launches: [{ impossible: 'PROVIDER_CHANGED' }] } }, ends: 'revision' },
  unseen: {
    tasks: [one],
    world: {
      'T1#1': { confined: true, landing: 'lands', verify_launch: { impossible: 'WORK_UNSEEN' } },
      'T1#2': { confined: true, landing: 'lands' },
    },
  },
  launch: { tasks: [agent], world: { 'T1#1': { cli_missing: true } } },
  model: { ...scenario('nothing eligible halts in phase 3'), ends: 'outside' },
  profile: { ...retriesUsed, script: (retriesUsed.script ?? []).slice(0, 2) },
  profile_alone: scenario('what a resumed session sends beyond its cache'),
  resources: {
    tasks: [one],
    world: { 'T1#1': { end: { reason: 'resource_limit', exit_code: null, error: 'too many' } } },
    ends: 'revision',
  },
  record: { tasks: [one], world: { 'T1#1': { end: { reason: 'log_failed', exit_code: null, error: 'full' } } } },
  milestone: { ...scenario('a report that fails blocks, and nothing'), ends: 'revision' },
  report: { tasks: [{ task_id: 'T1', worker: 'codex' }], world: { 'T1#1': { claim: 'invalid' } } },
  waiting: { ...scenario('when no open task can run'), ends: 'revision' },
  failed: { tasks: [one], world: { 'T1#1': { end: failed } } },
};

function firstWay(mission: Mission): { readonly row: BlockRow; readonly ways: readonly WayView[] } | null {
  const [packet] = openPackets(mission);
  const row = packet && rowOf(mission, packet.task_id);
  if (!packet || !row) return null;
  return { row: rowOfBlock(blockFacts(mission, row, packet)), ways: waysOut(mission, row, packet) };
}

/** Each attempt ends as the one before it that has a part in the world. */
function again(world: World): World {
  const parts = Object.entries(world).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    parts.flatMap(([name, part]) => {
      const [task, attempt] = name.split('#') as [string, string];
      return [0, 1, 2, 3].map((later) => [`${task}#${Number(attempt) + later}`, part]);
    }),
  );
}

describe('the ways out of a block', () => {
  const entries = Object.entries(blocks) as readonly (readonly [BlockRow, Followed])[];
  for (const [name, { ends = 'done', ...situation }] of entries)
    it(`${name}: the recommended way leads out`, () => {
      const script: ScriptedAct[] = [...(situation.script ?? [])];
      let { mission } = play({ ...situation, script });
      let found: ReturnType<typeof firstWay> = firstWay(mission);
      assert.equal(found?.row, name, mission.rows[0]?.reason);
      for (let steps = 0; found && steps < 3; steps++) {
        const [way]: readonly WayView[] = found.ways;
        assert.ok(way?.recommended, JSON.stringify(found.ways));
        const row = mission.rows.find(({ status }) => status === 'blocked')!;
        const command = commandOf(mission, row, way.step);
        if (ends === 'revision') assert.equal(way.step.command, 'plan revise');
        if (ends === 'outside') assert.match(way.does, /first\b|you fill in/);
        if (ends !== 'done') return;
        assert.ok(command, way.step.command);
        script.push({ at: 'idle', command: taken(command), answer: 'OK' });
        ({ mission } = play({ ...situation, script }));
        found = firstWay(mission);
      }
      assert.deepEqual(
        mission.rows.map(({ status }) => status),
        mission.rows.map(() => 'done'),
        mission.rows.map(({ reason }) => reason).join(),
      );
    });

  it('never recommend a repeat that fails again without what comes before', () => {
    for (const [name, situation] of entries) {
      const { mission } = play(situation);
      const [way] = firstWay(mission)?.ways ?? [];
      const repeats = way?.step.command === 'retry' || way?.step.command === 'rerun-validation';
      // The world of a scenario knows no limit that was raised.
      if (!repeats || name === 'time_given' || /^[^(]+(?:\([^)]*\) )?first\. /.test(way.does)) continue;
      const row = mission.rows.find(({ status }) => status === 'blocked')!;
      const command = commandOf(mission, row, way.step) ?? assert.fail(name);
      const script: ScriptedAct[] = [...(situation.script ?? []), { at: 'idle', command, answer: 'OK' }];
      const after = play({ ...situation, world: again(situation.world ?? {}), script }).mission;
      assert.notEqual(firstWay(after)?.row, firstWay(mission)?.row);
    }
  });

  for (const [name, situation] of entries)
    it(`${name}: each way is taken where it is possible, and else refused as it says`, () => {
      const { mission } = play(situation);
      const row = mission.rows.find(({ status }) => status === 'blocked')!;
      for (const { step, label, refused } of firstWay(mission)?.ways ?? []) {
        const command = commandOf(mission, row, step);
        const no = command && refusedIfAsked(mission, taken(command), false);
        if (command) assert.equal(no?.reason, refused?.reason, label);
        if (step.command === 'plan revise' && step.args.edit && !refused) assertOpens(mission, step.args.edit);
        if (!command || no) continue;
        const script: ScriptedAct[] = [...(situation.script ?? []), { at: 'idle', command: taken(command) }];
        const after = play({ ...situation, script }).mission;
        // A task that stays blocked has what its way needs for the next one.
        const [status, ways] = [after.rows.find(({ task }) => task === row.task)?.status, firstWay(after)?.ways ?? []];
        assert.ok(status !== 'blocked' || ways.some((way) => !way.refused), label);
      }
    });

  it('open nothing because of printed words: what they point to is listed, and not recommended', () => {
    for (const [words, line] of [
      ['getaddrinfo ENOTFOUND example.org', '--network'],
      ['Error: connect ECONNREFUSED 127.0.0.1:5432', '--open localhost:5432'],
      ['connect ENOENT /dev/kvm', '--open /dev/kvm'],
    ] as const)
      for (const confined of [
        { end: { exit_code: 1, stderr_tail: words } },
        { verify: [1], verify_end: { own_error: [words] } },
      ]) {
        const { mission } = play({ tasks: [one], world: { 'T1#1': { confined: true, ...confined } } });
        const { row, ways = [] } = firstWay(mission) ?? {};
        assert.equal(row, 'verify' in confined ? 'check' : 'failed');
        assert.equal(ways[0]?.recommended, true);
        assert.notEqual(ways[0].step.command, 'plan revise');
        const way = ways.find(({ step }) => stepLine(step).endsWith(line));
        assert.deepEqual([way?.helps, way?.recommended, way?.refused], [true, undefined, undefined], words);
        assert.match(way?.does ?? '', /^Look whether its output says what is true first\. /);
      }
  });

  it('never widen what the plan opens: single services stay the only ones', () => {
    const { mission } = play({ tasks: [one], world: told('getaddrinfo ENOTFOUND example.org') });
    const plan = { ...mission.plan, services: { ports: [5432], sockets: [], devices: [] } };
    const way = firstWay({ ...mission, plan })?.ways.find(({ step }) => stepLine(step).endsWith('--network'));
    assert.equal(way?.refused?.reason, 'The plan opens localhost:5432 alone, and no step widens that.');
    const edit = { kind: 'opens', entries: ['localhost:6379', '/dev/kvm', 'JAVA_HOME'] } as const;
    assert.deepEqual(withEdit({ network: ['localhost:5432'], env: ['PATH'] }, edit), {
      network: ['localhost:5432', 'localhost:6379'],
      env: ['PATH', 'JAVA_HOME'],
      devices: ['/dev/kvm'],
    });
    const plain = { ...mission, plan };
    for (const entry of ['localhost:5432', 'localhost:80', 'unix:x', '/etc/x', 'a b'])
      assert.notEqual(editProblem(plain, { kind: 'opens', entries: [entry] }), null, entry);
  });

  it('ask of a grant what it would open, and never recommend one that is refused', () => {
    const reason = 'workingDir: Path is outside allowed working directories';
    const of = (path: string, ...files: readonly boolean[]): WayView => {
      const script = { launches: [{ denied: [{ path, reason }] }], files: files.map((absent) => ({ path, absent })) };
      const ways = firstWay(play({ tasks: [agent], world: { 'T1#1': { changes: [], ...script } } }).mission)?.ways;
      const way = ways?.find(({ step }) => step.command === 'grant') ?? assert.fail('none');
      assert.equal(way.recommended === true, way.refused === undefined);
      assert.equal(ways?.[0]?.recommended, true);
      return way;
    };
    const home = /opens \/home\/ada, which holds your home folder/;
    assert.match(of('/home/ada/notes.txt', true).refused?.reason ?? '', home);
    assert.match(of('/home/ada/notes.txt', false).refused?.reason ?? '', home);
    assert.match(of('/home/ada').refused?.reason ?? '', home);
    assert.match(of('/home').refused?.reason ?? '', /which holds your home folder/);
    assert.match(of('/x', true).refused?.reason ?? '', /opens \/, which holds the workspace/);
    assert.match(of('/other/.git/hooks/a', true).refused?.reason ?? '', /lies in a \.git folder/);
    assert.match(of('/d1/a', true).does, /It is not there yet, so its whole folder is opened: \/d1$/);
    assert.match(of('/d1/a', false).does, /what its worker was denied: \/d1\/a$/);
    assert.equal(of('/home/ada/notes').refused, undefined);
  });

  it('have each a name of its own', () => {
    for (const [name, situation] of entries) {
      const labels = (firstWay(play(situation).mission)?.ways ?? []).map(({ label }) => label);
      assert.deepEqual(labels, [...new Set(labels)], name);
    }
  });

  it('say in a terminal what comes first, before the line of each step that helps', () => {
    for (const [name, situation] of entries) {
      const ways = firstWay(play(situation).mission)?.ways ?? [];
      const lines = wayLines({ ways }).map(String);
      for (const { step, does, helps, refused } of ways)
        if (helps && !refused)
          assert.ok(
            lines[lines.indexOf(`next: ${stepLine(step)}`) - 1]?.endsWith(`. ${does}`),
            `${name}: ${lines.join('\n')}`,
          );
    }
  });

  it('are a table of the guide, row by row', () => {
    const guide = readFileSync('docs/guide/blocked.md', 'utf8').split('\n');
    const missing = entries.flatMap(([name, situation]) => {
      const [way] = firstWay(play(situation).mission)?.ways ?? [];
      const before = /^([^.(]+)(?: \([^)]*\))? first\. /.exec(way?.does ?? '')?.[1];
      const label = (way?.label ?? '').replace(/^(Let it write|Let its commands use) .*/, '$1 …');
      const recommended = `${before === undefined ? '' : `${before} first. `}*${label}*`;
      const { what } = blockRows[name];
      const row = guide.find((line) => line.endsWith(` | ${recommended} |`)) ?? '';
      return row.slice(2).split(' | ')[0]?.split('; ').includes(what) ? [] : [`${what} | ${recommended}`];
    });
    assert.deepEqual(missing, []);
  });

  it('open all paths of a stray write in one step, up to ten, and none that no plan may approve', () => {
    const stepOf = (...paths: readonly string[]): readonly [string, string] => {
      const changes = paths.map((path) => ({ ...strays.changes[0], path }));
      const { mission } = play({ tasks: [one], world: { 'T1#1': { end: { strays: { ...strays, changes } } } } });
      const way = firstWay(mission)?.ways.find(({ step }) => step.command === 'plan revise') ?? assert.fail('none');
      return [stepLine(way.step).replace(/^mission plan revise \S+/, ''), `${way.label}. ${way.does}`];
    };
    const [line, says] = stepOf('lib/x', 'lib/a b', '.git/config');
    assert.equal(line, " --writes T1=lib/x --writes 'T1=lib/a b'");
    assert.match(says, /^Let it write lib\/x and lib\/a b\. A revision of the plan is written with these paths: /);
    const [many, rest] = stepOf(...Array.from({ length: 12 }, (_, at) => `lib/${at}`));
    assert.equal(many.match(/--writes/g)?.length, 10);
    assert.match(rest, /\. Add the other 2 in it, where it needs them\. /);
  });

  it('offer an undo where the attempt left files, and say why not elsewhere', () => {
    const undo = (changes: readonly string[]): WayView | undefined => {
      const { mission } = play({ tasks: [one], world: { 'T1#1': { changes, end: failed } } });
      return firstWay(mission)?.ways.find(({ step }) => step.command === 'undo');
    };
    const way = undo(['src/a.ts']);
    assert.match(stepLine(way!.step), /^mission undo \S+ T1 --by NAME --reason TEXT$/);
    assert.equal(way?.refused, undefined);
    assert.match(undo([])?.refused?.reason ?? '', /^No attempt of task T1 left a change here that can be undone\.$/);
  });

  it('never advise a layer over the approved paths where the plan has one', () => {
    const world = told("Error: EBUSY: resource busy or locked, rmdir 'dist'", true);
    const { mission } = play({ tasks: [one], world });
    const of = (layers: object): readonly WayView[] =>
      firstWay({ ...mission, plan: { ...mission.plan, ...layers } })?.ways ?? [];
    const [way] = of({});
    assert.match(stepLine(way!.step), /^mission plan revise \S+ --layers$/);
    const last = of({ layers: 'all' }).find(({ step }) => step.command === 'plan revise' && step.args.edit);
    assert.match(last?.refused?.reason ?? '', /execution\.layers "all" already/);
  });

  it('never advise a path that no plan may approve, and say why', () => {
    const edge = (path: string, more: Partial<Situation['tasks'][number]> = {}): readonly WayView[] =>
      firstWay(play({ tasks: [{ ...agent, ...more }], world: denied(path, 'EROFS: read-only file system') }).mission)
        ?.ways ?? [];
    for (const [path, more, why] of [
      ['.git/index.lock', {}, /^No plan may approve it\. .*\.git, which no task may write.* \(PATH_RESERVED\)$/],
      ['docs/plans/PLAN_x.json', {}, /\(PATH_RESERVED\)$/],
      ['docs/ops/executions/x/a', {}, /\(PATH_RESERVED\)$/],
      [
        'dist',
        { paths: ['dist'] },
        /^dist is approved itself, and its sandbox keeps the folder in its place\. Empty it in place of removing it\.$/,
      ],
      ['web/dist', { paths: ['web/dist'] }, /^web\/dist is approved itself, .* removing it, or approve web\.$/],
      ['lib/a', { forbidden_paths: ['lib'] }, /\(PATH_FORBIDDEN\)$/],
      ['out/a', { writes: false, intent: 'research' }, /^Its intent research writes nothing/],
    ] as const) {
      const ways = edge(path, more);
      const revised = ways.find(({ step }) => step.command === 'plan revise' && step.args.edit !== undefined);
      assert.match(revised?.refused?.reason ?? '', why, path);
      assert.match(ways[0]?.does ?? '', /^Mend what it was denied first\. /);
    }
    assert.equal(edge('dist/a')[0]?.step.command, 'plan revise');
  });
});

/** A revision opens what its step names, and keeps what the plan opens. */
function assertOpens(mission: Mission, edit: PlanEdit): void {
  assert.equal(editProblem(mission, edit), null);
  if (edit.kind === 'writes' || edit.kind === 'layers') return;
  const before = reachOf({ network: ['localhost:1024'] });
  const after = reachOf(withEdit({ network: ['localhost:1024'] }, edit));
  if (edit.kind === 'network') assert.equal(after.network, true);
  else assert.deepEqual(after.services?.ports, [...(before.services?.ports ?? []), 5432]);
}

/** Scenarios have their workspace at `/ws`. */
function taken(command: MissionCommand): MissionCommand {
  return command.type === 'GrantDirectory' && command.directory === '.' ? { ...command, directory: '/ws' } : command;
}
