import type { Event, WorkspaceFolder } from 'vscode';
import path from 'node:path';
import type { KnownMissions } from '../../adapters/user/knownMissions';
import { notifyOnce } from '../../adapters/state/notifyOnce';
import type { MissionControlView } from '../../contracts/page/missionView';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { ApprovedFile, MissionCommand } from '../../contracts/commands/missionCommand';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import type { MissionSources } from '../../engine/mission/carried';
import type { Ids } from '../../engine/ports/time';
import { done, type Outcome } from '../../base/outcome';
import { otherOwner } from '../../adapters/inbox/otherOwner';
import { deliver, sendToOwner } from '../../engine/owner/deliver';
import type { OtherOwner } from '../../engine/ports/ownership';
import { accepted, answerIn, answerOf, untrusted, exported, notResumed, resumption } from './answers';
import { FolderOwner, type OwnerDependencies } from './owner';
import { FolderViewer, type ViewerDependencies } from './viewer';
import { Continuations, markFound } from './continuations';
import {
  type Answer,
  type Appended,
  type ApprovedBytes,
  type HandoffExport,
  type HandoffResumption,
  type MissionFolder,
  type RunAnswer,
  inFolder,
  workspaceOf,
} from './missionFolders';
import type { Contribution } from '../registry/registry';
import { SavesForOwner, type Save } from './savesReported';
import type { AskedOfMission } from '../registry/settings';
import { ui } from '../../base/text/marked/ui';
import { alarm } from '../window/ui';

export interface FolderDependencies extends OwnerDependencies, ViewerDependencies {
  readonly known: KnownMissions;
  readonly ids: Ids;
  isTrusted(): boolean;
  defaultWorker(): WorkerName;
  /** Hours that an approval counts, from risk level 2 on. */
  approvalHours(): number;
  confinement(): AskedOfMission;
}

/** Milliseconds that the window which drives a mission has to notify first. */
const newsLead = 2_000;
/** Milliseconds for a handoff to be written. */
const handoffLimit = 60_000;

type Message = Omit<Parameters<typeof otherOwner>[1], 'from_worker'>;

/**
 * The missions of one workspace folder. Always views them; owns only those that a person of this machine started; sends
 * commands to any other owner. Never owns in an untrusted folder.
 */
export class MissionFolderService implements MissionFolder, Contribution {
  readonly #viewer: FolderViewer;
  readonly #owner: FolderOwner;
  readonly #continuations: Continuations;
  /** Missions that ran in this window, and in no other process since. */
  readonly #driven = new Set<string>();
  readonly #saves: SavesForOwner;
  readonly #subscriptions: Contribution[];
  readonly onDidChangeView: Event<MissionControlView>;
  readonly onDidAppend: Event<Appended>;

