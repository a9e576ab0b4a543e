import type { MissionCommand } from '../../contracts/commands/missionCommand';
import type { MissionEvent } from '../../core/model/events';
import { currentLaunch, type Launch } from '../../core/model/attempt';
import { waitsForPlan, waitsInAttempt } from '../../core/model/lanes';
import type { Mission, Tasks } from '../../core/model/state';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import { journalledLaunch } from '../effects/launch/journalledLaunch';
import type { Journal } from '../ports/journal';
import type { DraftLaunch } from '../ports/drafts';
import type { JournalledLaunch, Launches } from '../ports/launches';
import { MissionReader } from '../views/reader';

/** A workspace in which everything is stopped, also where another process owns its missions. */
export interface ReachedWorkspace {
  readonly journal: Journal<MissionEvent>;
  readonly launches: Pick<Launches, 'requestStop' | 'proveGone' | 'activity' | 'standing'>;
  readonly runDir: (missionId: string, runDir: string) => string;
  /** Decides as the owner where no process owns. Null: the owner does not answer in that time. */
  readonly decide: (missionId: string, command: MissionCommand, withinMs: number) => Promise<CommandAnswer | null>;
}

export interface StoppedWorkspace {
  readonly missions: readonly { readonly mission_id: string; readonly code: string; readonly reason: string }[];
  /** Tasks whose processes are not proven gone. `pid`: null where it is unknown. */
  readonly remaining: readonly { readonly mission_id: string; readonly task_id: string; readonly pid: number | null }[];
  /** An owner is there and does not answer: its missions are not paused. */
  readonly silent: boolean;
  readonly unreadable: readonly { readonly mission_id: string; readonly reason: string }[];
}

/** Milliseconds since `stopWorkspace` began. A busy owner may answer until `end`; its workers are ended before that. */
const at = { supervisors: 2_000, trees: 6_000, end: 10_000 } as const;
const pauseMs = 200;

/**
 * Pauses every open mission and stops every running launch: first through the owner, then by requests to the
 * supervisors, last by ending the trees. Looks again until nothing runs, because a launch may have been on its way.
 * After ten seconds reports the processes that are not proven gone.
 */
export async function stopWorkspace(
  reached: ReachedWorkspace,
  reason: string,
  time: { now(): number; wait(ms: number): Promise<void> },
): Promise<StoppedWorkspace> {
  const began = time.now();
  const reader = new MissionReader(reached.journal);
  const answers = new Map<string, CommandAnswer>();
  const asked = new Set<string>();
  const unknown = new Set<string>();
  const owner = { silent: false, questions: 0, answered: Promise.resolve() };
  const decide = async (mission_id: string, command: MissionCommand): Promise<void> => {
    const answer = owner.silent
      ? null
      : await reached.decide(mission_id, command, Math.max(0, at.end - (time.now() - began)));
    owner.questions -= 1;
    if (answer === null) owner.silent = true;
    // No process here runs a mission of another user or of a lost claim, so only its processes are ended.
    else if (answer.code === 'MISSION_UNKNOWN' || answer.code === 'FLEET_CLAIMED') unknown.add(mission_id);
    else if (command.type === 'PauseMission') answers.set(mission_id, answer);
  };
  const ask = (mission_id: string, command: MissionCommand): void => {
    const key = JSON.stringify([mission_id, command]);
    if (asked.has(key)) return;
    asked.add(key);
    owner.questions += 1;
    owner.answered = owner.answered.then(() => decide(mission_id, command));
    owner.answered.catch(() => undefined); // heard at the end
  };
  for (;;) {
    const { missions, unreadable } = await reader.read();
    const open = missions.map(({ mission }) => mission).filter(({ ending, moved }) => (ending ?? moved) === null);
    for (const mission of open) {
      if (mission.hold.kind === 'none') ask(mission.mission_id, { type: 'PauseMission' });
      for (const { task_id } of running(mission)) ask(mission.mission_id, { type: 'StopTask', task_id });
    }
    const elapsed = time.now() - began;
    const force = elapsed > at.trees ? 'trees' : owner.silent || elapsed > at.supervisors ? 'supervisors' : null;
    const living = (await Promise.all(open.map((mission) => livingIn(mission, reached, reason, force)))).flat();
    const underWay =
      !owner.silent &&
      (owner.questions > 0 || open.some((mission) => !unknown.has(mission.mission_id) && running(mission).length > 0));
    if ((living.length === 0 && !underWay) || elapsed > at.end) {
      await owner.answered;
      const paused = await pausedIn(reader);
      const stopped = [...answers].map(([mission_id, { code, reason: said }]) => ({
        ...{ mission_id, code },
        // The owner may have refused while a task ran, and the mission has paused since.
        reason: paused.has(mission_id) ? 'Paused.' : said,
      }));
      return { missions: stopped, remaining: living, silent: owner.silent, unreadable };
    }
    await time.wait(pauseMs);
  }
}

