import type { InboxCommand } from '../ports/ownership';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { ApprovedFile, MissionCommand } from '../../contracts/commands/missionCommand';
import { memoryFolder, memoryStream } from '../../contracts/vocabulary/memory';
import { activeMission, activeRefusal } from '../../core/mission/activeElsewhere';
import { continues, endsPause } from '../../core/mission/commandTable';
import { cameBackAs } from '../../core/mission/handoff/movedRun';
import type { ActiveMission, Command } from '../../core/model/inputs';
import type { Mission, Course, Progress, Tasks } from '../../core/model/state';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import { missionStatus } from '../../core/mission/status';
import type { EngineOptions, HostPorts } from '../ports/engine';
import { EarlyLook } from '../mission/outOfScopeWatch';
import { readCompleted } from '../effects/readCompleted';
import { readPlanNow } from '../effects/launch/planHash';
import { rememberedNow } from '../effects/launch/readMemory';
import { loadMission } from '../mission/load';
import { olderThanStop } from '../mission/missedStop';
import type { MissionEngine } from '../mission/engine';
import { EngineListeners, type EngineListener } from '../mission/listeners';
import { MissionReader } from '../views/reader';
import { resumeHandoff, type Resumed } from '../handoff/resume';
import type { ResumeRequest } from '../handoff/reading';
import { OwnerInbox } from './inbox';
import { done, refused, type Outcome, type Refusal } from '../../base/outcome';
import { reportApprovedPlan, reportSavedDocument, type SavedDocument } from './savedDocument';
import { appendRecord, startMission, type Started, type StartRequest } from '../mission/start';
import { approvalsStream, refusalsStream } from '../ports/workspaceEvents';

export interface CommandRequest extends Omit<InboxCommand, 'command' | 'identified'> {
  readonly command: MissionCommand;
  /** False: the sending process could not be found. Default: this process sent it. */
  readonly identified?: boolean;
}

