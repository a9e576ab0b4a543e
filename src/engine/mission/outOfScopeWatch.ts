import { runner } from '../../contracts/vocabulary/actors';
import { attributeChanges } from '../../core/lifecycle/changes/attributeChanges';
import { reachesOf } from '../../core/lifecycle/changes/launchReach';
import { isBeingStopped, laneOf, verifiesBeside } from '../../core/model/lanes';
import type { Attempt } from '../../core/model/attempt';
import { rowOf, writablePaths, type Mission, type Tasks } from '../../core/model/state';
import { blocks } from '../../core/observation/attribute';
import type { Change, RawChange } from '../../core/observation/change';
import { inScope, within } from '../../core/paths/compare';
import { isEditorLeftover } from '../../base/leftovers';
import { reservedFolderOf } from '../../core/paths/reserved';
import type { MissionEngine } from './engine';
import type { EnginePorts } from '../ports/engine';

/** Seconds from an event to the look. People's saves are reported by then, and a burst of events leads to one look. */
const settleSeconds = 0.5;
/**
 * Seconds from a look that found a violation to the one that confirms it. A busy window reports a save of its person
 * only seconds after it wrote the file.
 */
const confirmSeconds = 10;
/** Bytes that change between looks may be late saves of a person; after so many looks, a worker. */
const looksAtMost = 3;
/** Rest after a look, as a multiple of its duration, because builds write all the time. */
const restFactor = 5;

/** Seconds between looks of an owner without file events, and the same as a multiple of a look's duration. */
const patrolSeconds = 15;
const patrolFactor = 20;

interface Worker {
  readonly engine: MissionEngine;
  readonly mission: Mission;
  readonly lane: Attempt;
  readonly launchId: string;
}

/**
 * Stops a worker that writes out of its scope before it ends (decision 28; seed 001: "Any deviation -> fail fast"). A file event proves nothing,
 * because a person, another tool or a temporary file may cause it. It triggers a look: the difference to the baseline,
 * attributed as at the end, but not recorded. A change is reported when two looks in a row show the same bytes. Without
 * a sandbox, one of unknown origin is reported of each lane that may have made it, and blocks. The difference at the
 * end stays the authority.
 */
export class EarlyLook {
  /** Something changed since the last look. */
  #suspected = false;
  /** Changes that the last look held against a launch, for the next look to confirm. */
  #doubts = new Map<string, readonly RawChange[]>();
  #looking: Promise<void> | null = null;
  #sleeping: { dispose(): void; wake(): void } | null = null;
  #patrol: { dispose(): void } | null = null;
  #lookSeconds = 0;
  #disposed = false;

  constructor(
    private readonly ports: Pick<EnginePorts, 'workspace' | 'paths' | 'clock' | 'timers' | 'savesReported'>,
    private readonly engines: () => readonly MissionEngine[],
  ) {}

