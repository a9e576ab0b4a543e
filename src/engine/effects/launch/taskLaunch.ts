import type { ProcessRecord, WorkerSignal } from '../../../contracts/launch';
import { launchChange } from '../../../core/mission/parts/launchChange';
import type { Report } from '../../../core/model/inputs';
import { launchFollows } from '../../../core/model/lanes';
import { judgeLiveChange, type LiveScope } from '../../../core/observation/liveScope';
import type { EnginePorts } from '../../ports/engine';
import { announcements, liveScopeOf } from './announcements';
import { journalledLaunch, launchById, watchedProcess } from './journalledLaunch';
import type { Listener, Purpose } from './launch';
import type { LaunchRun } from '../run/effectRun';
import { reportEnd, usageFacts } from '../watch/reportEnd';
import { watchExit } from '../watch/watchExit';

/** A worker, a validator or a verify command. Reports at once: silence, staying, session, a write out of scope. */
export function taskLaunch({ effect: { launch_id }, mission, ports, options, send }: LaunchRun): Purpose<Report> {
  const { launch, lane, row } = launchById(mission, launch_id);
  const runDir = ports.paths.runDir(mission.mission_id, launch.run_dir);
  const known = journalledLaunch(mission, launch, options);
  const watched = lane.timed_out ? null : watchedProcess(row.task, launch);
  const scope = liveScopeOf(mission, launch_id, ports);
  const announced = announcements(scope);

  return {
    ...{ runDir, known, watched },
    async beforeStart() {
      // Shows the change as it was journalled: redacted, and before the worker runs.
      const change = launchChange(lane, launch);
      if (change) await ports.launches.leaveChange(runDir, { ...change, launch_id });
      return { start: { ahead: launchFollows(mission) } };
    },
    async onStart(process: ProcessRecord) {
      // A relaunch succeeds only once its process was seen. Where the look fails, the end of the launch decides.
      const seenAlive = async (): Promise<boolean> =>
        (await ports.launches.activity(runDir, known, false).catch(() => ({ alive: false }))).alive;
      const alive = launch.adjustment?.recovery_id && { alive: await seenAlive() };
      return { type: 'WorkerWasStarted', launch_id, process, ...alive };
    },
    refused: (reason) => ({ type: 'LaunchWasImpossible', launch_id, code: 'LAUNCH_REFUSED', reason }),
    listen(): Listener {
      const used = heldUsage(ports);
      const stays =
        watched?.is_agent && !launch.lingered
          ? watchExit(runDir, ports, (quiet_seconds) =>
              send({ type: 'WorkerStaysAfterItsEnd', launch_id, quiet_seconds }),
            )
          : null;
      return {
        onSignal(signal) {
          announced.saw(signal);
          const report = reportOf(signal, launch_id, scope);
          if (signal.kind === 'final') used.drop();
          else if (report?.type === 'UsageWasSeen') used.hold(() => send(report));
          else if (report) send(report);
          // A finished agent is silent, so the watchdog waits as long as its end may take.
          return stays?.saw(signal) ?? null;
        },
        onSilent: (silence) => send({ type: 'WorkerWentSilent', launch_id, ...silence }),
        dispose() {
          used.drop();
          stays?.dispose();
        },
      };
    },
    onEnd(exit, signals) {
      for (const signal of signals) announced.saw(signal);
      return reportEnd(mission, launch, exit, ports, announced.paths());
    },
  };
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
