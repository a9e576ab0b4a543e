import { window, type Event, type WorkspaceFolder } from 'vscode';
import path from 'node:path';
import { sendCommand } from '../adapters/inboxSender';
import { claimNews } from '../adapters/newsClaim';
import type { MissionControlView } from '../contracts/missionView';
import type { Actor } from '../contracts/vocabulary/actors';
import type { WorkerName } from '../contracts/vocabulary/workers';
import type { MissionCommand } from '../core/mission/inputs';
import { runner } from '../engine/missionEngine';
import type { Ids, Outcome, Refusal } from '../engine/ports';
import { FolderOwner, type OwnerDependencies } from './folderOwner';
import { FolderViewer, type ViewerDependencies } from './folderViewer';
import { markFound, toContinue } from './foundMissions';
import type { KnownMissions } from './knownMissions';
import type { Answer, Appended, ApprovalRecord, MissionFolder } from './missionFolder';
import type { Contribution } from './contribution';
import { SavesForOwner, type Save } from './savesForOwner';

export interface FolderDependencies extends OwnerDependencies, ViewerDependencies {
  readonly known: KnownMissions;
  readonly ids: Ids;
  isTrusted(): boolean;
  defaultWorker(): WorkerName;
}

/** Milliseconds an owner in another process has for its answer, and to tell its news before other windows do. */
const answerLimit = 15_000;
const newsLead = 2_000;

/**
 * The missions of one workspace folder: views always, owns only what a person of this machine started, and
 * sends commands to whoever owns. In an untrusted folder it never owns.
 */
export class MissionFolderService implements MissionFolder, Contribution {
  readonly #viewer: FolderViewer;
  readonly #owner: FolderOwner;
  /** Missions that were continued unasked and did not stay: not again before another owner had them. */
  readonly #continued = new Set<string>();
  /** Missions that went on in this window, and nowhere else since. */
  readonly #driven = new Set<string>();
  readonly #saves = new SavesForOwner((save) => this.#tellSaved(save));
  readonly #subscriptions: Contribution[];
  readonly onDidChangeView: Event<MissionControlView>;
  readonly onDidAppend: Event<Appended>;