/** The only owner: holds the lease, runs the engines, answers the inbox. Others view, or send commands here. */
export class MissionHost {
  readonly #engines = new Map<string, MissionEngine>();
  readonly #listeners = new EngineListeners();
  readonly #inbox: OwnerInbox;
  readonly #reader: MissionReader;
  readonly look: EarlyLook;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly ports: HostPorts,
    private readonly options: EngineOptions,
  ) {
    this.#reader = new MissionReader(ports.journal);
    this.look = new EarlyLook(ports, () => this.engines);
    this.#inbox = new OwnerInbox(ports.inbox, this, (event, actor) =>
      this.#inTurn(() => appendRecord({ stream: refusalsStream, event, actor }, ports, options.fence)),
    );
  }

  /** Takes the lease; refused with LEASE_HELD while another process owns. */
  static async acquire(
    ports: HostPorts,
    options: Omit<EngineOptions, 'fence'>,
    actor: Actor,
  ): Promise<Outcome<MissionHost>> {
    const lease = await ports.lease.acquire(actor);
    if (!lease.ok) return lease;
    const host = new MissionHost(ports, { ...options, fence: lease.value.fence });
    host.#inbox.open();
    return { ok: true, value: host };
  }

  get engines(): readonly MissionEngine[] {
    return [...this.#engines.values()];
  }

  engine(missionId: string): MissionEngine | undefined {
    return this.#engines.get(missionId);
  }

  /** Listens to every engine, present and future. */
  listen(listener: EngineListener): { dispose(): void } {
    return this.#listeners.add(listener);
  }

  start(request: StartRequest): Promise<Started> {
    return this.#begin<Started>(
      (refusal) => ({ kind: 'refused', refusal, findings: [], plan_id: null }),
      () => startMission(request, this.ports, this.options, this.#busy()),
    );
  }

  /** Continues a run that was handed over: as `start`, from a handoff folder. */
  resumeHandoff(request: ResumeRequest): Promise<Resumed> {
    return this.#begin<Resumed>(
      (refusal) => ({ kind: 'refused', refusal, checks: [], plan_id: null }),
      () => resumeHandoff(request, this.ports, this.options, this.#busy()),
    );
  }

  /** Takes over a mission of the journal: attaches to what runs, finishes what was requested. */
  take(missionId: string): Promise<Outcome<MissionEngine>> {
    return this.#unclaimed<Outcome<MissionEngine>>(
      (refusal) => ({ ok: false, refusal }),
      () => this.#take(missionId),
    );
  }

  /** Takes a mission that this host does not run over only if the command is accepted. */
  command(request: CommandRequest): Promise<CommandAnswer> {
    const { command } = request;
    // A copy of what is here runs nothing, and is the way out where the fleet is gone.
    const copies = command.type === 'ExportHandoff' && !command.move;
    const refuse = (claimed: Refusal): CommandAnswer | null => (copies ? null : { accepted: false, ...claimed });
    return this.#unclaimed(refuse, async (claimed) => {
      const running = this.#running(request.mission_id);
      const loaded = running
        ? ({ ok: true, value: running } as const)
        : await loadMission(request.mission_id, this.ports, this.options);
      if (!loaded.ok)
        return { accepted: false, code: loaded.refusal.code, reason: loaded.refusal.reason, next: loaded.refusal.next };
      const { reason, expected_seq, from_worker } = request;
      // Work under way can be stopped and cancelled wherever its records are.
      const idle = loaded.value.mission?.lanes.length === 0;
      const trouble = idle ? await this.ports.stateTrouble() : null;
      const before = loaded.value.mission?.execution;
      const stuck = trouble ?? (running || claimed ? null : await loaded.value.tryAgain());
      // What was tried again may be all that a resume of it had to do.
      const ends = before !== 'REPORTED' && loaded.value.mission?.execution === 'REPORTED';
      if (ends && request.command.type === 'ResumeMission') {
        await this.#adopt(loaded.value);
        return { accepted: true, code: 'OK', reason: 'The evidence of its end is written now.', next: [] };
      }
      const answer = await loaded.value.command(request.id, request.command, request.actor, {
        reason,
        expected_seq,
        from_worker,
        identified: request.identified ?? true,
        owner_was_absent: !running,
        active_elsewhere: await this.#activeElsewhere(request.mission_id, loaded.value.mission),
        came_back_as: await this.#cameBackAs(loaded.value.mission),
        workspace_dir: this.ports.paths.workspace_dir,
        home_dir: this.ports.paths.places.find(({ name }) => name === '<home>')?.path ?? null,
        stuck,
        starts_held: (await this.ports.startsHeld()) ?? (await olderThanStop(request.asked_at, this.ports)),
        ...(await this.#read(request.command, loaded.value.mission)),
      });
      // Exporting a handoff of a mission that is not running must not start it.
      if (!running && answer.accepted && copies) await loaded.value.carryOut('writeHandoff');
      else if (!running && answer.accepted) await this.#adopt(loaded.value);
      const { halt } = loaded.value;
      if (!answer.accepted || !halt) return answer;
      const stopped = `It was recorded, and the runner stopped at once: ${halt.reason}`;
      return { accepted: false, code: halt.code, reason: stopped, next: ['mission status', 'mission doctor'] };
    });
  }

  /** Returns whether tasks may run because of an accepted command, so that its window goes on after a restart. */
  goesOnAfter(command: MissionCommand): boolean {
    return continues(command);
  }

  recordApproval(actor: Actor, approval: ApprovedFile & { readonly reason: string }): Promise<Outcome<null>> {
    return this.#inTurn(async () => {
      const { clock } = this.ports;
      const { plan_sha256, speaks_to, instructions, ...file } = approval;
      const sealed = await this.ports.approvals.seal({
        ...{ plan_sha256, by: actor.name, at: clock.now() },
        ...(speaks_to && { speaks_to }),
        ...(instructions && { instructions }),
      });
      if (!sealed.ok) return sealed;
      const event = { type: 'PlanApproved', ...file, plan_sha256, sealed: sealed.value } as const;
      const recorded = await appendRecord({ stream: approvalsStream, event, actor }, this.ports, this.options.fence);
      if (recorded) await reportApprovedPlan(actor, approval, this.engines, clock);
      return recorded
        ? { ok: true, value: null }
        : refused('STATE_STORE_UNWRITABLE', 'The journal did not take the approval.', 'mission doctor');
    });
  }

  /** Gives the memory up at a person's request: the journal knows of it before the files are moved. */
  setMemoryAside(actor: Actor, reason: string): Promise<Outcome<{ readonly folder: string }>> {
    return this.#inTurn(async () => {
      const { clock, memory } = this.ports;
      const folder = `${memoryFolder}-${clock.now().replaceAll(/[-:.]/g, '')}`;
      const event = { type: 'MemorySetAside', reason, folder } as const;
      if (!(await appendRecord({ stream: memoryStream, event, actor }, this.ports, this.options.fence)))
        return refused('STATE_STORE_UNWRITABLE', 'The journal did not take the decision.', 'mission doctor');
      const moved = await memory.setAside(folder);
      return moved.ok ? done({ folder }) : moved;
    });
  }

  /** Reports that a person saved a file in the editor, so that it is no change of the worker. */
  documentSaved(actor: Actor, save: SavedDocument): Promise<CommandAnswer> {
    return reportSavedDocument(actor, save, this.engines, this.ports);
  }

  /** Resolves when no engine has anything under way. */
  async settled(): Promise<void> {
    for (let queue: unknown = null; queue !== this.#queue;) {
      queue = this.#queue;
      await queue;
      await Promise.all(this.engines.map((engine) => engine.settled()));
    }
  }

  /** Workers run on under their supervisors. The command being decided ends; those behind it go back to the inbox. */
  async release(): Promise<void> {
    await this.#inbox.leave();
    this.look.dispose();
    for (const engine of this.engines) engine.detach();
    this.#engines.clear();
    await this.ports.lease.release();
  }

  /** Once what is left only waits. A worker that timed out unowned is ended before that, whatever the command was. */
  async leave(): Promise<void> {
    while (this.engines.some((engine) => !engine.mayLeave)) await this.#nextChange();
    await this.release();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const change = (): void => {
        heard.dispose();
        resolve();
      };
      const heard = this.listen({ onEntries: change, onHalt: change });
    });
  }

  /** After all commands taken so far. False when such a command started something: this host is still the owner. */
  async releaseIfSettled(): Promise<boolean> {
    await this.#inbox.close();
    for (let queue: unknown = null; queue !== this.#queue;) {
      queue = this.#queue;
      await queue;
    }
    if (this.engines.every((engine) => engine.isSettled)) {
      await this.release();
      return true;
    }
    this.#inbox.open();
    return false;
  }

  #begin<T extends Started | Resumed>(refuse: (claimed: Refusal) => T, begin: () => Promise<T>): Promise<T> {
    return this.#unclaimed(refuse, async () => {
      const begun = await begin();
      if (begun.kind === 'started') this.#follow(begun.engine);
      return begun;
    });
  }

  async #take(missionId: string): Promise<Outcome<MissionEngine>> {
    const running = this.#running(missionId);
    if (running) return { ok: true, value: running };
    const loaded = await loadMission(missionId, this.ports, this.options);
    if (!loaded.ok) return loaded;
    const { mission } = loaded.value;
    const other = mission && wouldDispatch(mission) ? await this.#activeElsewhere(missionId, mission) : null;
    if (other !== null) return { ok: false, refusal: activeRefusal(other) };
    const hold = mission && wouldDispatch(mission) ? await this.ports.startsHeld() : null;
    if (hold) return { ok: false, refusal: hold };
    await this.#adopt(loaded.value);
    return loaded;
  }

  async #adopt(engine: MissionEngine): Promise<void> {
    this.#follow(engine);
    if (engine.mission?.execution !== 'REPORTED') await engine.resume();
  }

  #follow(engine: MissionEngine): void {
    this.#engines.set(engine.missionId, engine);
    engine.listen({
      onEntries: (mission, entries) => {
        this.#listeners.tell((listener) => listener.onEntries?.(mission, entries));
      },
      onHalt: (halt) => {
        // Another process owns the missions and takes the commands.
        if (halt.code === 'FENCED') void this.#inbox.leave();
        this.#listeners.tell((listener) => listener.onHalt?.(halt));
      },
    });
  }

  /** The engine of a mission; drops one that halted, so that the next request starts from the journal. */
  #running(missionId: string): MissionEngine | undefined {
    const engine = this.#engines.get(missionId);
    if (!engine?.halt) return engine;
    engine.detach();
    this.#engines.delete(missionId);
    return undefined;
  }

  /** Missions that this host runs now, also those between two tasks, which have no attempt. */
  #busy(): ReadonlySet<string> {
    return new Set(this.engines.filter((engine) => !engine.isSettled).map((engine) => engine.missionId));
  }

  /** Reads the facts, other than the mission, by which some commands are judged; most commands need none. */
  async #read(
    command: MissionCommand,
    mission: Mission | null,
  ): Promise<Pick<Command, 'completed' | 'remembered' | 'revision' | 'plan'>> {
    if (mission && command.type === 'CompleteIntervention')
      return { completed: await readCompleted(mission, command.task_id, this.ports) };
    if (mission && command.type === 'ConfirmMemory')
      return { remembered: await rememberedNow(mission, command.task_id, this.ports) };
    if (mission && command.type === 'SupersedeMission') return { revision: await this.#revision(command, mission) };
    if (mission?.hold.kind === 'paused' && endsPause(command)) return { plan: await readPlanNow(mission, this.ports) };
    return {};
  }

  async #revision(
    { plan_id, plan_sha256 }: Extract<MissionCommand, { readonly type: 'SupersedeMission' }>,
    { superseded }: Course,
  ): Promise<NonNullable<Command['revision']>> {
    const approvals = await this.ports.records.read(approvalsStream);
    const { missions } = await this.#reader.read();
    return {
      approved: approvals.some(
        ({ event }) => event.type === 'PlanApproved' && event.plan_id === plan_id && event.plan_sha256 === plan_sha256,
      ),
      ran: missions.flatMap(({ mission }) =>
        mission.plan.plan_id === superseded?.plan_id ? [mission.mission_id] : [],
      ),
    };
  }

  /** Another mission that keeps this one from running, of this host or left by an earlier owner. */
  async #activeElsewhere(missionId: string, own: Tasks | null): Promise<ActiveMission | null> {
    const wanted = own?.rows.flatMap(({ task }) => task.paths) ?? [];
    const busy = this.engines.find((engine) => engine.missionId !== missionId && !engine.isSettled);
    if (busy)
      return busy.mission ? activeMission(busy.mission, true, wanted) : { mission_id: busy.missionId, pausable: false };
    const { missions } = await this.#reader.read(missionId);
    const others = missions.filter(({ mission }) => mission.mission_id !== missionId);
    return others.map(({ mission }) => activeMission(mission, false, wanted)).find((one) => one !== null) ?? null;
  }

  async #cameBackAs(mission: Mission | null): Promise<string | null> {
    if (!mission?.moved) return null;
    const { missions } = await this.#reader.read();
    return cameBackAs(
      mission,
      missions.map((one) => one.mission),
    );
  }

  /** Works in turn, unless a claim of a fleet has the folder and the answer refuses that. */
  #unclaimed<T>(refuse: (claimed: Refusal) => T | null, work: (claimed: Refusal | null) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const claimed = await this.ports.claimed();
      return (claimed && refuse(claimed)) ?? work(claimed);
    });
  }

  /** Runs one piece of work at a time, because two could adopt one mission twice. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work, work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

/** Returns whether continuing the mission may start a worker. */
function wouldDispatch(mission: Progress): boolean {
  return mission.lanes.length === 0 && (missionStatus(mission) === 'running' || missionStatus(mission) === 'planned');
}
