import path from 'node:path';
import { watchFolder } from '../../adapters/files/watch';
import { fileIdentity } from '../../adapters/journal/store';
import { openNodeViewer, type NodeViewer } from '../../adapters/nodeViewer';
import { errorWords } from '../../base/outcome';
import { systemClock } from '../../adapters/system/clock';
import type { MissionControlView } from '../../contracts/page/missionView';
import type { Mission, Tasks } from '../../core/model/state';
import type { LiveFacts } from '../../core/view/mission/missionView';
import { EventFeed } from '../../engine/views/eventFeed';
import { readEventRange, MissionReader, noMissions, type EventRange } from '../../engine/views/reader';
import { panelFolder, type FolderFiles } from '../../engine/views/panelOfFolder';
import type { PanelFolder } from '../../engine/views/panelView';
import { liveFactsOf, missionControlSnapshot } from '../../engine/views/snapshot';
import { FilesOfFolder } from './folderFiles';

/** Milliseconds between two looks where no file event came. */
const looksEvery = 1000;

/** An open journal; another one, or the same after a trouble, is another object. */
export interface OpenJournal {
  readonly node: NodeViewer;
  readonly reader: MissionReader;
  readonly feed: EventFeed;
  readonly file: string;
}

/** One workspace as a viewer sees it: takes no lease, creates nothing, and waits for a journal that is to come. */
export class ServedWorkspace {
  /** A turn after each look, whether or not something is new. */
  readonly looks = new Turns();
  #journal: OpenJournal | null = null;
  #missions = noMissions;
  /** What is shown of these missions; null: none was read. */
  #view: MissionControlView | null = null;
  #files: Awaited<ReturnType<FilesOfFolder['read']>> = { plans: [], hasAllPlans: false, evidence: [] };
  #doubts: string | null = null;
  #problem: string | null = null;
  #watch: { dispose(): void } | null = null;
  #watched = '';
  #closed = false;
  #lastLook: Promise<void> = Promise.resolve();
  #coming: Promise<void> | null = null;
  readonly #folderFiles: FilesOfFolder;

  constructor(
    readonly workspace: string,
    private readonly onProblem: (problem: string) => void,
  ) {
    this.#folderFiles = new FilesOfFolder(workspace);
  }

  get journal(): OpenJournal | null {
    return this.#journal;
  }

  /** Why the journal cannot be read now; null: it can, or it does not exist yet. */
  get problem(): string | null {
    return this.#problem;
  }

  get folder(): PanelFolder {
    const { missions, unreadable } = this.#missions;
    const name = path.basename(this.workspace);
    // A journal that cannot be read at all is named where its missions would stand.
    const whole = this.#problem === null ? [] : [{ mission_id: `The journal of ${name}`, reason: this.#problem }];
    return panelFolder(
      {
        key: this.workspace,
        workspace: name,
        owner: this.#view?.owner ?? 'none',
        views: this.#view?.missions ?? [],
        missions,
        unreadable: [...unreadable, ...whole],
      },
      this.#files,
    );
  }

  get plans(): Pick<FolderFiles, 'plans'> & { readonly hasAllPlans: boolean } {
    return this.#files;
  }

  async liveOf(mission: Tasks): Promise<ReadonlyMap<string, LiveFacts>> {
    const node = this.#journal?.node;
    if (!node) return new Map();
    return liveFactsOf(mission, this.#view?.owner === 'another', (runDir, left) =>
      node.live(mission.mission_id, runDir, left),
    );
  }

  async events(mission: Mission, from: number, count: number): Promise<EventRange | null> {
    return this.#journal && readEventRange(this.#journal.node.journal, mission, from, count);
  }

  /** A reader failed: the next look opens it again, and says what is wrong. */
  doubt(error: unknown): void {
    if (this.#journal !== null) this.#doubts = errorWords(error);
  }

  /**
   * Looks now, because a mission may have begun since the last look. One look at a time, because two would each open the
   * journal; callers that come before it begins share it.
   */
  look(): Promise<void> {
    this.#coming ??= this.#lastLook.then(() => {
      this.#coming = null;
      return this.#closed ? undefined : this.#look();
    });
    this.#lastLook = this.#coming.catch(() => undefined);
    return this.#coming;
  }

  /** Resolves when it has looked once. */
  async start(): Promise<void> {
    await this.look();
    this.#follow();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watch?.dispose();
    this.looks.end();
    await this.#lastLook;
    await this.#journal?.node.close();
    this.#journal = null;
  }

  #follow(): void {
    const root = this.#journal?.node.folder.root ?? this.workspace;
    if (this.#watched === root) return;
    this.#watched = root;
    this.#watch?.dispose();
    this.#watch = watchFolder(root, () => this.look(), { fallbackMs: looksEvery, keepAlive: true });
  }

  async #look(): Promise<void> {
    try {
      const doubts = this.#doubts;
      this.#doubts = null;
      if (doubts !== null) throw new Error(doubts);
      await this.#read();
      this.#problem = null;
    } catch (error) {
      const problem = errorWords(error);
      if (problem !== this.#problem) this.onProblem(`The journal cannot be read: ${problem}`);
      this.#problem = problem;
      await this.#forget();
    }
    this.looks.next();
  }

  async #read(): Promise<void> {
    this.#files = await this.#folderFiles.read((plan) =>
      this.#missions.missions.some(({ mission }) => mission.plan.plan_id === plan),
    );
    // Forgets a journal whose file was removed or replaced, because the old file would be read for ever.
    if (this.#journal && fileIdentity(this.#journal.node.folder.stateDb) !== this.#journal.file) await this.#forget();
    this.#journal ??= await this.#open();
    if (this.#watch) this.#follow();
    if (this.#journal === null) return;
    const header = { workspace: path.basename(this.workspace), sequence: this.looks.number, now: systemClock.now() };
    ({ read: this.#missions, view: this.#view } = await missionControlSnapshot(this.#journal, header));
  }

  async #open(): Promise<OpenJournal | null> {
    const opened = await openNodeViewer({ workspaceDir: this.workspace, journal: { kind: 'in_process' } });
    if (!opened.ok) throw new Error(`${opened.refusal.code}: ${opened.refusal.reason}`);
    const node = opened.value;
    if (node === null) return null;
    const file = fileIdentity(node.folder.stateDb);
    // The owner is about to make the file. A later look opens it, because the file that is read must stay the same.
    if (file === 'none') {
      await node.close();
      return null;
    }
    const reader = new MissionReader(node.missions);
    return { node, reader, feed: new EventFeed(node.journal, reader), file };
  }

  async #forget(): Promise<void> {
    const journal = this.#journal;
    this.#journal = null;
    this.#missions = noMissions;
    this.#view = null;
    await journal?.node.close().catch(() => undefined);
  }
}

/** Counts something that happens again and again. A caller misses no turn that comes after it began to wait. */
export class Turns {
  #ended = false;
  #number = 0;
  #waiting: (() => void)[] = [];

  /** How often it has happened. */
  get number(): number {
    return this.#number;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  next(): void {
    this.#number += 1;
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  /** Resolves with the turn after `number`, at once where it has come already. */
  after(number: number): Promise<void> {
    if (this.#ended || this.#number > number) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Lets every present and later caller go on. */
  end(): void {
    this.#ended = true;
    this.next();
  }
}
