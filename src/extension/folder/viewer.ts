import path from 'node:path';
import { errorWords, type Outcome } from '../../base/outcome';
import { EventEmitter, RelativePattern, workspace, type Event, type WorkspaceFolder } from 'vscode';
import { watchFolder } from '../../adapters/files/watch';
import { createEvidenceFiles } from '../../adapters/evidence/files';
import { createHandoffFiles } from '../../adapters/handoff/files';
import type { MissionSources } from '../../engine/mission/carried';
import type { NodeViewer } from '../../adapters/nodeViewer';
import type { MissionControlView } from '../../contracts/page/missionView';
import { ui } from '../../base/text/marked/ui';
import {
  askedHandoff,
  MissionReader,
  noMissions,
  ofWorkspace,
  type ReadMissions,
  readEventRange,
  type EventRange,
} from '../../engine/views/reader';
import { ofThisUser } from '../../adapters/journal/journal';
import type { Mission } from '../../core/model/state';
import type { LiveFacts } from '../../core/view/mission/missionView';
import { liveFactsOf, missionControlSnapshot } from '../../engine/views/snapshot';
import type { Clock } from '../../engine/ports/time';
import { approvalVerdict } from '../../engine/plans/approvals';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import type { ApprovedBytes } from './missionFolders';
import type { Contribution } from '../registry/registry';
import type { Log } from '../window/log';
import { oneAtATime } from '../window/paced';

export interface ViewerDependencies {
  openViewer(workspaceDir: string): Promise<Outcome<NodeViewer | null>>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Milliseconds: the shortest time between two snapshots; between looks with a running mission; between looks without
 * one.
 */
const pace = { least: 100, open: 2000, idle: 60_000 } as const;

interface OpenViewer {
  readonly node: NodeViewer;
  readonly reader: MissionReader;
}

/**
 * Reads one folder's missions from disk. Creates no file and holds no lock. Waits for a state folder. File events
 * trigger it, and a slow timer replaces lost ones.
 */
export class FolderViewer implements Contribution {
  readonly #changed = new EventEmitter<MissionControlView>();
  readonly #subscriptions: Contribution[] = [this.#changed];
  #viewer: OpenViewer | null = null;
  #view: MissionControlView | null = null;
  #lastRead = noMissions;
  #watch: { readonly fallbackMs: number; dispose(): void } | null = null;
  #sequence = 0;
  #problem = '';
  #disposed = false;
  readonly onDidChange: Event<MissionControlView> = this.#changed.event;
  /** Resolves when a snapshot begun after this call has fired. */
  readonly refresh = oneAtATime(async () => {
    if (this.#disposed) return;
    await this.#read();
    await new Promise((resolve) => setTimeout(resolve, pace.least));
  });

  constructor(
    private readonly folder: WorkspaceFolder,
    private readonly dependencies: ViewerDependencies,
    private readonly ownedHere: () => boolean,
    private readonly decorate: (view: MissionControlView) => Promise<MissionControlView>,
  ) {
    const appears = workspace.createFileSystemWatcher(
      new RelativePattern(folder, '.mission-control/state.db'),
      false,
      true,
      false,
    );
    appears.onDidCreate(() => void this.refresh());
    appears.onDidDelete(() => void this.#reopen());
    this.#subscriptions.push(appears);
    void this.refresh();
  }

  get view(): MissionControlView | null {
    return this.#view;
  }

  get stateFolder(): NodeViewer['folder'] | null {
    return this.#viewer?.node.folder ?? null;
  }

  get read(): ReadMissions {
    return this.#lastRead;
  }

  async liveOf(mission: Mission): Promise<ReadonlyMap<string, LiveFacts>> {
    const node = this.#viewer?.node;
    if (!node) return new Map();
    const owned = this.#view !== null && this.#view.owner !== 'none';
    // The view of this state already says how its processes are.
    const known = this.#view?.missions.some(
      (one) => one.mission_id === mission.mission_id && one.last_seq === mission.last_seq,
    );
    return liveFactsOf(mission, owned || known === true, (runDir, left) => node.live(mission.mission_id, runDir, left));
  }

  async eventsOf(mission: Mission, from: number, count: number): Promise<EventRange | null> {
    return this.#viewer && readEventRange(this.#viewer.node.missions, mission, from, count);
  }

  /** Null: this folder has no journal. */
  async approvalOf({ plan_file, ...plan }: ApprovedBytes, hours: number): Promise<ApprovalVerdict | null> {
    if (!this.#viewer) await this.refresh();
    if (!this.#viewer) return null;
    const { records, approvals } = this.#viewer.node;
    const plan_path = path.relative(this.folder.uri.fsPath, plan_file).split(path.sep).join('/');
    return approvalVerdict(records, approvals, { ...plan, plan_path }, this.dependencies.clock.now(), hours);
  }

  async missionSources(): Promise<MissionSources> {
    if (!this.#viewer) await this.refresh();
    const { reader, node } = this.#viewer ?? { reader: null, node: null };
    const missions = ofWorkspace((await reader?.read()) ?? noMissions);
    const root = this.folder.uri.fsPath;
    const evidence = createEvidenceFiles({ workspaceRoot: root });
    return {
      missions,
      ports: { journal: node && ofThisUser(node.journal), evidence, handoffs: createHandoffFiles(root) },
    };
  }

  /** See `askedHandoff` of the engine; null: not decided within the time. */
  async handoffOf(missionId: string, commandId: string, timeoutMs: number): ReturnType<typeof askedHandoff> {
    for (const deadline = performance.now() + timeoutMs; !this.#disposed;) {
      const left = deadline - performance.now();
      const news = new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          subscription.dispose();
          resolve();
        };
        const timer = setTimeout(done, Math.min(left, pace.open));
        const subscription = this.onDidChange(done);
      });
      const handoff = this.#viewer && (await askedHandoff(this.#viewer.reader, missionId, commandId));
      if (handoff || left <= 0) return handoff;
      await news;
    }
    return null;
  }

  dispose(): void {
    this.#disposed = true;
    this.#watch?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
    void this.#viewer?.node.close();
    this.#viewer = null;
  }

  async #read(): Promise<void> {
    try {
      this.#viewer ??= await this.#open();
      const { read, view } = await this.#snapshot(this.#viewer);
      if (this.#disposed) return;
      this.#problem = '';
      this.#lastRead = read;
      this.#view = view;
      this.#followFiles(view);
      this.#changed.fire(view);
    } catch (error) {
      this.#report(errorWords(error));
      this.#viewer?.node.close().catch((cause: unknown) => this.#report(String(cause)));
      this.#viewer = null;
    }
  }

  async #open(): Promise<OpenViewer | null> {
    const opened = await this.dependencies.openViewer(this.folder.uri.fsPath);
    if (!opened.ok) {
      const { code, reason, next } = opened.refusal;
      throw new Error(`${code}: ${reason} ${next.join(' ')}`);
    }
    return opened.value && { node: opened.value, reader: new MissionReader(opened.value.missions) };
  }

