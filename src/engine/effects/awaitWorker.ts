import type { Report } from '../../core/model/inputs';
import { judgeLiveChange, type LiveScope } from '../../core/observation/liveScope';
import type { WorkerSignal } from '../../workers/worker';
import type { EnginePorts } from '../ports/engine';
import { announcements, liveScopeOf } from './announcements';
import { journalledLaunch } from './journalledLaunch';
import { launchById } from './launchById';
import { reportEnd, usageFacts } from './reportEnd';
import { watchedProcess } from './watchedProcess';
import { watchExit } from './watchExit';
import { watchWorker, type Watch, type Watched } from './watchWorker';
import type { EffectRun } from './effectRun';

/**
 * Waits until a worker's tree is gone. Reports at once: silence, an agent that stays, its session, a write out of
 * scope.
 */
export async function awaitWorker({
  effect,
  mission,
  ports,
  options,
  send: early,
}: EffectRun<'awaitWorker'>): Promise<Report> {
  const { launch, lane, row } = launchById(mission, effect.launch_id);
  const runDir = ports.paths.runDir(mission.mission_id, launch.run_dir);
  const scope = liveScopeOf(mission, effect.launch_id, ports);
  const known = journalledLaunch(mission, launch, options);
  const watched = lane.timed_out ? null : watchedProcess(row.task, launch);
  const watch = watched ? watchOf({ runDir, known, process: watched }, ports, early) : null;
  const stays =
    watched?.is_agent === true && !launch.lingered
      ? watchExit(runDir, ports, (quiet_seconds) =>
          early({ type: 'WorkerStaysAfterItsEnd', launch_id: effect.launch_id, quiet_seconds }),
        )
      : null;
  const used = heldUsage(ports);
  const announced = announcements(scope);
  try {
    const exit = await ports.launches.awaitExit(runDir, known, (signal) => {
      watch?.spoke();
      if (signal.kind === 'waiting') watch?.waits(signal.seconds ?? 0);
      // A finished agent is silent, so the watchdog waits as long as its end may take.
      const quiet = stays?.saw(signal) ?? null;
      if (quiet !== null) watch?.waits(quiet);
      announced.saw(signal);
      const report = reportOf(signal, effect.launch_id, scope);
      if (signal.kind === 'final') used.drop();
      else if (report?.type === 'UsageWasSeen') used.hold(() => early(report));
      else if (report) early(report);
    });
    return await reportEnd(mission, launch, exit, ports, announced.paths());
  } finally {
    used.drop();
    watch?.dispose();
    stays?.dispose();
  }
}

/** Holds the last event back for a moment: it is in the record of the end, too, and a stop would only cut that off. */
function heldUsage({ clock, timers }: EnginePorts): { hold(tell: () => void): void; drop(): void } {
  let timer: { dispose(): void } | null = null;
  return {
    hold(tell) {
      timer?.dispose();
      timer = timers.at(clock.after(clock.now(), lastEventSeconds), tell);
    },
    drop: () => timer?.dispose(),
  };
}

/** Seconds; the final event comes with the usage, or right after it. */
const lastEventSeconds = 1;

/** Watches a process that was not given up. */
function watchOf(watched: Watched, ports: EnginePorts, early: (report: Report) => unknown): Watch {
  const { launch_id } = watched.known;
  return watchWorker(watched, ports, (silence) => early({ type: 'WorkerWentSilent', launch_id, ...silence }));
}

function reportOf(signal: WorkerSignal, launchId: string, scope: LiveScope | null): Report | null {
  switch (signal.kind) {
    case 'session':
      return {
        type: 'WorkerSessionWasSeen',
        launch_id: launchId,
        worker_session_id: signal.sessionId,
        model: signal.model,
      };
    case 'file_change': {
      const verdict = scope ? judgeLiveChange(signal.path, scope) : null;
      return verdict?.kind === 'outside'
        ? { type: 'OutOfScopeWriteWasSeen', launch_id: launchId, path: verdict.path }
        : null;
    }
    case 'usage':
      // The total of a session includes earlier launches.
      return signal.span === 'session'
        ? null
        : { type: 'UsageWasSeen', launch_id: launchId, usage: usageFacts(signal.usage) };
    default:
      return null;
  }
}
