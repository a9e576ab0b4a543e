import { createSignalTail, watchRun, readLiveFacts } from '../../adapters/launches/files';
import { runFiles, type WorkerSignal } from '../../contracts/launch';
import { standingLines } from '../../contracts/page/blockView';
import { lineText } from '../../base/text/amounts';
import { shownWait } from '../../contracts/vocabulary/waits';
import { eventLine, isPrinted, launchChangeLinesOf } from '../../core/view/events/eventLine';
import { missionView } from '../../core/view/mission/missionView';
import { waitingText } from '../../core/view/mission/signalLine';
import { shownLaunch } from '../../core/view/evidence/shownLaunch';
import type { Mission } from '../../core/model/state';
import { liveFactsOf } from '../../engine/views/snapshot';
import type { EngineListener } from '../../engine/mission/listeners';
import type { MissionPaths } from '../../engine/ports/engine';
import type { Output } from '../shell/output';
import { progressText } from './progressText';
import { limited } from '../../base/text/oneLine';
import { terminal, type TerminalText } from '../../base/text/marked/terminal';

/** Prints events while a mission runs: on stdout for people, on stderr beside a JSON document. */
export function progressListener(out: Output, paths: MissionPaths): EngineListener & { dispose(): void } {
  const tails = new Map<string, { dispose(): void }>();
  const print = (text: TerminalText): void => (out.json ? out.note(text) : out.line(text));
  const endTail = (launchId: string): void => {
    tails.get(launchId)?.dispose();
    tails.delete(launchId);
  };
  const clock = progressClock(out, paths, print);
  return {
    onEntries(mission, entries) {
      clock.follow(mission);
      for (const entry of entries) {
        const { event } = entry;
        // AttemptStarted is printed instead.
        const isStart = event.type === 'RowTransitioned' && event.to === 'in_progress';
        if (isPrinted(event) && !isStart)
          print(terminal`${out.paint('dim', localTime(entry.at))} ${eventLine(entry, mission).text.trimEnd()}`);
        if (event.type === 'LaunchPrepared')
          for (const line of launchChangeLinesOf(mission, event.launch_id)) print(terminal`           ${line}`);
        if (event.type === 'WorkerStarted') {
          const launch = shownLaunch(mission, event.launch_id);
          const whose = launch?.in_lanes === true ? `[${launch.task_id}] ` : '';
          if (launch)
            tails.set(
              event.launch_id,
              tailRun(paths.runDir(mission.mission_id, launch.run_dir), (text) =>
                print(out.paint('dim', terminal`           ${whose}| ${text}`)),
              ),
            );
        }
        if (event.type === 'WorkerEnded' || event.type === 'VerifyEnded') endTail(event.launch_id);
      }
      if (entries.some(({ event }) => mayWait.has(event.type)))
        for (const block of missionView(mission, [], new Map(), true).blocks.filter(shownWait))
          for (const line of standingLines(block, false))
            print(terminal`           ${block.task_id}: ${lineText(line)}`);
    },
    onHalt: (halt) => out.note(terminal`The runner stopped (${halt.code}): ${halt.reason}`),
    dispose() {
      clock.dispose();
      for (const id of [...tails.keys()]) endTail(id);
    },
  };
}

/** A terminal's line is redrawn every second; elsewhere a new line is printed each minute. */
const redrawMs = 1000;
const printMs = 60_000;

/** Shows elapsed time and the worker's output while no events come. */
function progressClock(
  out: Output,
  paths: MissionPaths,
  print: (text: TerminalText) => void,
): { follow(mission: Mission): void; dispose(): void } {
  let current: Mission | null = null;
  const show = async (mission: Mission): Promise<void> => {
    const live = await liveFactsOf(mission, true, (runDir) => readLiveFacts(paths.runDir(mission.mission_id, runDir)));
    // The mission may have changed or ended meanwhile.
    if (current !== mission) return;
    const text = terminal`${progressText(missionView(mission, [], live, true), new Date().toISOString())}`;
    if (out.redraws) out.status(text);
    else print(out.paint('dim', text));
  };
  const timer = setInterval(
    () => {
      // An unreadable file is only not shown here.
      if (current?.ending === null && current.lanes.length > 0) show(current).catch(() => undefined);
    },
    out.redraws ? redrawMs : printMs,
  ).unref();
  return {
    follow(mission) {
      current = mission;
      if (mission.ending !== null || mission.lanes.length === 0) out.status(terminal``);
    },
    dispose() {
      current = null;
      clearInterval(timer);
      out.status(terminal``);
    },
  };
}

/** After these a task may wait for the end of a limit. */
const mayWait: ReadonlySet<string> = new Set(['PacketWritten', 'MissionResumed', 'OwnerResumed']);

/** The most lines of new output that are shown at once: the last ones. */
const linesAtOnce = 5;

/** Prints what a run's worker writes; starts and stops nothing. */
function tailRun(runDir: string, print: (text: TerminalText) => void): { dispose(): void } {
  const tail = createSignalTail(runDir);
  const watch = watchRun(runDir, [runFiles.signals, runFiles.exit]);
  let disposed = false;
  const show = async (): Promise<void> => {
    const lines = (await tail.next()).flatMap(signalText);
    for (const line of lines.slice(-linesAtOnce)) print(line);
  };
  const follow = async (): Promise<void> => {
    while (!disposed) {
      await show();
      await watch.changed();
    }
  };
  // An unreadable file costs only lines of progress.
  follow().catch(() => undefined);
  return {
    dispose() {
      disposed = true;
      watch.dispose();
    },
  };
}

function signalText(signal: WorkerSignal): readonly TerminalText[] {
  switch (signal.kind) {
    case 'progress':
      return [oneLine(signal.text)];
    case 'waiting':
      return [waitingText(signal)];
    case 'message':
      return [oneLine(signal.text)];
    case 'tool_use':
      return [oneLine(`${signal.tool} ${signal.detail}`)];
    case 'file_change':
      return [oneLine(`${signal.change} ${signal.path}`)];
    case 'denial':
      return [oneLine(`denied: ${signal.tool ?? ''} ${signal.path ?? ''} ${signal.reason}`)];
    case 'error':
      return [oneLine(`error: ${signal.message}`)];
    case 'hook':
      return [oneLine(`${signal.ended ? 'hook ended' : 'hook runs'}: ${signal.name}`)];
    case 'session':
    case 'usage':
    case 'turn_ended':
    case 'final':
      return [];
  }
}

/** The first line of a text; the rest is in the run directory. */
function oneLine(text: string): TerminalText {
  return terminal`${limited(text.trim().split(/\r?\n/, 1)[0] ?? '', 110)}`;
}

function localTime(at: string): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}
