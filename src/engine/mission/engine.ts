import { errorWords, type Refusal } from '../../base/outcome';
import { runner, type Actor } from '../../contracts/vocabulary/actors';
import { decide } from '../../core/mission/decide';
import {
  motionOf,
  natures,
  pendingEffects,
  type Effect,
  effectInTrouble,
  ownMistake,
} from '../../core/mission/effects';
import { fold } from '../../core/mission/evolve';
import { phaseWords } from '../../core/lifecycle/phases';
import type { Command, Input, InputBody, Report } from '../../core/model/inputs';
import type { MissionCommand } from '../../contracts/commands/missionCommand';
import type { MissionEvent } from '../../core/model/events';
import { waitsNow } from '../../core/mission/resolve/waits';
import type { RecoveryFacts } from '../../core/model/facts';
import type { Mission } from '../../core/model/state';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import type { EngineOptions, EnginePorts } from '../ports/engine';
import { runEffect, type EffectResult } from '../effects/runEffect';
import { stopLiveLaunches } from '../effects/watch/stopWorker';
import { Alarms } from './alarms';
import { EngineListeners, type EngineListener, type Halt } from './listeners';
import { MissedStops } from './missedStop';
import { proposer } from './revise';
import { lookAtTasks } from './ownerRecovery';

/** One input at a time, effects beside it. None starts before the events that request it are durable. */
export class MissionEngine {
  #mission: Mission | null = null;
  #halt: Halt | null = null;
  /** Workers are asked to stop after a halt. The owner waits, because its exit would leave them running. */
  #stopping = false;
  #detached = false;
  /** Effects run only while this is true: a loaded mission can be viewed and commanded before it continues. */
  #active: boolean;
  /** This owner has journalled what it found. */
  #recovered = false;
  #queue: Promise<void> = Promise.resolve();
  readonly #started = new Set<string>();
  #running = 0;
  readonly #stops: MissedStops;
  readonly #alarms: Alarms;
  readonly #listeners = new EngineListeners();
  readonly #settled = new Set<() => void>();

  private constructor(
    readonly missionId: string,
    private readonly ports: EnginePorts,
    private readonly options: EngineOptions,
    active: boolean,
  ) {
    this.#active = active;
    this.#stops = new MissedStops(ports);
    this.#alarms = new Alarms(ports.timers, (wait) => void this.#ring(wait));
  }

  static create(missionId: string, ports: EnginePorts, options: EngineOptions): MissionEngine {
    return new MissionEngine(missionId, ports, options, true);
  }

  /** A mission of the journal, taken over by a new owner. No effect runs until `resume` is called. */
  static async load(missionId: string, ports: EnginePorts, options: EngineOptions): Promise<MissionEngine> {
    const engine = new MissionEngine(missionId, ports, options, false);
    for await (const page of ports.journal.pages(missionId, { verified: true })) {
      engine.#mission = fold(page, engine.#mission);
      engine.#stops.journalled(page);
    }
    return engine;
  }

  get mission(): Mission | null {
    return this.#mission;
  }

  get halt(): Halt | null {
    return this.#halt;
  }

