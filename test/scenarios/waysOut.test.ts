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
import { sentBack } from '../../src/core/model/waitingWork';
import { agent, blocks, denied, failed, one, strays, told, type Followed, type World } from './blocks';
import { play } from './play';
import type { ScriptedAct, Situation } from './scenario';

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

  for (const [name, situation] of entries)
    it(`${name}: each other way that helps leads out too`, () => {
      for (const other of firstWay(play(situation).mission)?.ways ?? []) {
        if (!other.helps || other.recommended || other.refused) continue;
        let { mission } = play(situation);
        const script: ScriptedAct[] = [...(situation.script ?? [])];
        let next: WayView | undefined = other;
        for (let steps = 0; next && next.step.command !== 'plan revise' && steps < 4; steps++) {
          const row = mission.rows.find(({ status }) => status === 'blocked')!;
          const command = commandOf(mission, row, next.step) ?? assert.fail(next.label);
          script.push({ at: 'idle', command: taken(command), answer: 'OK' });
          ({ mission } = play({ ...situation, script }));
          next = firstWay(mission)?.ways.find((way) => way.recommended);
        }
        // `test/cli/waysOut.test.ts` follows a revision, which runs as another mission.
        if (next) assert.equal(next.step.command, 'plan revise', other.label);
        else
          assert.ok(
            mission.rows.every(({ status }) => status === 'done'),
            other.label,
          );
      }
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

  it('start anew after a failed check of work in a layer, because no edit in the workspace reaches it', () => {
    for (const [task, command] of [
      [one, 'retry'],
      [{ ...agent, verify: one.verify }, 'packet revise'],
    ] as const) {
      const { mission } = play({ tasks: [task], world: { 'T1#1': { confined: true, landing: 'lands', verify: [1] } } });
      const ways = firstWay(mission)?.ways ?? [];
      assert.equal(ways[0]?.step.command, command);
      const judged = ways.find(({ step }) => step.command === 'rerun-validation');
      assert.match(judged?.does ?? '', /^Mend what the check found outside its approved paths first\. /);
      const failure = mission.rows[0]?.attempts[0]?.failure;
      assert.match(failure?.kind === 'recoverable' ? (failure.details[0] ?? '') : '', /^Nothing of its work is in the/);
    }
  });

  it('begin without work that was sent back, where its worker always crashes on it', () => {
    const waits = { confined: true, landing: 'lands' } as const;
    const crashes = { ...waits, end: { exit_code: 1, final_seen: false, final_ok: false } };
    const words = { type: 'AnswerQuestion', task_id: 'T1', packet_id: 'last', asked: null } as const;
    const script: ScriptedAct[] = [{ at: 'idle', command: { ...words, choice: null, text: 'Once more.' } }];
    const world = { 'T1#1': waits, 'T1#2': crashes, 'T1#3': crashes, 'T1#4': waits, 'T1#5': waits };
    const played = (): Mission => play({ landing: 'accepted', tasks: [agent], world, script }).mission;
    const take = (label: string): void => {
      const mission = played();
      const row = mission.rows[0]!;
      const way = firstWay(mission)?.ways.find((one) => one.label === label && one.helps) ?? assert.fail(label);
      script.push({ at: 'idle', command: commandOf(mission, row, way.step) ?? assert.fail(), answer: 'OK' });
    };
    take('Try it again');
    assert.notEqual(sentBack(played(), played().rows[0]!), null);
    take('Begin without that work');
    assert.equal(sentBack(played(), played().rows[0]!), null);
    script.push({ at: 'idle', command: { ...words, choice: 'accept', text: null }, answer: 'OK' });
    assert.deepEqual([played().rows[0]?.status, played().rows[0]?.attempts.length], ['done', 5]);
  });

  it('of a time limit that a person lowered say that no time was given', () => {
    const changes = { max_runtime_seconds: 30 };
    const command = { type: 'ReviseMetadata' as const, task_id: 'T1', packet_id: null, changes };
    const found = firstWay(play({ ...blocks.time_given, script: [{ at: 'idle', command }] }).mission);
    assert.equal(found?.row, 'time');
    assert.equal(found.ways[0]?.does, 'Its max_runtime_seconds becomes 120 s. Then it is tried or validated again.');
  });

  it('recommend no answer where a person judges, and end each answer with one full stop', () => {
    const assertions = ['It starts.'];
    const { mission } = play({
      milestones: [{ id: 'M1', title: 'First', validate: { mode: 'user-testing', assertions } }],
      tasks: [{ task_id: 'T1', milestone: 'M1' }],
    });
    const ways = firstWay(mission)?.ways ?? [];
    assert.deepEqual(
      ways.slice(0, 3).map(({ step, recommended }) => [step.command, recommended]),
      [1, 2, 3].map(() => ['answer', undefined]),
    );
    assert.doesNotMatch(wayLines({ ways }).join('\n'), /\.\./);
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
    assert.match(says, / It leaves out \.git\/config, because no plan may approve it\.$/);
    const [, several] = stepOf('lib/x', 'lib/b:c', 'lib/b\ufffd');
    assert.match(several, / It leaves out lib\/b:c and lib\/b\ufffd, because no plan may approve them\.$/);
    assert.doesNotMatch(stepOf('lib/x')[1], /leaves out/);
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

  it('revise a command line that runs git itself, and mend a script that does', () => {
    const stepOf = (...argv: readonly string[]): string | undefined => {
      const world = told("fatal: Unable to create '/ws/.git/index.lock': Read-only file system", true, argv);
      return firstWay(play({ tasks: [one], world }).mission)?.ways[0]?.step.command;
    };
    assert.equal(stepOf('sh', '-c', 'echo 1 > a; git add a'), 'plan revise');
    assert.equal(stepOf('/usr/bin/git', 'add', 'a'), 'plan revise');
    assert.equal(stepOf('sh', 'tools/do.sh', '.gitignore'), 'retry');
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
