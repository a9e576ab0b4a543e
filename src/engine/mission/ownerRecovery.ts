import type { WatchedProcess } from '../../core/ledger/heartbeat';
import type { RecoveredTask, RecoveryFacts } from '../../core/model/facts';
import { currentLaunch, type Launch } from '../../core/model/attempt';
import { rowOf, type Tasks } from '../../core/model/state';
import type { EngineOptions, EnginePorts } from '../ports/engine';
import { journalledLaunch, watchedProcess } from '../effects/launch/journalledLaunch';
import { lookAtFileSystem } from '../effects/observe/readTree';
import { hasToldItsEnd } from '../effects/watch/watchExit';
import { createObserver, type Observer, type Watched } from '../effects/watch/watchWorker';

/** Changes nothing: later effects attach to supervisors, read exit records, and end the rest of lost trees. */
export async function lookAtTasks(mission: Tasks, ports: EnginePorts, options: EngineOptions): Promise<RecoveryFacts> {
  const found = await Promise.all(
    mission.lanes.flatMap((lane) => {
      const launch = currentLaunch(lane);
      return launch?.prepared ? [lookAt(mission, lane.task_id, launch, ports, options)] : [];
    }),
  );
  return {
    tasks: found.map(({ task }) => task),
    silent: found.flatMap(({ silent }) => (silent ? [silent] : [])),
    file_system: await lookAtFileSystem(mission, ports),
  };
}

async function lookAt(
  mission: Tasks,
  task_id: string,
  launch: Launch,
  ports: EnginePorts,
  options: EngineOptions,
): Promise<{ readonly task: RecoveredTask; readonly silent: RecoveryFacts['silent'][number] | null }> {
  const { launch_id } = launch;
  const runDir = ports.paths.runDir(mission.mission_id, launch.run_dir);
  const known = journalledLaunch(mission, launch, options);
  const process = watchedProcess(rowOf(mission, task_id).task, launch);
  const { standing, liveness } = await stateOf({ runDir, known }, process, ports);
  const timeout_seconds = process?.timeout_seconds ?? 0;
  const unjudged = { task_id, launch_id, standing, last_heartbeat_at: null, age_seconds: null, timeout_seconds };
  // The end of the process reports what became of it.
  if (liveness === 'gone') return { task: { ...unjudged, verdict: 'not_judged' }, silent: null };
  const { last_heartbeat_at, age_seconds } = liveness;
  const heartbeat = { ...unjudged, last_heartbeat_at, age_seconds };
  if (liveness.kind === 'alive') return { task: { ...heartbeat, verdict: 'alive' }, silent: null };
  const { found } = liveness;
  return {
    task: { ...heartbeat, timeout_seconds: liveness.timeout_seconds, verdict: 'timed_out' },
    silent: { launch_id, last_heartbeat_at, age_seconds, timeout_seconds: liveness.timeout_seconds, found },
  };
}

interface Found {
  readonly standing: RecoveredTask['standing'];
  readonly liveness: Awaited<ReturnType<Observer['look']>>;
}

/** Reports `unreadable` on failure; waiting for the launch's end handles it. */
async function stateOf(
  place: Pick<Watched, 'runDir' | 'known'>,
  process: WatchedProcess | null,
  ports: EnginePorts,
): Promise<Found> {
  try {
    const standing = await ports.launches.standing(place.runDir, place.known);
    if (standing !== 'supervised' || !process) return { standing, liveness: 'gone' };
    const liveness = await createObserver({ ...place, process }, ports).look();
    const explained =
      liveness !== 'gone' &&
      liveness.kind === 'out' &&
      process.is_agent &&
      hasToldItsEnd(await ports.launches.signals(place.runDir));
    // An agent that finished and stays counts as gone, because the wait for its end also ends it.
    return { standing, liveness: explained ? 'gone' : liveness };
  } catch {
    return { standing: 'unreadable', liveness: 'gone' };
  }
}