  constructor(
    readonly folder: WorkspaceFolder,
    private readonly dependencies: FolderDependencies,
  ) {
    this.#owner = new FolderOwner(this.#root, dependencies);
    this.#viewer = new FolderViewer(
      folder,
      dependencies,
      () => this.isOwner,
      (view) => markFound(view, (missionId) => this.#isKnown(missionId)),
    );
    this.onDidChangeView = this.#viewer.onDidChange;
    this.onDidAppend = this.#owner.onDidAppend;
    this.#subscriptions = [
      this.#owner.onDidAppend(({ mission }) => {
        this.#driven.add(mission.mission_id);
        void this.#viewer.refresh();
      }),
      this.#owner.onDidChangeOwnership(() => void this.#viewer.refresh()),
      this.#owner.onDidHalt(({ code, reason }) => {
        dependencies.log.error(`Halted: ${code} ${reason}`);
        void window.showErrorMessage(`The mission was halted (${code}): ${reason} Resume it when the cause is gone.`);
      }),
      this.#viewer.onDidChange((view) => {
        if (view.owner === 'another') this.#driven.clear();
        this.#continue(view);
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

  refresh(): Promise<void> {
    return this.#viewer.refresh();
  }

  async isApprovalRecorded(planSha256: string): Promise<boolean> {
    return this.dependencies.known.hasApproval(this.#root, planSha256) && this.#viewer.isRecorded(planSha256);
  }

  async recordApproval(actor: Actor, approval: ApprovalRecord, reason: string): Promise<Answer> {
    if (!this.dependencies.isTrusted()) return untrusted;
    const answer = await this.#record(actor, approval, reason);
    if (answer.accepted) await this.dependencies.known.rememberApproval(this.#root, approval.plan_sha256);
    return answer;
  }

  async run(actor: Actor, planPath: string): Promise<Answer> {
    if (!this.dependencies.isTrusted()) return untrusted;
    const started = await this.#owner.use(actor, async (host) => {
      const outcome = await host.start({
        plan_path: planPath,
        actor,
        default_worker: this.dependencies.defaultWorker(),
        require_approval_record: true,
      });
      if (outcome.kind === 'started') await this.#remember(outcome.engine.missionId);
      return outcome;
    });
    if (!started.ok) return answerOf(started.refusal);
    return started.value.kind === 'started'
      ? accepted(`Mission ${started.value.engine.missionId} has started.`)
      : answerOf(started.value.refusal);
  }

  async command(actor: Actor, missionId: string, command: MissionCommand, reason: string): Promise<Answer> {
    const id = this.dependencies.ids.uuid();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      if (this.dependencies.isTrusted()) {
        const own = await this.#decide(actor, id, missionId, command, reason);
        if (own.ok) return own.value;
        if (own.refusal.code !== 'LEASE_HELD') return answerOf(own.refusal);
      } else if (!(await this.#viewer.isOwned())) return untrusted;
      const answer = await this.#send(actor, missionId, { ...command }, reason, id);
      if (answer.code !== nobody) return answer;
    }
    return {
      accepted: false,
      code: 'LEASE_HELD',
      reason: 'The owner of the missions of this folder does not answer.',
      next: ['End that process; ownership is free at once.'],
    };
  }

  documentSaved(actor: Actor, file: string, sha256: string): void {
    const relative = path.relative(this.#root, file).split(path.sep).join('/');
    void this.#saves.add({ actor, path: relative, sha256 });
  }

  /**
   * The window that drove the mission tells, even when it has given the lease back by now. Others only where it does
   * not: its owner is no window (`mission run`), or has gone.
   */
  async claimNews(missionId: string, key: string): Promise<boolean> {
    if (!this.#driven.has(missionId)) await new Promise((resolve) => setTimeout(resolve, newsLead));
    const { stateFolder } = this.#viewer;
    return stateFolder === null || claimNews(stateFolder, missionId, key);
  }

  /** Gives the lease back for good: the window closes. */
  letGo(): Promise<void> {
    return this.#owner.letGo();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#viewer.dispose();
    this.#owner.dispose();
  }

  get #root(): string {
    return this.folder.uri.fsPath;
  }

  async #record(actor: Actor, approval: ApprovalRecord, reason: string): Promise<Answer> {
    const own = await this.#owner.use(actor, (host) => host.recordApproval(actor, { ...approval, reason }));
    if (own.ok) return own.value ? accepted('The approval is recorded.') : journalRefused;
    if (own.refusal.code !== 'LEASE_HELD') return answerOf(own.refusal);
    return this.#send(
      actor,
      approval.plan_id,
      { type: 'RecordApproval', ...approval },
      reason,
      this.dependencies.ids.uuid(),
    );
  }

  async #decide(
    actor: Actor,
    id: string,
    missionId: string,
    command: MissionCommand,
    reason: string,
  ): Promise<Outcome<Answer>> {
    return this.#owner.use(actor, async (host) => {
      const answer = await host.command({
        id,
        mission_id: missionId,
        command,
        actor,
        reason,
        expected_seq: null,
        from_worker: false,
      });
      // Whoever makes a mission go on here answers for it here.
      if (answer.accepted && (command.type === 'ResumeMission' || command.type === 'RetryTask'))
        await this.#remember(missionId);
      return answer;
    });
  }

  async #send(
    actor: Actor,
    missionId: string,
    command: Record<string, unknown>,
    reason: string,
    id: string,
  ): Promise<Answer> {
    if (!this.#viewer.stateFolder) await this.#viewer.refresh();
    const { stateFolder } = this.#viewer;
    if (!stateFolder)
      return answerOf({
        code: 'MISSION_UNKNOWN',
        reason: 'There are no missions in this folder.',
        next: ['Mission Control: Run Plan'],
      });
    const answer = await sendCommand(
      stateFolder,
      { id, mission_id: missionId, command, actor, reason, expected_seq: null, from_worker: false, token_sha256: null },
      { timeoutMs: answerLimit },
    );
    switch (answer) {
      case 'nobody':
        return { accepted: false, code: nobody, reason: 'Nobody took the command.', next: ['Try again.'] };
      case 'pending':
        return {
          accepted: false,
          code: 'LEASE_HELD',
          reason: 'The owner has taken the command and has not answered; it, or the next owner, still decides it.',
          next: ['Mission Control: Show Mission Control'],
        };
      default:
        return answer;
    }
  }

  /** False: nobody owns now. */
  async #tellSaved({ actor, path: file, sha256 }: Save): Promise<boolean> {
    const { host } = this.#owner;
    if (!host && !(await this.#viewer.isOwned())) return false;
    const command = { type: 'DocumentSaved', path: file, sha256 };
    const answer = await (host?.documentSaved(actor, { path: file, sha256 }) ??
      this.#send(actor, '', command, `${file} was saved in another window.`, this.dependencies.ids.uuid()));
    if (answer.code === nobody || answer.code === 'LEASE_HELD') return false;
    if (!answer.accepted) this.dependencies.log.warn(`The save of ${file} was not taken: ${answer.reason}`);
    return true;
  }

  #followSaves(view: MissionControlView): void {
    if (view.owner !== 'none') void this.#saves.flush();
    else if (!view.missions.some(({ live }) => live !== null)) this.#saves.forget();
  }

  #continue(view: MissionControlView): void {
    if (view.owner === 'another') this.#continued.clear();
    if (!this.dependencies.isTrusted()) return;
    for (const mission of toContinue(view, (missionId) => this.#isKnown(missionId))) {
      if (this.#continued.has(mission.mission_id)) continue;
      this.#continued.add(mission.mission_id);
      void this.#take(mission.mission_id);
    }
  }

  async #take(missionId: string): Promise<void> {
    const taken = await this.#owner.use(runner, (host) => host.take(missionId));
    if (taken.ok && taken.value.ok) this.dependencies.log.info(`Continued ${missionId}.`);
    else {
      const refusal = taken.ok ? (taken.value.ok ? null : taken.value.refusal) : taken.refusal;
      // Another window was faster, or a former owner is still on its way out: the next look tells.
      if (refusal?.code === 'LEASE_HELD') this.#continued.delete(missionId);
      this.dependencies.log.warn(`${missionId} was not continued: ${refusal?.reason ?? ''}`);
    }
  }

  #isKnown(missionId: string): boolean {
    return this.dependencies.known.has(this.#root, missionId);
  }

  #remember(missionId: string): Promise<void> {
    return this.dependencies.known.remember(this.#root, missionId);
  }
}

/** Not a refusal of an owner: there was none. */
const nobody = 'NOBODY';

const untrusted: Answer = {
  accepted: false,
  code: 'WORKSPACE_UNTRUSTED',
  reason: 'This workspace is not trusted, so nothing is started here.',
  next: ['Workspaces: Manage Workspace Trust'],
};

const journalRefused: Answer = {
  accepted: false,
  code: 'STATE_STORE_UNWRITABLE',
  reason: 'The journal did not take the approval.',
  next: ['Mission Control: Doctor'],
};

function accepted(reason: string): Answer {
  return { accepted: true, code: 'OK', reason, next: [] };
}

function answerOf({ code, reason, next }: Refusal): Answer {
  return { accepted: false, code, reason, next };
}
