import { approvalCommandSchema, missionCommandSchema } from '../contracts/missionCommand';
import type { Actor } from '../contracts/vocabulary/actors';
import type { MissionCommand } from '../core/mission/inputs';
import type { CommandAnswer } from '../core/mission/state';
import type { EngineOptions, EnginePorts } from './context';
import { MissionEngine, type EngineListener } from './missionEngine';
import type { Inbox, InboxCommand, Journal, Lease, Outcome } from './ports';
import { appendRecord, startMission, type Started, type StartRequest } from './startMission';
import { approvalsStream, isMissionStream, type WorkspaceEvent } from './workspaceEvents';

export interface HostPorts extends EnginePorts {
  readonly lease: Lease;
  readonly inbox: Inbox;
  readonly records: Journal<WorkspaceEvent>;
}

export interface CommandRequest {
  readonly id: string;
  readonly mission_id: string;
  readonly command: MissionCommand;
  readonly actor: Actor;
  readonly reason: string;
  readonly expected_seq: number | null;
  readonly from_worker: boolean;
}

/**
 * The one owner of a workspace's missions: holds the lease, runs an engine per mission it was asked to
 * run, and answers the inbox. Every other process views, or sends its commands here.
 */
export class MissionHost {
  readonly #engines = new Map<string, MissionEngine>();
  readonly #listeners = new Set<EngineListener>();
  #inbox: { dispose(): void } | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly ports: HostPorts,
    private readonly options: EngineOptions,
  ) {}

  /** Takes the lease; refused with LEASE_HELD while another process owns. */
  static async acquire(ports: HostPorts, options: Omit<EngineOptions, 'fence'>, actor: Actor): Promise<Outcome<MissionHost>> {
    const lease = await ports.lease.acquire(actor);
    if (!lease.ok) return lease;
    const host = new MissionHost(ports, { ...options, fence: lease.value.fence });
    host.#inbox = ports.inbox.watch((command) => void host.#answer(command));
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
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  start(request: StartRequest): Promise<Started> {
    return this.#inTurn(async () => {
      const started = await startMission(request, this.ports, this.ports.records, this.options);
      if (started.kind === 'started') this.#adopt(started.engine);
      return started;
    });
  }

  /** Takes over a mission of the journal and continues it: attaches to what runs, finishes what was requested. */
  take(missionId: string): Promise<Outcome<MissionEngine>> {
    return this.#inTurn(() => this.#take(missionId));
  }

  /** A human command. The mission is taken over first when this host does not run it yet. */
  command(request: CommandRequest): Promise<CommandAnswer> {
    return this.#inTurn(async () => {
      const running = this.#engines.get(request.mission_id);
      const taken = running ? ({ ok: true, value: running } as const) : await this.#take(request.mission_id);
      if (!taken.ok) return { accepted: false, code: taken.refusal.code, reason: taken.refusal.reason, next: taken.refusal.next };
      const { reason, expected_seq, from_worker } = request;
      return taken.value.command(request.id, request.command, request.actor, {
        reason,
        // What the sender saw is older than the entries a take-over appends.
        expected_seq: running ? expected_seq : null,
        from_worker,
        owner_was_absent: !running,
        active_elsewhere: this.#activeElsewhere(request.mission_id),
      });
    });
  }

  recordApproval(actor: Actor, approval: { readonly plan_id: string; readonly plan_path: string; readonly plan_sha256: string; readonly reason: string }): Promise<boolean> {
    return this.#inTurn(() => appendRecord(approvalsStream, { type: 'PlanApproved', ...approval }, actor, this.ports, this.ports.records, this.options.fence));
  }

  /** Resolves when no engine has anything under way. */
  async settled(): Promise<void> {
    await this.#queue;
    await Promise.all(this.engines.map((engine) => engine.settled()));
  }

  /** Lets go: workers go on under their supervisors, the lease is free for the next owner. */
  async release(): Promise<void> {
    this.#inbox?.dispose();
    this.#inbox = null;
    for (const engine of this.engines) engine.detach();
    this.#engines.clear();
    await this.ports.lease.release();
  }

  async #take(missionId: string): Promise<Outcome<MissionEngine>> {
    const running = this.#engines.get(missionId);
    if (running) return { ok: true, value: running };
    const known = isMissionStream(missionId) && (await this.ports.journal.streams()).some((info) => info.stream === missionId);
    if (!known) return { ok: false, refusal: { code: 'MISSION_UNKNOWN', reason: `The journal of this folder knows no mission ${missionId}.`, next: ['mission list'] } };
    const engine = await MissionEngine.load(missionId, this.ports, this.options);
    this.#adopt(engine);
    if (engine.mission?.execution !== 'REPORTED') await engine.resume();
    return { ok: true, value: engine };
  }

  #adopt(engine: MissionEngine): void {
    this.#engines.set(engine.missionId, engine);
    engine.listen({
      onEntries: (mission, entries) => {
        for (const listener of this.#listeners) listener.onEntries?.(mission, entries);
      },
      onHalt: (halt) => {
        for (const listener of this.#listeners) listener.onHalt?.(halt);
      },
    });
  }

  #activeElsewhere(missionId: string): string | null {
    return this.engines.find((engine) => engine.missionId !== missionId && engine.mission?.attempt)?.missionId ?? null;
  }

  async #answer(command: InboxCommand): Promise<void> {
    await this.ports.inbox.answer(command.id, await this.#decide(command));
  }

  async #decide(command: InboxCommand): Promise<CommandAnswer> {
    const approval = approvalCommandSchema.safeParse(command.command);
    if (approval.success) {
      if (command.from_worker || command.actor.kind !== 'human') {
        return { accepted: false, code: 'NON_COMPLIANT', reason: 'An agent can not approve a plan.', next: [] };
      }
      const { plan_id, plan_path, plan_sha256 } = approval.data;
      const recorded = await this.recordApproval(command.actor, { plan_id, plan_path, plan_sha256, reason: command.reason });
      return recorded
        ? { accepted: true, code: 'OK', reason: 'The approval is recorded.', next: [] }
        : { accepted: false, code: 'STATE_STORE_UNWRITABLE', reason: 'The journal did not take the approval.', next: ['mission doctor'] };
    }
    const parsed = missionCommandSchema.safeParse(command.command);
    if (!parsed.success) return { accepted: false, code: 'COMMAND_INVALID', reason: 'The command is not one of this version.', next: ['mission --help'] };
    return this.command({ ...command, command: parsed.data });
  }

  /** Starts, take-overs and commands are handled one at a time, so that two of them never adopt one mission twice. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work, work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}
