import assert from 'node:assert/strict';
import { plainlyReceived } from '../support/receivedPlan';
import type { Actor } from '../../src/contracts/vocabulary/actors';
import { isOpen } from '../../src/core/ledger/transitions';
import { decide } from '../../src/core/mission/decide';
import { motionOf, pendingEffects } from '../../src/core/mission/effects';
import { askingPacket } from '../../src/core/mission/questions/questions';
import type { MissionEvent } from '../../src/core/model/events';
import { evolve, fold } from '../../src/core/mission/evolve';
import type { InputBody } from '../../src/core/model/inputs';
import type { MissionCommand } from '../../src/contracts/commands/missionCommand';
import type { JournalEntry } from '../../src/core/model/journalEntry';
import { laneLimit, laneOf, laneOfLaunch, waitsForPlan, waitsInAttempt } from '../../src/core/model/lanes';
import { liveSession } from '../../src/core/model/session';
import { rowOf, type Mission } from '../../src/core/model/state';
import { missionStatus } from '../../src/core/mission/status';
import { overlaps } from '../../src/core/paths/compare';
import { dice, type Dice } from '../support/dice';
import { tickOf } from './afterLimit';
import { dueOf, type Due } from './due';
import { assertAudited } from './audit';
import {
  drawAsk,
  drawCommand,
  drawLanding,
  drawNews,
  drawOutcome,
  drawPlan,
  drawSession,
  drawValidation,
} from './draws';
import { assertOffered } from './offers';
import { waitsInLayer } from '../../src/core/confinement/boundary';
import { assertMayLand, landedWrongly } from './landing';
import type { AttemptScript, SessionScript } from './scenario';
import { sessionAnswer } from './sessions';
import { completedResult, rememberedNow } from './claims';
import { answer, planSha256 } from './world';

// No list of cases holds every interleaving: plans, outcomes, people and crashes are drawn here, and after every append what
// must always hold is looked at. A failure names its seed; the same seed plays the same mission.

const whole = { task_id: null, packet_id: null, asked: null } as const;
const runner: Actor = { kind: 'runner', name: 'mission-control' };
const human: Actor = { kind: 'human', name: 'ada' };

function acceptanceIn(mission: Mission): MissionCommand {
  const [packet] = mission.rows.flatMap(({ task }) => askingPacket(mission, task.task_id) ?? []);
  return { type: 'AnswerQuestion', ...whole, packet_id: packet?.packet_id ?? null, choice: 'accept', text: null };
}

/** Plays until nothing is under way, people included; then a person cancels what is still open. */
export function explore(seed: number, landing?: 'verified' | 'accepted'): readonly JournalEntry<MissionEvent>[] {
  const random = dice(seed);
  const held = landing && ({ confined: true, landing: 'lands' } as const);
  const layers = landing && { layers: 'all' as const, ...(landing === 'accepted' && { landing }) };
  const world = new World({ ...drawPlan(random, landing !== undefined), ...layers }, random.chance(0.4));
  for (let step = 0; step < 150 && world.mission.execution !== 'REPORTED'; step += 1) {
    const effects = world.waiting();
    if (landing === 'accepted' && effects.length === 0 && random.chance(0.5))
      world.command(acceptanceIn(world.mission));
    else if (random.chance(effects.length === 0 ? 0.9 : 0.08)) world.command(drawCommand(random, world.mission));
    else if (random.chance(0.04)) world.crash();
    else if (random.chance(0.08)) world.tell(drawNews(random, world.mission));
    else if (random.chance(0.15)) world.tellAgain(random, 1);
    else if (liveSession(world.mission) && random.chance(0.3)) world.tell(drawAsk(random, world.mission));
    else if (effects.length > 0) {
      const effect = random.one(effects);
      const outcome = {
        ...drawOutcome(random, world.mission),
        ...(world.validates(effect) ? drawValidation(random) : held && drawLanding(random)),
      };
      world.carryOut(effect, outcome, drawSession(random));
    }
  }
  world.tellAgain(random, 5);
  for (let round = 0; round < 3 && world.mission.execution !== 'REPORTED'; round += 1) {
    world.command({ type: 'CancelMission' });
    for (let [effect] = world.waiting(); effect; [effect] = world.waiting()) world.carryOut(effect, { ...held });
  }
  assert.equal(world.mission.execution, 'REPORTED', 'a cancelled mission ends');
  world.endedFor(random);
  assert.deepEqual(fold(world.entries), world.mission, 'the state is the fold of the journal');
  assertAudited(world.entries);
  assert.deepEqual(landedWrongly(world.entries, world.mission), []);
  return world.entries;
}

