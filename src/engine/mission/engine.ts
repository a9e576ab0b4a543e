import { errorWords } from '../../base/errorWords';
import type { Actor } from '../../contracts/vocabulary/actors';
import { decide } from '../../core/mission/decide';
import { pendingEffects, type Effect } from '../../core/mission/effects';
import { fold } from '../../core/mission/evolve';
import type { Command, InputBody } from '../../core/model/inputs';
import type { MissionCommand } from '../../contracts/missionCommand';
import type { MissionEvent } from '../../core/model/events';
import type { JournalEntry } from '../../core/model/journalEntry';
import type { Refusal } from '../../base/outcome';
import { effectInTrouble } from '../../core/mission/trouble';
import type { RecoveryFacts } from '../../core/model/facts';
import { currentLaunch, type CommandAnswer, type Mission } from '../../core/model/state';
import type { EngineOptions } from '../ports/context';
import type { EnginePorts } from '../ports/engine';
import { knownLaunch } from '../effects/knownLaunch';
import { runEffect } from '../effects/runEffect';
import { EffectRefused } from '../effects/written';
import { lookAtTasks } from './takeover';

export const runner: Actor = { kind: 'runner', name: 'mission-control' };

/** Why an engine stopped working without a terminal state. The journal says where; the next start continues. */
export interface Halt {
  readonly code:
    | 'INVARIANT_BROKEN'
    | 'STALE_SEQUENCE'
    | 'FENCED'
    | 'WRITE_FAILED'
    | 'EFFECT_FAILED'
    /** The file holds another history than the one in memory. */
    | 'STATE_STORE_CORRUPT';
  readonly reason: string;
}

export interface EngineListener {
  /** After every append: the new state and what was added. */
  onEntries?(mission: Mission, entries: readonly JournalEntry<MissionEvent>[]): void;
  onHalt?(halt: Halt): void;
}

/**
 * The loop of one mission: input -> decide -> append -> evolve -> effects. Inputs are handled one at a
 * time; effects run beside and come back as inputs. Nothing happens in the world before the events that
 * ask for it are durable.
 */
export class MissionEngine {
  #mission: Mission | null = null;
  #halt: Halt | null = null;
  #detached = false;
  /** Effects run only then: a mission of the journal is looked at, and commanded, before it goes on. */
  #active: boolean;
  /** Whether this owner has journalled what it found. */
  #recovered = false;
  #queue: Promise<void> = Promise.resolve();
  readonly #started = new Set<string>();
  #running = 0;
  readonly #listeners = new Set<EngineListener>();
  readonly #settled = new Set<() => void>();

  private constructor(
    readonly missionId: string,
    private readonly ports: EnginePorts,
    private readonly options: EngineOptions,
    active: boolean,
  ) {
    this.#active = active;
  }

  /** A mission that is received now. */
  static create(missionId: string, ports: EnginePorts, options: EngineOptions): MissionEngine {
    return new MissionEngine(missionId, ports, options, true);
  }

  /** A mission of the journal, taken over by a new owner. Nothing runs until `resume` is called. */
  static async load(missionId: string, ports: EnginePorts, options: EngineOptions): Promise<MissionEngine> {
    const engine = new MissionEngine(missionId, ports, options, false);
    for await (const page of ports.journal.pages(missionId, { verified: true }))
      engine.#mission = fold(page, engine.#mission);
    return engine;
  }

  get mission(): Mission | null {
    return this.#mission;
  }

  get halt(): Halt | null {
    return this.#halt;
  }

  /** Whether nothing is under way any more; see `settled`. */
  get isSettled(): boolean {
    return this.#isSettled();
  }

  listen(listener: EngineListener): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /**
   * Continues from the journal. In the contract's order: reconciled, every task in progress judged by its heartbeat, one
   * recovery event, and only then every effect without an outcome.
   */
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

