import { openedBy } from '../../../core/recovery/permission/record';
import { done, refused, type Outcome } from '../../../base/outcome';
import { holdsNetwork } from '../../../contracts/vocabulary/confinement';
import { boundaryOf, type TaskBoundary, foldersOf } from '../../../core/confinement/boundary';
import type { PreparedLaunch } from '../../../core/model/facts';
import type { Attempt, Launch } from '../../../core/model/attempt';
import { laneOf } from '../../../core/model/lanes';
import { rowOf, type Mission, type TaskRow, type Tasks } from '../../../core/model/state';
import { waitingWork, type WaitingWork } from '../../../core/model/waitingWork';
import { overlaps } from '../../../core/paths/compare';
import { secretsSeen } from '../../../core/paths/reading';
import { providerNetwork } from '../../../core/confinement/words';
import type { AgentWorker, HeldBy } from '../../../workers/worker';
import type { EnginePorts } from '../../ports/engine';
import type { LayerTurn, SandboxBoundary, SharedCaches } from '../../ports/sandbox';
import { networkUnheld, openNetwork } from '../../plans/providerHosts';

export interface Confined {
  /** Null: no sandbox of Mission Control. */
  readonly sandbox: NonNullable<PreparedLaunch['sandbox']> | null;
  /** Why there is no sandbox where one was preferred, one sentence; null: there is one, or none was asked for. */
  readonly lacking: string | null;
  /** Why its sandbox has no layers, the end of a sentence; null: it has, or there is no sandbox. */
  readonly noLayers: string | null;
  /** Why no layer takes what it writes outside its paths, the end of a sentence; null: one does, or there is no sandbox. */
  readonly noTree: string | null;
  /** A sentence about the limits of its network, with a blank in front; empty if no limit was requested. */
  readonly network: string;
  /** What an agent's launch line needs to know about the sandbox; null: the mission asks for no sandbox. */
  readonly by: HeldBy | null;
}

export interface Program {
  /** The words of its command line that may be files, its program first. */
  readonly programWords: readonly string[];
  readonly own?: readonly string[];
  /** Hosts that an agent may reach where its network is limited; null: the launch runs a command of the plan. */
  readonly hosts: readonly string[] | null;
}

/**
 * Describes what a launch of a task may write, with what a person or the plan opened to it.
 *
 * @param back work that a person sent back and its layer still holds; null: nothing was sent back, or it is gone
 */
export function boundOf(
  mission: Tasks,
  task_id: string,
  { run_dir, adjustment, purpose, back }: Launch & { readonly back: WaitingWork | null },
  { paths }: Pick<EnginePorts, 'paths'>,
): Omit<BoundLaunch, 'worker'> {
  const boundary = boundaryOf(mission, task_id, purpose.kind, paths.scope.comparison);
  const opened = adjustment ? openedBy(adjustment) : { granted: [], readable: [] };
  const lane = laneOf(mission, task_id);
  const row = rowOf(mission, task_id);
  const work = (lane && (waitingWork(row, lane) ?? back)?.layer) ?? undefined;
  const turn = turnOf(mission, row, lane, { purpose, isFirst: work === undefined });
  const { lands, ...rest } = boundary;
  // What no layer holds is verified where it is.
  const taken = lands && (boundary.waits ?? work) ? { lands } : {};
  return {
    boundary: { ...rest, ...taken },
    run_dir,
    beside: mission.rows.some(
      (other) =>
        other !== row &&
        other.lock === 'held' &&
        other.scope.paths.some((one) => row.scope.paths.some((path) => overlaps(one, path, paths.scope.comparison))),
    ),
    ...opened,
    layered: true,
    ...(turn && { turn }),
    ...(work && { work }),
    caches: purpose.kind === 'verify' && turn ? ofChecks(turn) : { name: mission.mission_id },
  };
}