/** Leaves out attempts that wait for a person: they run nothing, and a stop would discard their result. */
function running({ lanes }: Tasks): Mission['lanes'] {
  return lanes.filter((lane) => !waitsInAttempt(lane) && !waitsForPlan(lane));
}

async function pausedIn(reader: MissionReader): Promise<ReadonlySet<string>> {
  const { missions } = await reader.read();
  return new Set(
    missions.filter(({ mission }) => mission.hold.kind === 'paused').map(({ mission }) => mission.mission_id),
  );
}

async function livingIn(
  mission: Tasks,
  { launches, runDir }: ReachedWorkspace,
  reason: string,
  force: 'supervisors' | 'trees' | null,
): Promise<StoppedWorkspace['remaining']> {
  const found = await Promise.all(
    launchesOf(mission).map(async ({ task_id, launch }) => {
      const folder = runDir(mission.mission_id, launch.run_dir);
      const known = journalledLaunch(mission, launch, hurried);
      if (force !== null) await launches.requestStop(folder, known, reason);
      if (force === 'trees' && (await launches.proveGone(folder, known)).gone) return [];
      const pid = await livingPid(launches, folder, known);
      return pid === undefined ? [] : [{ mission_id: mission.mission_id, task_id, pid }];
    }),
  );
  return found.flat();
}

/** The process of a launch that still lives; null: its pid is unknown. Undefined: none lives. */
async function livingPid(
  launches: ReachedWorkspace['launches'],
  folder: string,
  known: JournalledLaunch,
): Promise<number | null | undefined> {
  const supervised = (await launches.standing(folder, known)) === 'supervised';
  const { alive } = await launches.activity(folder, known, false);
  return alive || supervised ? (known.process?.worker?.pid ?? known.process?.supervisor.pid ?? null) : undefined;
}

/** Ends every launch that drafts a plan, and says which processes are not proven gone. */
export async function stopDrafts(
  list: () => Promise<readonly DraftLaunch[]>,
  launches: ReachedWorkspace['launches'],
  reason: string,
  time: { now(): number; wait(ms: number): Promise<void> },
): Promise<readonly { readonly draft_id: string; readonly pid: number | null }[]> {
  const began = time.now();
  const found = await list();
  for (const { run_dir, known } of found) await launches.requestStop(run_dir, { ...known, grace_seconds: 1 }, reason);
  for (;;) {
    const force = time.now() - began > at.trees;
    const left: { draft_id: string; pid: number | null }[] = [];
    for (const { draft_id, run_dir, known } of found) {
      if (force && (await launches.proveGone(run_dir, known)).gone) continue;
      const pid = await livingPid(launches, run_dir, known);
      if (pid !== undefined) left.push({ draft_id, pid });
    }
    if (left.length === 0 || force) return left;
    await time.wait(pauseMs);
  }
}

interface Stoppable {
  readonly task_id: string;
  readonly launch: Pick<Launch, 'launch_id' | 'nonce' | 'process' | 'run_dir'>;
}

function launchesOf({ lanes, rows, sessions }: Tasks): readonly Stoppable[] {
  const live = lanes.flatMap((lane) => {
    const launch = currentLaunch(lane);
    return launch ? [{ task_id: lane.task_id, launch }] : [];
  });
  const unproven = rows.flatMap(({ task, attempts, unproven: tree }) =>
    attempts
      .flatMap((attempt) => attempt.launches)
      .filter(({ launch_id }) => launch_id === tree?.launch_id)
      .map((launch) => ({ task_id: task.task_id, launch })),
  );
  // Sessions that have ended count too, because their processes may outlive them.
  const asked = sessions.filter(({ launch }) => launch.prepared !== null);
  return [...live, ...unproven, ...asked.map(({ task_id, launch }) => ({ task_id, launch }))];
}

/** Options for reading launches, of which only the grace counts. */
const hurried = { tool_version: '', fence: 0, ticket_seconds: 0, grace_seconds: 1 } as const;