  constructor(
    readonly folder: WorkspaceFolder,
    private readonly dependencies: FolderDependencies,
    all: () => readonly MissionFolder[],
  ) {
    this.#owner = new FolderOwner(this.#root, dependencies);
    this.#saves = new SavesForOwner(
      (save) => this.#reportSave(save),
      (error) => dependencies.log.error(ui`A save could not be reported to the owner of the missions`, error),
    );
    this.#viewer = new FolderViewer(
      folder,
      dependencies,
      () => this.isOwner,
      async (view) => {
        const open = view.missions.filter(
          ({ execution, runs_on }) => execution !== 'REPORTED' && runs_on === undefined,
        );
        await dependencies.known.look(
          this.#root,
          open.map(({ mission_id }) => mission_id),
        );
        const shown = dependencies.isTrusted() ? this.#continuations.follow(view) : view;
        return markFound(shown, (missionId) => this.#isKnown(missionId));
      },
    );
    this.#continuations = new Continuations(this.#owner, (missionId) => this.#isKnown(missionId), dependencies.log);
    this.onDidChangeView = this.#viewer.onDidChange;
    this.onDidAppend = this.#owner.onDidAppend;
    this.#subscriptions = [
      this.#owner.onDidAppend(({ mission }) => {
        this.#driven.add(mission.mission_id);
        void this.#viewer.refresh();
      }),
      this.#owner.onDidChangeOwnership(() => void this.#viewer.refresh()),
      this.#owner.onDidHalt(({ code, reason, phases = [] }) => {
        dependencies.log.error(ui`Halted: ${code} ${reason}`);
        void alarm(
          ui`The mission${inFolder(workspaceOf(folder, all()))} was halted (${[code, ...phases].join('; ')}): ${reason} Resume it when the cause is gone.`,
        );
      }),
      this.#viewer.onDidChange((view) => {
        if (view.owner === 'another') this.#driven.clear();
        this.#followSaves(view);
      }),
    ];
  }

  get isOwner(): boolean {
    return this.#owner.host !== null;
  }

  get view(): MissionControlView | null {
    return this.#viewer.view;
  }

  get read(): MissionFolder['read'] {
    return this.#viewer.read;
  }

  liveOf(...of: Parameters<MissionFolder['liveOf']>): ReturnType<MissionFolder['liveOf']> {
    return this.#viewer.liveOf(...of);
  }

  eventsOf(...of: Parameters<MissionFolder['eventsOf']>): ReturnType<MissionFolder['eventsOf']> {
    return this.#viewer.eventsOf(...of);
  }

  refresh(): Promise<void> {
    return this.#viewer.refresh();
  }

  approvalOf(plan: ApprovedBytes): Promise<ApprovalVerdict | null> {
    return this.#viewer.approvalOf(plan, this.dependencies.approvalHours());
  }

  missionSources(): Promise<MissionSources> {
    return this.#viewer.missionSources();
  }

  async recordApproval(actor: Actor, approval: ApprovedFile, reason: string): Promise<Answer> {
    if (!this.dependencies.isTrusted()) return untrusted;
    const command = { type: 'RecordApproval', ...approval };
    const message = { id: this.dependencies.ids.uuid(), mission_id: approval.plan_id, command, actor, reason };
    return this.#deliver(message, async () => {
      const own = await this.#owner.use(actor, (host) => host.recordApproval(actor, { ...approval, reason }));
      if (!own.ok) return own;
      return done(own.value.ok ? accepted('The approval is recorded.') : answerOf(own.value.refusal));
    });
  }

  async run(actor: Actor, planPath: string): Promise<RunAnswer> {
    if (!this.dependencies.isTrusted()) return untrusted;
    const started = await this.#owner.use(actor, async (host) => {
      const outcome = await host.start({
        plan_path: planPath,
        actor,
        ...this.#startOptions,
      });
      if (outcome.kind === 'started') await this.#remember(outcome.engine.missionId);
      return outcome;
    });
    if (!started.ok) return answerOf(started.refusal);
    if (started.value.kind !== 'started') return answerOf(started.value.refusal);
    const { missionId } = started.value.engine;
    return { ...accepted(`Mission ${missionId} has started.`), mission_id: missionId };
  }

  command(
    actor: Actor,
    missionId: string,
    command: MissionCommand,
    reason: string,
    id = this.dependencies.ids.uuid(),
  ): Promise<Answer> {
    const message = { id, mission_id: missionId, command: { ...command }, actor, reason };
    return this.#deliver(message, () =>
      this.#owner.use(actor, async (host) => {
        const answer = await host.command({ ...message, command, expected_seq: null, from_worker: false });
        // The window that makes a mission continue also continues it after a restart.
        if (answer.accepted && host.goesOnAfter(command)) await this.#remember(missionId);
        return answer;
      }),
    );
  }

  async exportHandoff(actor: Actor, missionId: string, move: boolean, reason: string): Promise<HandoffExport> {
    const id = this.dependencies.ids.uuid();
    const answer = await this.command(actor, missionId, { type: 'ExportHandoff', move }, reason, id);
    return answer.accepted
      ? exported(await this.#viewer.handoffOf(missionId, id, handoffLimit))
      : { answer, bundle: null };
  }

  async resumeHandoff(request: Parameters<MissionFolder['resumeHandoff']>[0]): Promise<HandoffResumption> {
    if (!this.dependencies.isTrusted()) return notResumed(untrusted);
    const resumed = await this.#owner.use(request.actor, async (host) => {
      const outcome = await host.resumeHandoff({
        ...request,
        ...this.#startOptions,
      });
      if (outcome.kind === 'started') await this.#remember(outcome.engine.missionId);
      return outcome;
    });
    return resumed.ok ? resumption(resumed.value) : notResumed(resumed.refusal);
  }

  documentSaved(actor: Actor, file: string, sha256: string): Promise<void> {
    return this.#saves.add({ actor, path: this.#relative(file), sha256 });
  }

  fileChanged(file: string): void {
    void this.#owner.host?.look.at([this.#relative(file)]);
  }

  /**
   * Lets the window that drove the mission notify first, even after it released the lease. Others follow if it does
   * not, because the owner is no window (`mission run`) or is gone.
   */
  async notifyOnce(missionId: string, key: string): Promise<boolean> {
    if (!this.#driven.has(missionId)) await new Promise((resolve) => setTimeout(resolve, newsLead));
    const { stateFolder } = this.#viewer;
    return stateFolder === null || notifyOnce(stateFolder, missionId, key);
  }

  letGo(because: 'window' | 'folder'): Promise<void> {
    return this.#owner.letGo(because);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#viewer.dispose();
    this.#owner.dispose();
  }

  get #root(): string {
    return this.folder.uri.fsPath;
  }

  get #startOptions() {
    const { dependencies } = this;
    return {
      ...{ default_worker: dependencies.defaultWorker(), ...dependencies.confinement() },
      ...{ require_approval_record: true, approval_hours: dependencies.approvalHours() },
    };
  }

  #relative(file: string): string {
    return path.relative(this.#root, file).split(path.sep).join('/');
  }

  /** Sends a command to its owner; in an untrusted folder only to an owner in another process. */
  async #deliver(message: Message, decide: () => Promise<Outcome<Answer>>): Promise<Answer> {
    const here = (): Promise<Outcome<Answer>> =>
      this.dependencies.isTrusted() ? decide() : Promise.resolve({ ok: false, refusal: untrusted });
    const delivered = await deliver(this.#otherOwner(message), here, 'Mission Control: Show Mission Control');
    switch (delivered.by) {
      case 'this':
        return delivered.value;
      case 'another':
        return delivered.answer;
      case 'nobody':
        return answerOf(delivered.refusal);
    }
  }

  #otherOwner(message: Message): OtherOwner {
    return otherOwner(this.#root, { ...message, from_worker: false }, () => this.#owner.isHere());
  }

  /** False: no owner took it. */
  async #reportSave({ actor, path: file, sha256 }: Save): Promise<boolean> {
    const { host } = this.#owner;
    const command = { type: 'DocumentSaved', path: file, sha256 };
    const message = { id: this.dependencies.ids.uuid(), mission_id: '', command, actor };
    const reason = `${file} was saved in another window.`;
    const answer = host
      ? await host.documentSaved(actor, { path: file, sha256 })
      : answerIn(await sendToOwner(this.#otherOwner({ ...message, reason })));
    if (answer === null || answer.code === 'LEASE_HELD') return false;
    if (!answer.accepted) this.dependencies.log.warn(ui`The save of ${file} was not taken: ${answer.reason}`);
    return true;
  }

  #followSaves(view: MissionControlView): void {
    if (view.owner !== 'none') void this.#saves.flush();
    else if (!view.missions.some(({ live }) => live !== null)) this.#saves.forget();
  }

  #isKnown(missionId: string): boolean {
    return this.dependencies.known.has(this.#root, missionId);
  }

  #remember(missionId: string): Promise<void> {
    return this.dependencies.known.remember(this.#root, missionId);
  }
}