/** Checks share no cache with a worker, because a program that the worker left there could turn them green. */
function ofChecks({ layer, isFirst, isLast }: LayerTurn): SharedCaches {
  return { name: layer, isFirst, kept_if: isLast ? 'never' : 'passed' };
}

function turnOf(
  { mission_id, plan }: Pick<Mission, 'mission_id' | 'plan'>,
  { task }: TaskRow,
  lane: Attempt | undefined,
  { purpose, isFirst }: { readonly purpose: Launch['purpose']; readonly isFirst: boolean },
): LayerTurn | null {
  const { task_id, verify } = task;
  const layer = `${mission_id}/${task_id}`;
  if (purpose.kind === 'worker')
    return plan.layers === 'all' ? { layer: `${layer}/work`, isFirst, isLast: false } : null;
  const { index } = purpose;
  return { layer: `${layer}/${lane?.attempt ?? 0}`, isFirst: index === 0, isLast: index === verify.length - 1 };
}

export interface BoundLaunch extends Pick<SandboxBoundary, 'granted' | 'readable' | 'layered' | 'turn' | 'work'> {
  readonly boundary: TaskBoundary;
  /** The agent that runs; null: a command of the plan. */
  readonly worker: AgentWorker | null;
  /** Name of the run directory below `runs/`. */
  readonly run_dir: string;
  /** A task that runs may write in its paths, too. */
  readonly beside?: boolean;
  /** Absent: it writes none. */
  readonly caches?: SharedCaches;
}

/** The mission that a launch belongs to; a launch that drafts a plan has no mission yet. */
export type ConfinedMission = Pick<Mission, 'mission_id' | 'confinement' | 'agent_network'> & {
  readonly plan: Pick<Mission['plan'], 'folders' | 'env_names' | 'services' | 'landing'>;
};

/**
 * Returns the sandbox of one launch, by the mode that was fixed at the start. Creates the folders that it needs in the
 * workspace. Refuses with CONFINEMENT_UNAVAILABLE a required sandbox that the machine cannot build. With a preferred
 * sandbox too, refuses with HARD_LINKS_LEAD_OUT writable files that are linked outside. Refuses likewise with
 * SERVICE_NOT_OPENED a service that the plan names wrongly. A refusal leaves nothing behind.
 */
