import assert from 'node:assert/strict';
import { plainlyReceived } from '../support/receivedPlan';
import { decide } from '../../src/core/mission/decide';
import { evolve, fold } from '../../src/core/mission/evolve';
import type { MissionEvent } from '../../src/core/model/events';
import type { CarriedTask } from '../../src/core/model/carried';
import type { InputBody } from '../../src/core/model/inputs';
import type { JournalEntry } from '../../src/core/model/journalEntry';
import { laneOf, laneOfLaunch } from '../../src/core/model/lanes';
import type { Attempt } from '../../src/core/model/attempt';
import { sessionOf, type Session } from '../../src/core/model/session';
import type { Mission } from '../../src/core/model/state';
import type { Actor } from '../../src/contracts/vocabulary/actors';
import { compilePolicy } from '../../src/core/policy/compile';
import type { EffectivePolicy } from '../../src/core/policy/policy';
import { shippedPolicy } from '../../src/core/policy/shipped';
import type { Plan } from '../../src/contracts/plan';
import { withMilestones } from '../../src/core/plan/milestones';
import type { ApprovedPlan } from '../../src/core/plan/approvedPlan';
import { tickOf } from './afterLimit';
import { dueOf, type Due } from './due';
import { assertOffered } from './offers';
import { assertFollowable } from './steps';
import type { MissionCommand } from '../../src/contracts/commands/missionCommand';
import { completedResult, rememberedNow } from './claims';
import { sessionAnswer } from './sessions';
import { answer, planSha256 } from './world';
import type { Situation, ScriptedAct } from './scenario';

const runner: Actor = { kind: 'runner', name: 'mission-control' };

/** Everything a played scenario leaves behind. */
export interface Played {
  readonly entries: readonly JournalEntry<MissionEvent>[];
  readonly mission: Mission;
}

/**
 * Plays a scenario against the pure core with a journal in memory. `crashAfter` lets the owner die after
 * that many appends: the state is folded anew from the journal and nothing but the journal is remembered.
 */
export function play(scenario: Situation, crashAfter?: number): Played {
  const entries: JournalEntry<MissionEvent>[] = [];
  let mission: Mission | null = null;
  let ticks = 0;
  let appends = 0;
  let answered = new Set<string>();
  const acts = [...(scenario.script ?? [])];
  const clock = (): string => new Date(Date.UTC(2026, 0, 1) + ticks++ * 1000).toISOString();

  const submit = (body: InputBody, actor: Actor): void => {
    const at = clock();
    const serial = String(ticks).padStart(4, '0');
    const events = decide(mission, {
      at,
      actor,
      fresh: { launch_id: `launch-${serial}`, session_id: `session-${serial}`, nonce: serial.padStart(32, '0') },
      body,
    });
    if (events.length === 0) return;
    for (const event of events) {
      const seq = entries.length + 1;
      const entry = {
        stream: 'M',
        seq,
        run_id: 'run',
        at,
        actor,
        fence: 1,
        event,
        prev_hash: hashOf(seq - 1),
        hash: hashOf(seq),
      };
      entries.push(entry);
      mission = evolve(mission, entry);
    }
    appends += 1;
    if (appends === crashAfter) {
      mission = fold(entries);
      answered = new Set();
      submit({ type: 'OwnerStarted' }, runner);
    }
  };

  submit(
    {
      type: 'PlanReceived',
      mission_id: 'M',
      plan: planOf(scenario),
      plan_path: 'docs/plans/PLAN_P.json',
      plan_sha256: planSha256,
      ...plainlyReceived,
      policy: policyOf(scenario),
      orchestrator: scenario.orchestrator ?? null,
      carried: carriedOf(scenario),
      tool_version: '0',
    },
    runner,
  );
  for (let step = 0; step < Math.max(2000, scenario.tasks.length * 20); step++) {
    const state = mission as Mission | null;
    if (!state) throw new Error('The mission was never received.');
    const effect = nextEffect(
      dueOf(state).filter((candidate) => !answered.has(candidate.key)),
      state,
      scenario.slow ?? [],
    );
    const act = acts[0];
    const others = dueOf(state).length > 1;
    if (act && isMoment(act, effect ?? null, state) && !(act.late === true && others)) {
      acts.shift();
      perform(act, state, submit, () => mission as Mission, scenario);
      continue;
    }
    if (!effect) {
      assert.equal(acts.length, 0, `never came to: ${JSON.stringify(acts[0])}`);
      return { entries, mission: state };
    }
    answered.add(effect.key);
    if (effect.kind === 'awaitTime') ticks = Math.max(ticks, tickOf(effect.at));
    const lane = laneOfEffect(effect, state);
    const session = sessionAnswer(effect, state, scenario.sessions?.[state.sessions.length - 1] ?? {}, clock);
    if (session !== undefined) {
      if (session) submit(session, runner);
      continue;
    }
    const unit = lane ? `${lane.task_id}#${lane.attempt}` : lastAttempt(state, effect);
    const report = answer(effect, state, lane, { ...scenario.world?.[unit], file_system: scenario.file_system }, clock);
    if (report) submit(report, runner);
  }
  throw new Error('The scenario does not come to rest.');
}