  /**
   * Call when something changed at these paths (POSIX, relative to the workspace root). One look at a time, however
   * many events come; resolves when no more looks are due.
   */
  at(paths: readonly string[]): Promise<void> {
    const workers = this.#disposed ? [] : [...this.#workers('running'), ...this.#workers('starting')];
    if (workers.some(({ mission }) => paths.some((path) => this.#isWorthALook(path, mission)))) {
      this.#suspected = true;
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
    }
    return this.#looking ?? Promise.resolve();
  }

  /** Looks again and again, because no editor reports changes to this owner. Only at a worker that no sandbox holds. */
  patrol(): void {
    const { clock, timers } = this.ports;
    const seconds = Math.max(patrolSeconds, patrolFactor * this.#lookSeconds);
    this.#patrol = timers.at(clock.after(clock.now(), seconds), () => {
      const unheld = this.#workers('running').some(({ mission, lane }) => isUnheld(mission, lane));
      if (unheld) this.#looking ??= this.#look().finally(() => (this.#looking = null));
      void Promise.resolve(this.#looking).finally(() => {
        if (!this.#disposed) this.patrol();
      });
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#patrol?.dispose();
    this.#sleeping?.dispose();
    this.#sleeping?.wake();
  }

  async #look(): Promise<void> {
    let rest = settleSeconds;
    do {
      await this.#sleep(this.#doubts.size > 0 ? confirmSeconds : rest);
      if (this.#disposed) return;
      // A worker may write before its start is recorded: look again when it is.
      this.#suspected = this.#workers('starting').length > 0;
      const before = Date.parse(this.ports.clock.now());
      const doubts = new Map<string, readonly RawChange[]>();
      for (const worker of this.#workers('running')) {
        const found = await this.#lookOnce(worker);
        if (found.length > 0) doubts.set(worker.launchId, found);
      }
      this.#doubts = doubts;
      this.#lookSeconds = (Date.parse(this.ports.clock.now()) - before) / 1000;
      rest = Math.max(settleSeconds, restFactor * this.#lookSeconds);
    } while (this.#suspected || this.#doubts.size > 0);
  }

  /** Returns what the next look must confirm; nothing once it was reported. */
  async #lookOnce({ engine, mission, lane, launchId }: Worker): Promise<readonly RawChange[]> {
    if (!lane.baseline) return [];
    const { scope } = rowOf(mission, lane.task_id);
    const run_dir = this.ports.paths.runDir(mission.mission_id, lane.run_dir);
    const difference = await this.ports.workspace.difference({
      mission_id: mission.mission_id,
      baseline_sha256: lane.baseline.manifest_sha256,
      run_dir,
      only_look: true,
      forbidden_paths: scope.forbidden_paths,
      paths: [...scope.paths, ...(lane.baseline.folders ?? [])],
    });
    if (this.#doubts.has(launchId)) await this.ports.savesReported();
    // Judges by the present state, because a save may be reported or a lane may come or go meanwhile. A failed look is
    // left to the end.
    const now = this.#workers('running').find((one) => one.launchId === launchId);
    if (!difference.ok || !now || this.#disposed) return [];
    const found = this.#deviations(now, difference.value.changes);
    const before = this.#deviations(now, this.#doubts.get(launchId) ?? []);
    const earlier = new Map<string, RawChange[]>();
    for (const change of before) earlier.set(change.path, [...(earlier.get(change.path) ?? []), change]);
    const confirmed = found.find(({ path, after_sha256 }) => {
      const seen = earlier.get(path) ?? [];
      return seen.length + 1 >= looksAtMost || seen.some((change) => change.after_sha256 === after_sha256);
    });
    if (!confirmed || isJudged(now.mission))
      return found.flatMap((change) => [...(earlier.get(change.path) ?? []), change]);
    const { path, violation } = confirmed;
    const stray = violation === null ? { stray: true as const } : {};
    await engine.submit({ type: 'OutOfScopeWriteWasSeen', launch_id: launchId, path, seen: true, ...stray }, runner);
    return [];
  }

  #deviations({ mission, lane }: Worker, changes: readonly RawChange[]): readonly Change[] {
    const attributed = attributeChanges(mission, lane, changes, this.ports.paths.scope).changes;
    const blocksAlone = isUnheld(mission, lane);
    // Leaves out evidence, because the runner writes it itself.
    return attributed.filter(
      (change) =>
        (change.violation !== null || (blocksAlone && change.doubt !== undefined && blocks(change))) &&
        !isEvidence(change.path) &&
        !isEditorLeftover(change.path),
    );
  }

  #workers(at: 'starting' | 'running'): readonly Worker[] {
    return this.engines().flatMap((engine) => {
      const { mission, halt } = engine;
      if (!mission || halt) return [];
      return mission.lanes.flatMap((lane) =>
        lane.stage.at === at && lane.stage.purpose.kind === 'worker' && !isBeingStopped(lane)
          ? [{ engine, mission, lane, launchId: lane.stage.launch_id }]
          : [],
      );
    });
  }

  #isWorthALook(path: string, mission: Tasks): boolean {
    const reserved = reservedFolderOf(path);
    if (reserved === '.mission-control' || isEvidence(path) || isEditorLeftover(path)) return false;
    if (reserved === '.git') return isObservedOfGit(path);
    const { comparison } = this.ports.paths.scope;
    return !mission.rows.some(
      (row) =>
        laneOf(mission, row.task.task_id) !== undefined &&
        inScope(path, writablePaths(row), comparison) &&
        !within(path, row.scope.forbidden_paths, comparison),
    );
  }

  #sleep(seconds: number): Promise<void> {
    const { clock, timers } = this.ports;
    return new Promise((resolve) => {
      const timer = timers.at(clock.after(clock.now(), seconds), resolve);
      this.#sleeping = { dispose: () => timer.dispose(), wake: resolve };
    });
  }
}

/** Nothing holds it, and no verify command beside it may have made a change. Each such lane would block at the end. */
function isUnheld(mission: Tasks, lane: Attempt): boolean {
  return reachesOf(mission, lane).length === 0 && verifiesBeside(mission, lane).length === 0;
}

/** An ended worker waits to be judged: its difference shows what it changed. */
function isJudged(mission: Tasks): boolean {
  return mission.lanes.some(({ stage }) => stage.at === 'observing' || stage.at === 'judging');
}

function isEvidence(path: string): boolean {
  return reservedFolderOf(path) === 'docs/ops/executions';
}

/** Returns whether a manifest compares this file of `.git`; not the index, because git rewrites it when it reads. */
function isObservedOfGit(path: string): boolean {
  return (
    /(^|\/)\.git\/(.+\/)?(HEAD|config|config\.worktree|packed-refs|commondir|objects\/info\/(http-)?alternates|(refs\/(heads|tags|replace)|reftable|hooks|info|rebase-merge|rebase-apply|sequencer)\/.+)$/.test(
      path,
    ) && !/\.lock$|\/refs\/remotes\/|\/logs\//.test(path)
  );
}