export async function confineLaunch(
  mission: ConfinedMission,
  { boundary, worker, run_dir, caches, beside, ...opened }: BoundLaunch,
  program: Program,
  ports: Pick<EnginePorts, 'sandboxes' | 'folders' | 'paths'>,
): Promise<Outcome<Confined>> {
  const { work } = opened;
  const mode = mission.confinement;
  const hosts = mission.agent_network === 'provider' ? program.hosts : null;
  const unheld = hosts === null ? '' : providerNetwork(null);
  const isAccepted = mission.plan.landing === 'accepted';
  // The plan lets this work land only after a person accepted it, or after it is merged.
  const waits = boundary.waits === true && (isAccepted || beside === true);
  if (mode === 'off' && !waits)
    return done({ sandbox: null, lacking: null, noLayers: null, noTree: null, network: unheld, by: null });
  const without = async (reason: string, next: string): Promise<Outcome<Confined>> => {
    if (work) return refused('WORK_UNSEEN', `${reason} ${workUnseen}`, next);
    if (mode === 'required' || waits) {
      const why = `${reason} ${waits ? (isAccepted ? landsAtOnce : landsBeside) : 'The mission requires a sandbox, so nothing was started.'}`;
      return refused('CONFINEMENT_UNAVAILABLE', why, next);
    }
    const by = await ownHolder(boundary, ports);
    return done({ sandbox: null, lacking: reason, noLayers: null, noTree: null, network: unheld, by });
  };
  if (mode === 'off') return without(...unconfined);
  const standing = await ports.sandboxes.standing();
  if (standing.kind === 'unavailable') return without(standing.reason, standing.next);
  const allowed = hosts !== null && holdsNetwork[standing.means] ? hosts : null;
  if (hosts !== null && allowed === null && mode === 'required')
    return without(networkUnheld(standing.means), openNetwork);
  const relayed = boundary.services?.ports ?? [];
  const made = await ports.folders.make(foldersOf(mission.plan, boundary));
  const line = await ports.sandboxes.line({
    ...boundary,
    network: boundary.network && allowed === null,
    ...((allowed !== null || relayed.length > 0) && { relayed: true }),
    workspace_dir: ports.paths.workspace_dir,
    run_dir: ports.paths.runDir(mission.mission_id, run_dir),
    ...opened,
    home: worker?.home ?? [],
    ...(worker === null && caches && { caches: { env_names: mission.plan.env_names, shared: caches } }),
    secrets: secretsSeen(worker === null ? 'command' : 'agent', boundary),
    namespaces: worker?.namespaces ?? false,
    programWords: program.programWords,
    ...(program.own && { own: program.own }),
  });
  // Refuses in both modes, because a launch without the sandbox would write to the linked files.
  // The runner does not observe them outside the workspace. The launch would also reach more than
  // the plan names.
  if (!line.ok && ['HARD_LINKS_LEAD_OUT', 'SERVICE_NOT_OPENED', 'WORK_HIDES'].includes(line.refusal.code)) {
    await ports.folders.removeEmpty(made);
    return line;
  }
  const tooCoarse = line.ok && mode === 'required' ? line.value.unheld[0] : undefined;
  const unseen =
    line.ok && (work ?? waits) && !line.value.layers?.tree
      ? (line.value.no_tree ?? standing.no_layers ?? 'this system has none')
      : null;
  if (line.ok && tooCoarse === undefined && unseen === null) {
    const { means, argv, coarser, heldLinks: kept, hidden, layers, no_tree = null, reach } = line.value;
    const holding = await ports.folders.holding(boundary.writable);
    return done({
      sandbox: {
        ...{ means, argv, coarser, folders: made },
        ...(kept.length > 0 && { held: kept }),
        ...(hidden && { hidden }),
        ...(layers && { layers }),
        ...(reach && { reach }),
        network: boundary.network && allowed === null,
        ...(allowed !== null && { hosts: allowed }),
        ...(relayed.length > 0 && { ports: relayed }),
      },
      lacking: null,
      noLayers: standing.no_layers,
      noTree: no_tree,
      network: allowed === null ? unheld : providerNetwork(allowed),
      by: { by: 'sandbox', writable: holding.map((folder) => ports.paths.absolute(folder)) },
    });
  }
  await ports.folders.removeEmpty(made);
  if (unseen !== null) return without(`No layer can be made here: ${unseen}.`, 'mission doctor');
  return line.ok
    ? without(tooCoarse ?? '', 'Narrow the paths of the task, or start without --confinement required.')
    : without(line.refusal.reason, line.refusal.next[0] ?? 'mission doctor');
}

const workUnseen =
  'The work of the task waits in a layer, and without one this launch would see the old files. So nothing was started.';

/** Why a mission without a sandbox has no layers, and the next step. */
export const unconfined = ['The mission runs without a sandbox.', 'Run it with --confinement preferred.'] as const;

export const landsAtOnce =
  'The plan lets work land after a person accepted it, and without a layer it would be in the workspace at once. So nothing was started.';
const landsBeside =
  'Another task writes in the same paths, and without a layer both would write to the same files. So nothing was started.';

/** Passes existing folders only, because a CLI's own sandbox takes no others. Observation judges the rest. */
async function ownHolder(
  { writable, sealed }: TaskBoundary,
  { folders, paths }: Pick<EnginePorts, 'folders' | 'paths'>,
): Promise<HeldBy> {
  const absolute = (found: readonly string[]): readonly string[] => found.map((folder) => paths.absolute(folder));
  return {
    by: 'own',
    writable: absolute(await folders.holding(writable)),
    sealed: absolute(await folders.existing(sealed)),
  };
}