/** A text as long as a hash of a journal, and plain to read. */
function hashOf(seq: number): string {
  return String(seq).padStart(64, '0');
}

/** The world is quick with everything but what slow tasks wait for: those come last, in their order. */
function nextEffect(pending: readonly Due[], mission: Mission, slow: readonly string[]): Due | undefined {
  const wait = (effect: Due): number => {
    const task = laneOfEffect(effect, mission)?.task_id ?? '';
    return slow.indexOf(effect.kind === 'awaitWorker' ? task : `${effect.kind} ${task}`);
  };
  return [...pending].sort((left, right) => wait(left) - wait(right))[0];
}

/** The live attempt that an effect is about. */
function laneOfEffect(effect: Due, mission: Mission): Attempt | undefined {
  if ('launch_id' in effect) return laneOfLaunch(mission, effect.launch_id)?.lane;
  return 'task_id' in effect ? laneOf(mission, effect.task_id) : undefined;
}

/** The orchestrator's session that an effect is about. */
function sessionOfEffect(effect: Due, mission: Mission): Session | undefined {
  return 'launch_id' in effect ? sessionOf(mission, effect.launch_id) : undefined;
}

/** The ended attempt that an effect without a live attempt is about. */
function lastAttempt(mission: Mission, effect: Due): string {
  if (!('task_id' in effect)) return '';
  const attempts = mission.rows.find((row) => row.task.task_id === effect.task_id)?.attempts ?? [];
  return `${effect.task_id}#${attempts.length}`;
}

function isMoment(act: ScriptedAct, effect: Due | null, mission: Mission): boolean {
  if (act.at === 'idle') return effect === null;
  const lane = effect ? laneOfEffect(effect, mission) : undefined;
  return (
    effect?.kind === act.at.effect &&
    (act.at.task === undefined || (lane ?? sessionOfEffect(effect, mission))?.task_id === act.at.task) &&
    (act.at.attempt === undefined || lane?.attempt === act.at.attempt) &&
    (act.at.purpose === undefined || lane?.launches.at(-1)?.purpose.kind === act.at.purpose)
  );
}

function perform(
  act: ScriptedAct,
  mission: Mission,
  submit: (body: InputBody, actor: Actor) => void,
  now: () => Mission,
  { world = {} }: Situation,
): void {
  if (act.report) {
    const lane = laneOf(mission, act.at === 'idle' ? '' : (act.at.task ?? '')) ?? mission.lanes[0];
    const launch = lane?.launches.at(-1)?.launch_id ?? '';
    const session = mission.sessions.at(-1);
    const launch_id = act.report.type.startsWith('Orchestrator') ? (session?.launch.launch_id ?? '') : launch;
    submit({ ...act.report, ...('launch_id' in act.report ? { launch_id } : {}) }, runner);
    if (act.report.type === 'OrchestratorHasAsked')
      assert.equal(now().sessions.at(-1)?.requests.at(-1)?.code, act.answer ?? 'OK', JSON.stringify(act.report.ask));
    return;
  }
  if (!act.command) throw new Error('An act is a command or a report.');
  const command_id = `command-${mission.last_seq}`;
  const packet = mission.packets.at(-1)?.packet_id ?? '';
  const command =
    'packet_id' in act.command && act.command.packet_id === 'last'
      ? { ...act.command, packet_id: packet }
      : act.command;
  const body: InputBody = {
    type: 'Command',
    command_id,
    command,
    reason: act.reason ?? 'because',
    expected_seq: act.expected_seq ?? null,
    from_worker: act.from_worker ?? false,
    identified: act.identified ?? true,
    owner_was_absent: act.owner_was_absent ?? false,
    active_elsewhere: act.active_elsewhere ?? null,
    workspace_dir: '/ws',
    revision: act.revision ?? { approved: true, ran: [] },
    ...(act.plan && { plan: { observed: null, explanation: 'The file is gone.' } }),
    ...remembering(mission, command, world),
    ...(command.type === 'CompleteIntervention' && {
      completed: completedResult(
        mission,
        command.task_id,
        world[`${command.task_id}#${laneOf(mission, command.task_id)?.attempt ?? 0}`] ?? {},
      ),
    }),
  };
  const actor: Actor = { kind: act.by ?? 'human', name: act.name ?? 'ada' };
  submit(body, actor);
  assert.equal(
    now().answers[command_id]?.code,
    act.answer ?? 'OK',
    `answer to ${command.type}: ${now().answers[command_id]?.reason ?? 'none'}`,
  );
  const plain = [
    act.plan,
    act.from_worker,
    act.identified,
    act.active_elsewhere,
    act.by,
    act.name,
    act.reason,
    act.expected_seq,
  ];
  if (plain.every((given) => given === undefined))
    assertOffered(mission, command, body.owner_was_absent, now().answers[command_id]?.code ?? 'none');
  const { next = [] } = now().answers[command_id] ?? {};
  if (act.next) assert.deepEqual(next, act.next, `steps after ${command.type}`);
  assertFollowable(next, now(), (followed) => {
    const { plan: _gone, ...there } = body;
    const again: InputBody = {
      ...there,
      command_id: 'followed',
      command: followed,
      expected_seq: null,
      completed: completedResult(now(), 'task_id' in followed ? (followed.task_id ?? '') : '', {}),
      ...remembering(now(), followed, world),
    };
    const input = { at: now().last_at, actor: { kind: 'human', name: 'ada' }, fresh: followingFresh } as const;
    const [first] = decide(now(), {
      ...input,
      body: { ...again, reason: 'because', from_worker: false, identified: true },
    });
    return first?.type === 'CommandRefused' ? `${first.code} ${first.reason}` : null;
  });
  // The same command again has no second effect.
  const before = now().last_seq;
  submit(body, actor);
  assert.equal(now().last_seq, before, 'a repeated command id changed something');
}

