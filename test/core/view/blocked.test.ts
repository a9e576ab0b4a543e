import assert from 'node:assert/strict';
import { eventLine } from '../../../src/core/view/events/eventLine';
import { packetFacts } from '../../../src/core/mission/documents';
import { packetMarkdown } from '../../../src/core/packets/markdown';
import { recoveryPacket } from '../../../src/core/packets/packet';
import { missionView } from '../../../src/core/view/mission/missionView';
import type { BlockView } from '../../../src/contracts/page/blockView';
import { refusedAs } from '../../scenarios/leftBehind';
import { assertFollowable, linesOf } from '../../scenarios/steps';
import { play, type Played } from '../../scenarios/play';
import type { Scenario } from '../../scenarios/scenario';

const blocked = (scenario: Pick<Scenario, 'world' | 'script'>): Played =>
  play({ tasks: [{ task_id: 'T1', verify: [['a']] }], ...scenario });

describe('what a person sees of a blocked task', () => {
  it('the outcomes of its packet: leave-blocked only until it was chosen', () => {
    const outcomes = (script: NonNullable<Scenario['script']>): readonly string[] => {
      const { mission } = blocked({ world: { 'T1#1': { verify: [1] } }, script });
      const [block] = missionView(mission, [], new Map(), true).blocks;
      return linesOf(block).map((step) => step.replace(/ --by .*/, '').replaceAll(block?.packet_id ?? '', 'P'));
    };
    const retried = ['mission rerun-validation M T1', 'mission retry M T1'];
    const left = { type: 'ResolvePacket', packet_id: 'last', outcome: 'leave-blocked' } as const;
    const asked = 'mission packet resolve P --outcome ask-user --question TEXT';
    const others = ['mission undo M T1', 'mission plan revise M', 'mission cancel M'];
    assert.deepEqual(outcomes([]), [...retried, asked, 'mission packet resolve P --outcome leave-blocked', ...others]);
    assert.deepEqual(outcomes([{ at: 'idle', command: left }]), [...retried, ...others]);
    // An answer of a command runs nothing, so it helps no task that a person left.
    const ask = { ...left, outcome: 'ask-user', question: 'Which?' } as const;
    const answer = 'mission answer M --task T1 --text TEXT';
    assert.equal(outcomes([{ at: 'idle', command: ask }])[0], answer);
    const both = [ask, left].map((command) => ({ at: 'idle', command }) as const);
    assert.deepEqual(outcomes(both), [...retried, ...others]);
  });

  it('more time first, where a verify command was ended at the limit, and that limit', () => {
    const verify_end = { reason: 'deadline', exit_code: null, signal: 'SIGTERM' } as const;
    const task = { task_id: 'T1', verify: [['a']], max_runtime_seconds: 60 };
    const { mission } = play({ tasks: [task], world: { 'T1#1': { verify: [1], verify_end } } });
    const [block] = missionView(mission, [], new Map(), true).blocks;
    assert.equal(block?.reason, 'Verification failed: verify did not end within 60 s, which is the limit of its task.');
    assert.deepEqual(linesOf(block).slice(0, 2), [
      'mission packet revise M --task T1 --set max_runtime_seconds=120 --by NAME --reason TEXT',
      'mission rerun-validation M T1 --by NAME --reason TEXT',
    ]);
    const [packet] = mission.packets;
    assert.ok(packet);
    const text = packetMarkdown(recoveryPacket(packetFacts(mission, packet, 'm', []))).toString();
    assert.match(text, /The verify command ended with the signal SIGTERM\./);
  });

  it('the recommended way first, then what is possible, last what is not', () => {
    const told = (
      scenario: Pick<Scenario, 'world' | 'script'>,
      worker: 'command' | 'codex' | 'claude' = 'command',
    ): readonly string[] => {
      const { mission } = play({ tasks: [{ task_id: 'T1', verify: [['a']], worker }], ...scenario });
      const [block] = missionView(mission, [], new Map(), true).blocks;
      return (block?.ways ?? []).map(
        ({ step, outcome, recommended, refused }) =>
          `${outcome ?? step.command}${recommended ? ' recommended' : ''}${refused ? ' refused' : ''}`,
      );
    };
    assert.deepEqual(told({ world: { 'T1#1': { verify: [1] } } }), [
      ...['rerun-validation recommended', 'retry-repair', 'ask-user', 'leave-blocked', 'undo', 'plan revise', 'cancel'],
      ...['resume refused', 'skip refused'],
    ]);
    assert.deepEqual(told({ world: { 'T1#1': { cli_missing: true } } }), [
      ...['retry-repair recommended', 'ask-user', 'leave-blocked', 'plan revise', 'cancel'],
      ...['rerun-validation refused', 'resume refused', 'undo refused', 'skip refused'],
    ]);
    const asking = told({ world: { 'T1#1': { claim: 'blocked_asking' } } }, 'codex');
    assert.equal(asking[0], 'answer recommended');
    const reason = 'workingDir: Path is outside allowed working directories';
    const denied = told(
      { world: { 'T1#1': { changes: [], launches: [{ denied: [{ path: '/d1/a', reason }] }] } } },
      'claude',
    );
    assert.deepEqual(denied.slice(0, 2), ['grant recommended', 'resume']);
    const changes = told({ world: { 'T1#1': { verify_changes: ['README.md'], known: { 'README.md': 'tracked' } } } });
    assert.deepEqual(changes.slice(0, 2), ['accept recommended', 'rerun-validation']);
  });

  it('each way that is possible can be followed; the others say why not', () => {
    const { mission } = play({ tasks: [{ task_id: 'T1' }], world: { 'T1#1': { end: { exit_code: 3 } } } });
    const [block] = missionView(mission, [], new Map(), true).blocks;
    assert.ok(linesOf(block).length > 3);
    assertFollowable(linesOf(block), mission, (command) => refusedAs(mission, command, { title: 'failed' }, true));
    const refused = block?.ways.filter((way) => way.refused) ?? [];
    assert.deepEqual(
      refused.map(({ outcome, step }) => outcome ?? step.command),
      ['rerun-validation', 'resume', 'skip'],
    );
  });

  it('a deadline: the next attempt can be given more time, once', () => {
    const steps = (script: NonNullable<Scenario['script']>): readonly string[] => {
      const { mission } = play({
        tasks: [{ task_id: 'T1', max_runtime_seconds: 60 }],
        world: { 'T1#1': { end: { reason: 'deadline', exit_code: null, signal: 'SIGTERM' } } },
        script,
      });
      return linesOf(missionView(mission, [], new Map(), true).blocks[0]);
    };
    const longer = 'mission packet revise M --task T1 --set max_runtime_seconds=120 --by NAME --reason TEXT';
    const again = 'mission retry M T1 --by NAME --reason TEXT';
    assert.deepEqual(steps([]).slice(0, 2), [longer, again]);
    const revise = { type: 'ReviseMetadata', task_id: 'T1', packet_id: null } as const;
    const revised = steps([{ at: 'idle', command: { ...revise, changes: { max_runtime_seconds: 90 } } }]);
    assert.ok(revised[0] === again && !revised.includes(longer), revised.join('\n'));
  });

  it('silence: the next attempt can be silent for longer, within its deadline; processes that are left: no time mends it', () => {
    const steps = (max_runtime_seconds: number, tree_gone = true, purpose?: 'verify'): readonly string[] => {
      const { mission } = play({
        tasks: [{ task_id: 'T1', timeout_seconds: 60, max_runtime_seconds, verify: [['a']] }],
        world: {
          'T1#1': purpose ? { verify_end: { tree_gone } } : { end: { tree_gone, survivors: tree_gone ? [] : [7] } },
        },
        script: [
          {
            at: { effect: 'awaitWorker', ...(purpose && { purpose }) },
            report: {
              type: 'WorkerWentSilent',
              ...{ launch_id: '', last_heartbeat_at: '2026-01-01T00:00:00.000Z', timeout_seconds: 60 },
              ...{ age_seconds: 61, found: 'its processes are alive and do nothing' },
            },
          },
        ],
      });
      const [block] = missionView(mission, [], new Map(), true).blocks;
      assert.equal(block?.category, 'task_timeout');
      return linesOf(block).filter((step) => step.startsWith('mission packet revise '));
    };
    const longer = (seconds: number): readonly string[] => [
      `mission packet revise M --task T1 --set timeout_seconds=${seconds} --by NAME --reason TEXT`,
    ];
    assert.deepEqual(steps(3600), longer(120));
    assert.deepEqual(steps(3600, true, 'verify'), longer(120));
    assert.deepEqual(steps(90), longer(90));
    assert.deepEqual(steps(60), []);
    assert.deepEqual(steps(3600, false), []);
  });

  it('nothing was changed and nothing verifies: it says that a retry ends the same way, and what ends it otherwise', () => {
    const ended = (worker: 'command' | 'codex'): BlockView => {
      const { mission } = play({ tasks: [{ task_id: 'T1', worker }], world: { 'T1#1': { changes: [] } } });
      return missionView(mission, [], new Map(), true).blocks[0]!;
    };
    const [command, agent] = [ended('command'), ended('codex')];
    assert.match(command.details.join('\n'), /^A retry runs the same command, so it blocks again unless/);
    assert.match(agent.details.join('\n'), /^A retry gives the agent the same task, so it may block again/);
    for (const { ways } of [command, agent]) {
      const again = ways.find(({ outcome }) => outcome === 'retry-repair');
      assert.match(again?.does ?? '', /It blocks again if it changes nothing\.$/);
    }
    const first = (block: BlockView): readonly string[] => linesOf(block).slice(0, 2);
    const retry = 'mission retry M T1 --by NAME --reason TEXT';
    assert.deepEqual(first(command), ['mission plan revise M', retry]);
    assert.equal(linesOf(command).filter((step) => step === 'mission plan revise M').length, 1);
    const note = 'mission packet revise M --task T1 --set note=TEXT --by NAME --reason TEXT';
    assert.deepEqual(first(agent), [note, retry]);
  });

  it('what each outcome does to it: a new attempt keeps the files that it changed', () => {
    const again = (changes: readonly string[], changed_at?: string): string | undefined => {
      const at = changed_at === undefined ? {} : { changed_at };
      const { mission } = play({
        tasks: [{ task_id: 'T1' }],
        world: { 'T1#1': { changes, ...at, end: { exit_code: 1 } } },
      });
      const [block] = missionView(mission, [], new Map(), true).blocks;
      return block?.ways.find(({ outcome }) => outcome === 'retry-repair')?.does;
    };
    assert.equal(again([]), 'Mend what made it fail first. A new attempt starts from the files as they are now.');
    assert.match(again(['src/T1/a.ts']) ?? '', /now; the file that changed in its approved paths stays\.$/);
    assert.match(
      again(['src/T1/a.ts', 'src/T1/b.ts']) ?? '',
      /now; the 2 files that changed in its approved paths stay\.$/,
    );
    // A clock that was set back or forward makes them the worker's no longer, and they are still there.
    for (const at of ['2020-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z'])
      assert.match(again(['src/T1/a.ts'], at) ?? '', /now; the file that changed in its approved paths stays\.$/, at);
    assert.match(again(['notes.md']) ?? '', /A new attempt starts from the files as they are now\.$/);
  });

  it('an attempt that a person ordered has one full stop after the reason, also where the reason has one', () => {
    const { mission, entries } = play({ tasks: [{ task_id: 'T1' }] });
    const started = entries.find(({ event }) => event.type === 'AttemptStarted');
    assert.ok(started?.event.type === 'AttemptStarted');
    for (const reason of ['It crashed', 'It crashed.', 'It crashed.\n']) {
      const decided_by = { actor: { kind: 'human', name: 'Ada' }, reason, at: '2026-01-01T00:00:00.000Z' } as const;
      const event = { ...started.event, decided_by };
      const { text } = eventLine({ ...started, event }, mission);
      assert.equal(text, 'Attempt 1 of T1 started, decided by Ada: It crashed.');
    }
  });

  it('how many files changed, and how many of these block it', () => {
    const seen = (changes: readonly string[], verify_changes: readonly string[]): readonly string[] => {
      const known = { 'README.md': 'tracked' } as const;
      const { mission, entries } = blocked({ world: { 'T1#1': { changes, verify_changes, known } } });
      const told = entries.map((entry) => eventLine(entry, mission));
      return told.flatMap(({ type, text }) => (type === 'ChangesObserved' || type === 'VerifyObserved' ? [text] : []));
    };
    assert.deepEqual(seen(['src/a', 'src/b'], []), [
      'After the worker: 2 changes.',
      'After the verify commands: nothing was changed.',
    ]);
    assert.deepEqual(seen([], ['src/coverage', 'README.md']), [
      'After the worker: nothing was changed.',
      'After the verify commands: 2 changes, 1 of which block the task.',
    ]);
    assert.deepEqual(seen(['src/a'], ['src/coverage']), [
      'After the worker: 1 change.',
      'After the verify commands: 1 change.',
    ]);
  });
});