  /** Nothing is under way; see `settled`. */
  get isSettled(): boolean {
    return (
      this.#detached ||
      !this.#active ||
      (this.#halt !== null && !this.#stopping) ||
      (this.#running === 0 && this.#mission !== null && motionOf(this.#mission) === 'rests')
    );
  }

  /** Nothing would stay undone if its owner left now. */
  get mayLeave(): boolean {
    return this.isSettled || (this.#mission !== null && motionOf(this.#mission) !== 'works');
  }

  listen(listener: EngineListener): { dispose(): void } {
    return this.#listeners.add(listener);
  }

  /** Reconciles, judges the tasks in progress, journals one recovery event; then runs effects without outcome. */
  async resume(): Promise<void> {
    const recovery = await this.#lookAround();
    const turn = this.#queue.then(async () => {
      this.#active = true;
      if (!this.#recovered) await this.#safeStep({ type: 'OwnerStarted', recovery }, runner);
      else if (this.#mission && !this.#halt && !this.#detached) this.#startEffects(this.#mission);
      this.#notifySettled();
    });
    this.#queue = turn;
    await turn;
  }

  /** Returns what there is before this owner acts; null once the mission was recovered. */
  async #lookAround(): Promise<RecoveryFacts | null> {
    return this.#recovered || !this.#mission ? null : lookAtTasks(this.#mission, this.ports, this.options);
  }

  /** Runs pending effects of one kind only; the mission does not continue. */
  async carryOut(kind: Effect['kind']): Promise<void> {
    if (this.#active || !this.#mission) return;
    for (const effect of pendingEffects(this.#mission)) {
      if (effect.kind !== kind) continue;
      this.#running += 1;
      await this.#perform(effect, this.#mission);
    }
  }

  /** Tries a failed effect again, and nothing else. Null: none has failed, or it succeeded now. */
  async tryAgain(): Promise<Refusal | null> {
    const failed = this.#mission && !this.#active ? effectInTrouble(this.#mission) : null;
    return failed && this.#try(failed, natures[failed.kind] === 'writes');
  }

  async #try(effect: Effect, counts: boolean): Promise<Refusal | null> {
    const mission = this.#mission;
    if (!mission) return null;
    const result = await this.#run(effect, mission);
    if (!result.ok) {
      await this.#recordFailure(effect, result.refusal);
      return result.refusal;
    }
    const { report } = result;
    if (!report || !counts) return null;
    await this.submit(report, runner);
    // `writeHeader` first reports earlier evidence; the effect that archives it may fail as well.
    if (report.type !== 'EarlierEvidenceWasFound') return null;
    const next = pendingEffects(this.#mission ?? mission).find(
      ({ kind, key }) => kind === effect.kind && key !== effect.key,
    );
    return next ? this.#try(next, counts) : null;
  }

  #run(effect: Effect, mission: Mission): Promise<EffectResult> {
    const now = (): Mission => this.#mission ?? mission;
    const tell = async (early: Report): Promise<Mission> => {
      await this.submit(early, runner);
      return now();
    };
    const reporting = { tell, now, propose: proposer(now, this.ports) };
    return runEffect({ effect, mission, ports: this.ports, options: this.options, reporting });
  }

  /** Handles one input completely: durable, folded, effects started. */
  submit(body: InputBody, actor: Actor): Promise<void> {
    const turn = this.#queue.then(() => this.#safeStep(body, actor));
    this.#queue = turn;
    return turn;
  }

  async command(
    id: string,
    command: MissionCommand,
    actor: Actor,
    details: Omit<Command, 'type' | 'command_id' | 'command'>,
  ): Promise<CommandAnswer> {
    const recovery = this.#active ? null : await this.#lookAround();
    await this.submit({ type: 'Command', command_id: id, command, ...details, recovery }, actor);
    const answer = this.#mission?.answers[id];
    if (answer) return answer;
    return {
      accepted: false,
      code: this.#halt?.code ?? 'WRITE_FAILED',
      reason: this.#halt?.reason ?? 'The command could not be recorded.',
      next: ['mission doctor'],
    };
  }

  /** Resolves when nothing is under way: ended, blocked, paused, halted or detached. */
  settled(): Promise<void> {
    if (this.isSettled) return Promise.resolve();
    return new Promise((resolve) => this.#settled.add(resolve));
  }

  /** Stops working without touching the workers: they run on, and the next owner attaches. */
  detach(): void {
    this.#detached = true;
    this.#alarms.drop();
    this.#notifySettled();
  }

  /** Never rejects: a failed step must not prevent later ones. */
  async #safeStep(body: InputBody, actor: Actor): Promise<void> {
    try {
      const mission = this.#halt || this.#detached ? null : this.#mission;
      const missed = mission && (await this.#stops.pauseBefore(mission, this.#input(body, actor)));
      if (missed) await this.#step(missed.body, missed.actor);
      await this.#step(body, actor);
    } catch (error) {
      const reason = errorWords(error);
      await this.#recordMistake(reason);
      this.#stopWorking('INVARIANT_BROKEN', reason);
    }
  }

  /**
   * Journals the mistake, because other processes then know why the mission stopped. If the journal refuses, only this
   * process knows.
   */
  async #recordMistake(reason: string): Promise<void> {
    const mission = this.#mission;
    if (!mission || this.#halt || this.#detached) return;
    const { clock, journal } = this.ports;
    const event: MissionEvent = {
      ...{ type: 'EffectFailed', effect: ownMistake, code: 'EFFECT_FAILED' },
      reason: `A mistake of ours: ${reason}.`,
      next: [`mission journal export ${this.missionId}`],
    };
    const entry = { run_id: mission.run_id, at: clock.now(), actor: runner, event };
    try {
      const appended = await journal.append(this.missionId, mission.last_seq, this.options.fence, [entry]);
      if (!appended.ok) return;
      const after = fold(appended.entries, mission);
      this.#mission = after;
      if (after) this.#listeners.tell((listener) => listener.onEntries?.(after, appended.entries));
    } catch {
      // The halt that follows says the same.
    }
  }

  #input(body: InputBody, actor: Actor): Input {
    const { clock, ids } = this.ports;
    return {
      at: clock.now(),
      actor,
      fresh: { launch_id: ids.uuid(), session_id: ids.uuid(), nonce: ids.hex(32) },
      body,
    };
  }

  async #step(body: InputBody, actor: Actor): Promise<void> {
    if (this.#halt || this.#detached) return;
    const { ids, journal } = this.ports;
    const input = this.#input(body, actor);
    const events: readonly MissionEvent[] = decide(this.#mission, input, journal.stored);
    if (events.length === 0) return;
    // A run that began elsewhere keeps its id.
    const handedOver = body.type === 'PlanReceived' ? body.handoff?.source.run_id : undefined;
    const runId = this.#mission?.run_id ?? handedOver ?? ids.uuid();
    const appended = await journal.append(
      this.missionId,
      this.#mission?.last_seq ?? 0,
      this.options.fence,
      events.map((event) => ({ run_id: runId, at: input.at, actor, event })),
    );
    if (!appended.ok) {
      this.#stopWorking(appended.code, appended.reason);
      return;
    }
    const [first] = appended.entries;
    if (this.#mission && first && first.prev_hash !== this.#mission.last_hash) {
      this.#stopWorking('STALE_SEQUENCE', 'The journal is not the one this owner wrote: its last entry was replaced.');
      return;
    }
    if (appended.entries.some(({ event }) => event.type === 'OwnerResumed')) this.#recovered = true;
    this.#stops.journalled(appended.entries);
    const mission = fold(appended.entries, this.#mission);
    this.#mission = mission;
    if (!mission) return;
    if (this.#active) this.#startEffects(mission);
    this.#listeners.tell((listener) => listener.onEntries?.(mission, appended.entries));
    this.#notifySettled();
  }

  #startEffects(mission: Mission): void {
    this.#alarms.follow(waitsNow(mission));
    for (const effect of pendingEffects(mission)) {
      if (this.#started.has(effect.key)) continue;
      this.#started.add(effect.key);
      this.#running += 1;
      void this.#perform(effect, mission);
    }
  }

  /** Reports that its time has come. A report that came too early, because the clock was set back, gets a new timer. */
  async #ring(wait: string): Promise<void> {
    await this.submit({ type: 'TimeHasCome', wait }, runner);
    if (this.#mission && this.#active && !this.#halt && !this.#detached) this.#alarms.follow(waitsNow(this.#mission));
  }

  async #perform(effect: Effect, mission: Mission): Promise<void> {
    const changed = effect.kind === 'writeReport' ? await this.#journalChanged() : null;
    if (changed === null) await this.#carryThrough(effect, mission);
    else this.#stopWorking('STATE_STORE_CORRUPT', changed);
    this.#running -= 1;
    this.#notifySettled();
  }

  async #carryThrough(effect: Effect, mission: Mission): Promise<void> {
    const result = await this.#run(effect, mission);
    if (result.ok) return result.report ? this.submit(result.report, runner) : undefined;
    await this.#recordFailure(effect, result.refusal);
    this.#stopWorking('EFFECT_FAILED', `${effect.kind}: ${result.fault}`);
  }

  #recordFailure(effect: Effect, refusal: Refusal): Promise<void> {
    return this.submit({ type: 'EffectHasFailed', effect: effect.key, ...refusal }, runner);
  }

  /** Says why the stored history is not the one that this owner wrote; null: it is. */
  async #journalChanged(): Promise<string | null> {
    const { last_seq: seq, last_hash: hash } = this.#mission ?? { last_seq: 0, last_hash: '' };
    const found = await this.ports.journal.prove(this.missionId, { seq, hash });
    if (found === null) return null;
    return `The journal on disk is not the one this owner wrote: ${found}. How the mission ended is therefore not reported. Keep a copy of .mission-control, look for who writes there, and see \`mission journal verify ${this.missionId}\`.`;
  }

  #stopWorking(code: Halt['code'], reason: string): void {
    if (this.#halt) return;
    this.#alarms.drop();
    const phases = (this.#mission?.lanes ?? []).map((lane) => `${lane.task_id}, ${phaseWords(lane)}`);
    this.#halt = { code, reason, ...(phases.length > 0 && { phases }) };
    // The next owner takes over workers of a fenced-off one; after any other halt they must not run unrecorded.
    if (code !== 'FENCED' && this.#mission) {
      this.#stopping = true;
      const stop = stopLiveLaunches(`the mission halted: ${reason}`, this.#mission, this.ports, this.options);
      void stop.then(() => {
        this.#stopping = false;
        this.#notifySettled();
      });
    }
    const halt = this.#halt;
    this.#listeners.tell((listener) => listener.onHalt?.(halt));
    this.#notifySettled();
  }

  #notifySettled(): void {
    if (!this.isSettled) return;
    for (const resolve of this.#settled) resolve();
    this.#settled.clear();
  }
}