  /** What is there before this owner does anything; null once the mission was recovered. */
  async #lookAround(): Promise<RecoveryFacts | null> {
    return this.#recovered || !this.#mission ? null : lookAtTasks(this.#mission, this.ports, this.options);
  }

  /** Carries out what is pending of one kind, and nothing else: the mission does not go on. */
  async carryOut(kind: Effect['kind']): Promise<void> {
    if (this.#active || !this.#mission) return;
    for (const effect of pendingEffects(this.#mission)) {
      if (effect.kind !== kind) continue;
      this.#running += 1;
      await this.#perform(effect, this.#mission);
    }
  }

  /** Tries what could not be done before, and nothing else; null: there is nothing, or it can be done now. */
  async tryAgain(): Promise<Refusal | null> {
    const failed = this.#mission && !this.#active ? effectInTrouble(this.#mission) : null;
    return failed && this.#try(failed.effect, failed.trial === 'counts');
  }

  async #try(effect: Effect, counts: boolean): Promise<Refusal | null> {
    const mission = this.#mission;
    if (!mission) return null;
    try {
      const report = await runEffect(
        effect,
        mission,
        this.ports,
        this.options,
        (early) => void this.submit(early, runner),
      );
      if (!report || !counts) return null;
      await this.submit(report, runner);
      // Evidence in the way is named first, and archived by another effect: that one is what can fail.
      if (report.type !== 'EarlierEvidenceWasFound') return null;
      const next = pendingEffects(this.#mission ?? mission).find(
        ({ kind, key }) => kind === effect.kind && key !== effect.key,
      );
      return next ? await this.#try(next, counts) : null;
    } catch (error) {
      const failing = failingOf(effect, error);
      await this.submit({ type: 'EffectHasFailed', effect: effect.key, ...failing }, runner);
      return failing;
    }
  }

  /** Handles one input to its end: durable, folded, effects started. */
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

  /** Resolves when nothing is under way any more: ended, blocked, paused, halted or detached. */
  settled(): Promise<void> {
    if (this.#isSettled()) return Promise.resolve();
    return new Promise((resolve) => this.#settled.add(resolve));
  }

  /** Lets go without touching the workers: they go on under their supervisors, the next owner attaches. */
  detach(): void {
    this.#detached = true;
    this.#notifySettled();
  }

  /** Never rejects: one step that fails must not keep every later one from being taken. */
  async #safeStep(body: InputBody, actor: Actor): Promise<void> {
    try {
      await this.#step(body, actor);
    } catch (error) {
      this.#stopWorking('INVARIANT_BROKEN', errorWords(error));
    }
  }

  async #step(body: InputBody, actor: Actor): Promise<void> {
    if (this.#halt || this.#detached) return;
    const { clock, ids, journal } = this.ports;
    const at = clock.now();
    const fresh = { launch_id: ids.uuid(), session_id: ids.uuid(), nonce: ids.hex(32) };
    const events: readonly MissionEvent[] = decide(this.#mission, { at, actor, fresh, body });
    if (events.length === 0) return;
    // A run that began elsewhere keeps its id.
    const handedOver = body.type === 'PlanReceived' ? body.handoff?.source.run_id : undefined;
    const runId = this.#mission?.run_id ?? handedOver ?? ids.uuid();
    const appended = await journal.append(
      this.missionId,
      this.#mission?.last_seq ?? 0,
      this.options.fence,
      events.map((event) => ({ run_id: runId, at, actor, event })),
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
    const mission = fold(appended.entries, this.#mission);
    this.#mission = mission;
    if (!mission) return;
    if (this.#active) this.#startEffects(mission);
    this.#tell((listener) => listener.onEntries?.(mission, appended.entries));
    this.#notifySettled();
  }

  #startEffects(mission: Mission): void {
    for (const effect of pendingEffects(mission)) {
      if (this.#started.has(effect.key)) continue;
      this.#started.add(effect.key);
      this.#running += 1;
      void this.#perform(effect, mission);
    }
  }

  async #perform(effect: Effect, mission: Mission): Promise<void> {
    try {
      const changed = effect.kind === 'writeReport' ? await this.#journalChanged() : null;
      if (changed !== null) {
        this.#stopWorking('STATE_STORE_CORRUPT', changed);
        return;
      }
      const report = await runEffect(
        effect,
        mission,
        this.ports,
        this.options,
        (early) => void this.submit(early, runner),
      );
      if (report) await this.submit(report, runner);
    } catch (error) {
      await this.submit({ type: 'EffectHasFailed', effect: effect.key, ...failingOf(effect, error) }, runner);
      this.#stopWorking('EFFECT_FAILED', `${effect.kind}: ${errorWords(error)}`);
    } finally {
      this.#running -= 1;
      this.#notifySettled();
    }
  }

  /** Before an end is told to anybody: whether the stored history is the one that this owner wrote. Null: it is. */
  async #journalChanged(): Promise<string | null> {
    const { last_seq: seq, last_hash: hash } = this.#mission ?? { last_seq: 0, last_hash: '' };
    const found = await this.ports.journal.prove(this.missionId, { seq, hash });
    if (found === null) return null;
    return `The journal on disk is not the one this owner wrote: ${found}. How the mission ended is therefore not reported. Keep a copy of .mission-control, look for who writes there, and see \`mission journal verify ${this.missionId}\`.`;
  }

  #stopWorking(code: Halt['code'], reason: string): void {
    if (this.#halt) return;
    this.#halt = { code, reason };
    // An owner that was fenced off leaves the worker to the next one; whatever else halts must not run unrecorded.
    if (code !== 'FENCED') void this.#stopLaunches(reason);
    const halt = this.#halt;
    this.#tell((listener) => listener.onHalt?.(halt));
    this.#notifySettled();
  }

  /** A viewer that fails fails by itself: its error is the program's, and the mission goes on without it. */
  #tell(news: (listener: EngineListener) => void): void {
    for (const listener of [...this.#listeners]) {
      try {
        news(listener);
      } catch (error) {
        this.#listeners.delete(listener);
        void Promise.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  /** Best effort: where even a stop request can not be written, the supervisor's deadline ends the worker. */
  async #stopLaunches(reason: string): Promise<void> {
    const mission = this.#mission;
    if (!mission) return;
    const { launches, paths } = this.ports;
    const live = mission.lanes.map(currentLaunch).filter((launch) => launch !== undefined);
    await Promise.allSettled(
      live.map((launch) =>
        launches.requestStop(
          paths.runDir(mission.mission_id, launch.run_dir),
          knownLaunch(mission, launch, this.options),
          `the mission halted: ${reason}`,
        ),
      ),
    );
  }

  #isSettled(): boolean {
    return (
      this.#detached ||
      !this.#active ||
      this.#halt !== null ||
      (this.#running === 0 && this.#mission !== null && pendingEffects(this.#mission).length === 0)
    );
  }

  #notifySettled(): void {
    if (!this.#isSettled()) return;
    for (const resolve of this.#settled) resolve();
    this.#settled.clear();
  }
}

function failingOf(effect: Effect, error: unknown): Refusal {
  if (error instanceof EffectRefused) return error.refusal;
  return {
    code: 'EFFECT_FAILED',
    reason: `The step ${effect.kind} failed: ${errorWords(error)}.`,
    next: ['mission doctor'],
  };
}
