import { boundaryOf } from '../../core/confinement/boundary';
import { foldersOf } from '../../core/confinement/folders';
import { holdsItself } from '../../core/confinement/nesting';
import type { PreparedLaunch } from '../../core/model/facts';
import type { Launch } from '../../core/model/attempt';
import type { Mission } from '../../core/model/state';
import type { PlannedTask } from '../../core/plan/approvedPlan';
import { agentWorkers } from '../../workers/registry';
import type { EnginePorts } from '../ports/engine';
import { done, type Outcome } from '../../base/outcome';

/** How one launch is held back. */
export interface Held {
  /** Null: by nothing of ours. */
  readonly sandbox: NonNullable<PreparedLaunch['sandbox']> | null;
  /** What lets it write only `folders`: our sandbox, or the one that it brings; null: nothing. */
  readonly by: 'sandbox' | 'own' | null;
  /** Why there is no sandbox where one was preferred, one sentence; null: there is one, or none was asked for. */
  readonly lacking: string | null;
  /** The folders that hold everything it may write, absolute; empty where nothing keeps it in them. */
  readonly folders: readonly string[];
}

/**
 * The sandbox of one launch, by the mode that was fixed at the start. Creates the folders that it needs in the
 * workspace. Refuses with CONFINEMENT_UNAVAILABLE what is required and cannot be had; then it leaves nothing behind.
 *
 * @param program the first word of the worker's command line
 */
export async function holdBack(
  mission: Mission,
  task: PlannedTask,
  launch: Launch,
  program: string | undefined,
  ports: EnginePorts,
): Promise<Outcome<Held>> {
  const mode = mission.confinement ?? 'off';
  if (mode === 'off') return done({ sandbox: null, by: null, lacking: null, folders: [] });
  const without = (reason: string, next: string): Outcome<Held> =>
    mode === 'required'
      ? {
          ok: false,
          refusal: {
            code: 'CONFINEMENT_UNAVAILABLE',
            reason: `${reason} The mission requires a sandbox, so nothing was started.`,
            next: [next],
          },
        }
      : done({ sandbox: null, by: null, lacking: reason, folders: [] });
  const standing = await ports.sandboxes.standing();
  if (standing.kind === 'unavailable') return without(standing.reason, standing.next);
  const { comparison } = ports.paths.scope;
  const boundary = boundaryOf(mission, task.task_id, launch.purpose.kind, comparison);
  const agent = launch.purpose.kind === 'worker' && task.worker !== 'command' ? task.worker : null;
  const foldersOfAll = async (): Promise<readonly string[]> =>
    (await ports.folders.holding(boundary.writable)).map((folder) => ports.paths.absolute(folder));
  if (agent !== null && holdsItself(agent, standing.means)) {
    const reason = `The sandbox that ${agent} brings does not start inside ours here, so its own holds it alone.`;
    return mode === 'required'
      ? without(reason, 'Give the task another worker, or start without --confinement required.')
      : done({ sandbox: null, by: 'own', lacking: null, folders: await foldersOfAll() });
  }
  const made = await ports.folders.make(foldersOf(mission.plan, boundary));
  const line = await ports.sandboxes.line({
    ...boundary,
    workspace_dir: ports.paths.workspace_dir,
    run_dir: ports.paths.runDir(mission.mission_id, launch.run_dir),
    granted: launch.adjustment?.widening.add_directories ?? [],
    home: agent === null ? [] : agentWorkers[agent].home,
    namespaces: agent === 'codex',
    reads: program !== undefined && isAbsolute(program) ? [program] : [],
  });
  const unheld = line.ok && mode === 'required' ? line.value.unheld[0] : undefined;
  if (line.ok && unheld === undefined) {
    const { means, argv, coarser } = line.value;
    return done({
      sandbox: { means, argv, coarser, network: boundary.network, folders: made },
      by: 'sandbox',
      lacking: null,
      folders: await foldersOfAll(),
    });
  }
  await ports.folders.removeEmpty(made);
  return line.ok
    ? without(unheld ?? '', 'Narrow the paths of the task, or start without --confinement required.')
    : without(line.refusal.reason, line.refusal.next[0] ?? 'mission doctor');
}

function isAbsolute(program: string): boolean {
  return /^(\/|[A-Za-z]:[\\/])/.test(program);
}