/** What is remembered when a person decides about it. */
function remembering(
  mission: Mission,
  command: MissionCommand,
  world: NonNullable<Situation['world']>,
): Pick<Extract<InputBody, { type: 'Command' }>, 'remembered'> {
  if (command.type !== 'ConfirmMemory') return {};
  const attempt = laneOf(mission, command.task_id)?.attempt ?? 0;
  return { remembered: { ok: true, value: rememberedNow(mission, world[`${command.task_id}#${attempt}`] ?? {}) } };
}

const followingFresh = { launch_id: 'followed', session_id: 'followed', nonce: '0'.repeat(32) };

/** What is shipped, where the scenario says nothing. */
function policyOf({ policy }: Situation): EffectivePolicy {
  const compiled = compilePolicy(shippedPolicy, { schema_version: '1.0.0', ...policy });
  assert.ok(compiled.ok, JSON.stringify(compiled));
  return { policy: compiled.policy, sha256: 'D'.repeat(64), sources: [{ kind: 'shipped', path: null }] };
}

/** What the engine found of the tasks that the plan carries over. */
function carriedOf({ tasks }: Situation): readonly CarriedTask[] {
  return tasks.flatMap(({ task_id, carried_from: from }) =>
    from
      ? [{ task_id, from, outputs: [{ path: 'src/kept', at: '2025-12-31T00:00:00.000Z', sha256: 'C'.repeat(64) }] }]
      : [],
  );
}

function planOf(scenario: Situation): ApprovedPlan {
  return {
    plan_id: 'P',
    goal_id: 'G',
    risk_level: 1,
    scope_allowed: ['edit'],
    scope_forbidden: [],
    ...withMilestones(
      { milestones: scenario.milestones, tasks: scenario.tasks as unknown as Plan['tasks'] },
      scenario.tasks.map((task) => ({
        description: `task ${task.task_id}`,
        worker: 'command',
        command: ['true'],
        model: null,
        tier: null,
        intent: null,
        intent_from: 'declared' as const,
        prompt: null,
        requires: [],
        depends_on: [],
        paths: ['src'],
        forbidden_paths: [],
        acceptance_criteria: [],
        verify: [],
        timeout_seconds: 1200,
        heartbeat_interval_seconds: 30,
        max_runtime_seconds: 3600,
        priority: 'normal',
        writes: true,
        ...task,
      })),
    ),
    mode: scenario.max_parallel === undefined ? 'sequential' : 'parallel',
    max_parallel: scenario.max_parallel ?? 1,
    on_block: scenario.on_block ?? 'recover',
    environment: scenario.environment ?? null,
    env_names: [],
    constraints: [],
    confinement: null,
    network: false,
    agent_network: null,
    scratch: scenario.scratch ?? [],
    folders: [],
    limits: { processes: 2048, memory_mb: 16_384, file_mb: 16_384 },
    recovery_allow: scenario.recovery_allow ?? [],
    recovery_directories: scenario.recovery_directories ?? [],
    ...((scenario.landing ?? scenario.layers) && { layers: 'all' as const }),
    ...(scenario.landing && { landing: scenario.landing }),
    ...(scenario.after_limit && { after_limit: scenario.after_limit }),
    success_criteria: scenario.success_criteria ?? [
      'validator_passes',
      'no_scope_violation',
      'deterministic_execution',
    ],
    budget: { tokens: null, usd: null, on_exceed: 'pause', ...scenario.budget },
    supersedes: scenario.tasks.find(({ carried_from }) => carried_from)?.carried_from?.plan_id ?? null,
    approved_by: 'ada',
    approved_at: '2026-01-01T00:00:00Z',
  };
}