  async #snapshot(viewer: OpenViewer | null): ReturnType<typeof missionControlSnapshot> {
    this.#sequence += 1;
    const header = { workspace: this.folder.name, sequence: this.#sequence, now: this.dependencies.clock.now() };
    const { read, view } = await missionControlSnapshot(viewer, header, this.ownedHere());
    return { read, view: viewer ? await this.decorate(view) : view };
  }

  /** Watches the state folder, because it holds state.db and its log; the timer covers heartbeats. */
  #followFiles(view: MissionControlView): void {
    const root = this.stateFolder?.root;
    if (root === undefined) return;
    const fallbackMs = view.missions.some((mission) => mission.status === 'running' || mission.status === 'planned')
      ? pace.open
      : pace.idle;
    if (this.#watch?.fallbackMs === fallbackMs) return;
    this.#watch?.dispose();
    let first = true;
    const look = async (): Promise<void> => {
      if (!first) await this.refresh();
      first = false;
    };
    this.#watch = { fallbackMs, ...watchFolder(root, look, { fallbackMs, keepAlive: false }) };
  }

  async #reopen(): Promise<void> {
    this.#watch?.dispose();
    this.#watch = null;
    await this.#viewer?.node.close();
    this.#viewer = null;
    await this.refresh();
  }

  /** Reports a problem once, because the timer meets it again and again. */
  #report(problem: string): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.dependencies.log.error(ui`The missions of ${this.folder.name} cannot be read: ${problem}`);
  }
}