/** A mission with its journal in memory; every append is looked at. */
class World {
  readonly entries: JournalEntry<MissionEvent>[] = [];
  #mission: Mission | null = null;
  #ticks = 0;
  #answered = new Set<string>();
  readonly #told: InputBody[] = [];

  constructor(plan: Mission['plan'], orchestrated: boolean) {
    const approved = {
      plan,
      plan_path: 'docs/plans/PLAN_P.json',
      plan_sha256: planSha256,
    } as const;
    const orchestrator = orchestrated ? ({ worker: 'claude', model: null } as const) : null;
    this.#submit(
      { type: 'PlanReceived', mission_id: 'M', ...plainlyReceived, ...approved, orchestrator, tool_version: '0' },
      runner,
    );
  }

  get mission(): Mission {
    assert.ok(this.#mission);
    return this.#mission;
  }

  /** What was asked of the world and has no answer yet. */
  waiting(): readonly Due[] {
    return dueOf(this.mission).filter(({ key }) => !this.#answered.has(key));
  }

  /** Returns whether the effect is about a unit that validates a milestone. */
  validates(effect: Due): boolean {
    const task_id =
      'launch_id' in effect
        ? laneOfLaunch(this.mission, effect.launch_id)?.lane.task_id
        : 'task_id' in effect
          ? effect.task_id
          : undefined;
    return task_id !== undefined && rowOf(this.mission, task_id).task.validator !== undefined;
  }

  carryOut(effect: Due, script: AttemptScript, session: SessionScript = {}): void {
    this.#answered.add(effect.key);
    if (effect.kind === 'awaitTime') this.#ticks = Math.max(this.#ticks, tickOf(effect.at));
    const lane =
      'launch_id' in effect
        ? laneOfLaunch(this.mission, effect.launch_id)?.lane
        : laneOf(this.mission, 'task_id' in effect ? effect.task_id : '');
    const told = sessionAnswer(effect, this.mission, session, () => this.#clock());
    const report = told === undefined ? answer(effect, this.mission, lane, script, () => this.#clock()) : told;
    if (!report) return;
    this.#submit(report, runner);
    this.#told.push(report);
    // Doubled, it has no second effect.
    const before = this.entries.length;
    this.#submit(report, runner);
    assert.equal(this.entries.length, before, `${report.type} counted twice`);
  }

  command(command: MissionCommand): void {
    const details = { from_worker: false, identified: true, owner_was_absent: false, active_elsewhere: null };
    const before = this.mission;
    const completed = completedResult(before, 'task_id' in command ? (command.task_id ?? '') : '', {});
    const remembered = { ok: true, value: rememberedNow(before, {}) } as const;
    const command_id = `command-${before.last_seq}`;
    this.#submit(
      {
        type: 'Command',
        command_id,
        command,
        reason: 'because',
        expected_seq: null,
        completed,
        remembered,
        revision: { approved: true, ran: [] },
        ...details,
      },
      human,
    );
    assertOffered(before, command, false, this.mission.answers[command_id]?.code ?? 'none');
  }

  tell(news: InputBody | null): void {
    if (news) this.#submit(news, runner);
  }

  /** An earlier report comes once more, late, unasked, or about another attempt, task or launch. */
  tellAgain(random: Dice, times: number): void {
    for (let time = 0; time < times && this.#told.length > 0; time += 1)
      this.#submit(about(random, random.one(this.#told), this.mission), runner);
  }

  /** No report moves a mission that has ended, whatever it is about. */
  endedFor(random: Dice): void {
    const before = this.entries.length;
    for (const report of [...this.#told]) {
      this.#submit(report, runner);
      this.#submit(about(random, report, this.mission), runner);
    }
    assert.equal(this.entries.length, before, 'something happens after the end');
  }

  /** The owner dies, and the next one knows nothing but the journal. */
  crash(): void {
    this.#mission = fold(this.entries);
    this.#answered = new Set();
    this.#submit({ type: 'OwnerStarted' }, runner);
  }

  #clock(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.#ticks++ * 1000).toISOString();
  }

  #submit(body: InputBody, actor: Actor): void {
    const at = this.#clock();
    const serial = String(this.#ticks).padStart(32, '0');
    const fresh = { launch_id: `launch-${serial}`, session_id: `session-${serial}`, nonce: serial };
    for (const event of decide(this.#mission, { at, actor, fresh, body })) {
      const seq = this.entries.length + 1;
      const chain = { prev_hash: String(seq - 1), hash: String(seq) };
      const entry = { stream: 'M', seq, run_id: 'run', at, actor, fence: 1, event, ...chain };
      if (this.#mission) mayHappen(event, this.#mission);
      this.#mission = evolve(this.#mission, entry);
      this.entries.push(entry);
    }
    alwaysHolds(this.mission);
  }
}

/** The same report, as likely as not about another attempt, task or launch. */
function about(random: Dice, report: InputBody, mission: Mission): InputBody {
  const launches = [...mission.lanes, ...mission.rows.flatMap(({ attempts }) => attempts)].flatMap(
    (one) => one.launches,
  );
  return {
    ...report,
    ...('attempt' in report && random.chance(0.5) && { attempt: random.below(4) }),
    ...('task_id' in report && random.chance(0.3) && { task_id: random.one(mission.rows).task.task_id }),
    ...('launch_id' in report &&
      launches.length > 0 &&
      random.chance(0.3) && { launch_id: random.one(launches).launch_id }),
  };
}

/** What must be true before something is started. */
function mayHappen(event: MissionEvent, mission: Mission): void {
  if (event.type === 'OrchestratorDispatched') {
    const packet = mission.packets.find(({ packet_id }) => packet_id === event.packet_id);
    assert.deepEqual([packet?.state.kind, packet?.question], ['open', null], 'a session about nothing');
    assert.equal(mission.cancel ?? mission.moved, null, 'a session in a mission that ends');
    assert.equal(mission.hold.kind, 'none', 'a session during a pause');
  }
  if (event.type === 'PacketResolved' && event.decision.actor.kind === 'orchestrator') {
    const last = mission.sessions.at(-1);
    assert.deepEqual([last?.result?.kind, last?.packet_id], ['applied', event.packet_id], 'nobody decided that');
  }
  if (event.type === 'PacketResolved' && event.decision.actor.kind === 'runner') {
    assert.equal(mission.plan.after_limit, 'resume', 'the runner decides what no plan allows');
    assert.equal(mission.cancel ?? mission.moved, null, 'a task goes on in a mission that ends');
    assert.equal(mission.hold.kind, 'none', 'a task goes on during a pause');
  }
  if (event.type === 'LandingRequested') assertMayLand(mission, event);
  if (event.type !== 'AttemptStarted') return;
  const { task_id, decided_by } = event;
  const others = mission.rows.filter((row) => row.task.task_id !== task_id);
  const row = rowOf(mission, task_id);
  assert.equal(mission.cancel ?? mission.moved, null, `${task_id} starts in a mission that ends`);
  assert.equal(mission.hold.kind, 'none', `${task_id} starts during a pause`);
  assert.ok(
    !mission.rows.some(({ status, unproven }) => status === 'failed' || unproven),
    `${task_id} starts past a failure`,
  );
  assert.ok(!mission.rows.some(({ undoing }) => undoing), `${task_id} starts during an undo`);
  for (const lane of mission.lanes)
    assert.equal(
      lane.stop_requested ?? lane.timed_out ?? lane.scope_breach,
      null,
      `${task_id} starts beside one given up`,
    );
  // A milestone is validated again when its files have changed.
  if (event.because === undefined)
    assert.equal(row.attempts.length === 0, decided_by === null, `${task_id} starts again, and nobody chose that`);
  if (decided_by) return;
  assert.ok(!others.some(({ status, retry }) => status === 'blocked' && !retry), `${task_id} starts past a block`);
  for (const id of row.task.depends_on)
    assert.equal(rowOf(mission, id).status, 'done', `${task_id} starts before ${id} is done`);
}

function alwaysHolds(mission: Mission): void {
  const { rows, lanes } = mission;
  const status = missionStatus(mission);
  assert.ok(lanes.length <= laneLimit(mission), 'more lanes than the plan allows');
  for (const { task, status: row, lock, unproven } of rows) {
    assert.equal(laneOf(mission, task.task_id) !== undefined, row === 'in_progress', `${task.task_id} is ${row}`);
    if (row === 'in_progress' || unproven) assert.equal(lock, 'held', `${task.task_id} may write without a lock`);
    else assert.notEqual(lock, 'held', `the lock of ${task.task_id} outlives its attempt`);
  }
  const held = rows
    .filter(({ lock }) => lock === 'held')
    .flatMap((row) => row.task.paths.map((path) => ({ row, task: row.task, path })));
  for (const left of held)
    for (const right of held)
      assert.ok(
        left.task === right.task ||
          !overlaps(left.path, right.path) ||
          [left, right].every(({ row }) => waitsInLayer(mission, row, false)),
        `${left.path} and ${right.path} are held`,
      );
  for (const { phases, task_id, memory, outcome: ended } of rows.flatMap(({ attempts }) => attempts))
    assert.deepEqual(
      phases.slice(-3).map(({ phase, outcome }) => [phase, outcome]),
      [8, 9, 10].map((phase) => [phase, phase === 9 && memory ? ended : 'PASS']),
      `an attempt of ${task_id} has ended unsealed`,
    );
  // The contract's order in other words than the table of the driver.
  for (const { phases, task_id } of [...rows.flatMap(({ attempts }) => attempts), ...lanes])
    assert.match(
      phases.map(({ phase, outcome }) => `${phase}${outcome === 'PASS' ? '' : '!'}`).join(' '),
      /^(0( 1( 2( 2a)?( 3( 4( 5( 6(! 7( 6)?)?)?)?)?)?)?)?)?!?( 8( 9!?( 10)?)?)?$/,
      `an attempt of ${task_id} skips a phase`,
    );
  assert.ok(lanes.length === 0 || !liveSession(mission), 'a session beside a lane');
  for (const { packet_id } of mission.packets)
    assert.ok(mission.sessions.filter((one) => one.packet_id === packet_id).length < 2, 'two sessions for one packet');
  const attempts = [...rows.flatMap((row) => row.attempts), ...lanes].flatMap(({ launches }) => launches);
  const runs = [...attempts, ...mission.sessions.map(({ launch }) => launch)];
  assert.equal(new Set(runs.map(({ run_dir }) => run_dir)).size, runs.length, 'two launches share a run directory');
  const effects = pendingEffects(mission).map(({ kind }) => kind);
  if (effects.includes('takeBaseline') || effects.includes('observeChanges'))
    assert.ok(!effects.includes('writeTaskEvidence'), 'evidence is written while a lane looks at the repository');
  if (effects.includes('writeHandoff'))
    assert.ok(
      rows.every((row) => isOpen(row.status) || row.evidence),
      'a handoff is written without the evidence of what has ended',
    );
  if (motionOf(mission) !== 'rests') return;
  if (status === 'paused' || status === 'blocked')
    assert.ok(
      lanes.every((lane) => waitsInAttempt(lane) || waitsForPlan(lane)),
      'a lane waits for nothing',
    );
  else assert.equal(mission.execution, 'REPORTED', `stuck: ${status}, and nothing is under way`);
  if (mission.execution === 'REPORTED')
    assert.ok(
      rows.every(({ evidence }) => evidence),
      'ended without evidence',
    );
}
