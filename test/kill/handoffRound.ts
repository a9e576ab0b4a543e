import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { evidenceReader } from '../../src/adapters/evidence/reader';
import { verifyEvidence } from '../../src/engine/evidence/verify';
import { openNodeViewer } from '../../src/adapters/nodeViewer';
import { fold } from '../../src/core/mission/evolve';
import type { MissionEvent } from '../../src/core/model/events';
import type { JournalEntry } from '../../src/core/model/journalEntry';
import type { Mission } from '../../src/core/model/state';
import { missionStatus } from '../../src/core/mission/status';
import { isMissionStream } from '../../src/engine/ports/workspaceEvents';
import { checkHandoffs, handoffFaults, handoffFolders, handoffIn, sumsOf } from './handoffChecks';
import { endOfProcesses, readLines, startMission, type Kill } from './round';
import { environmentOf, makeWorkspace, placesIn, planPathOf, runsOf, scenarios, type Places } from './scenarios';

/**
 * Which process dies:
 *
 * export  `mission handoff export --out`; asked for again, and resumed in a clone
 * move    `mission handoff export --out --move`; a person in a hurry resumes in the clone whatever is there already,
 *         and the source is asked to go on
 * resume  `mission handoff resume` in the clone, from a run that was given away
 */
export const handoffVictims = ['export', 'move', 'resume'] as const;
export type HandoffVictim = (typeof handoffVictims)[number];

export interface HandoffRoundPlan {
  readonly victim: HandoffVictim;
  readonly kill: Extract<Kill, { kind: 'point' }> | null;
  /** A folder of `blockedOnce`. */
  readonly from: string;
  readonly keep: boolean;
}

export interface HandoffRoundResult {
  readonly happened: boolean;
  /** How the source, or for `resume` the clone, stood when its process had died. */
  readonly found: string;
  /** Where the run ended. */
  readonly ending: string;
  readonly problems: readonly string[];
  /** Points that the process reached. */
  readonly points: readonly string[];
  /** `mission` processes. */
  readonly owners: number;
  readonly ms: number;
  readonly folder: string | null;
}

const decision = ['--by', 'Grace', '--reason', 'kill test'] as const;
type Entries = readonly JournalEntry<MissionEvent>[];

/** A mission that is blocked at its second task; its first handoff is written. */
export async function blockedOnce(): Promise<string> {
  const places = placesIn(realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-kill-'))));
  makeWorkspace('moves', places);
  mkdirSync(path.join(places.scratch, 'points'));
  const { code, errors } = await mission(places, places.workspace, 'points/0', null, 'run', planPathOf('moves'));
  if (code !== 3) throw new Error(`The mission to begin with ended with ${String(code)}: ${errors}`);
  rmSync(path.join(places.scratch, 'points'), { recursive: true });
  return places.scratch;
}

export async function runHandoffRound({ victim, kill, from, keep }: HandoffRoundPlan): Promise<HandoffRoundResult> {
  const began = performance.now();
  const places = placesIn(realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-kill-'))));
  cpSync(from, places.scratch, { recursive: true });
  mkdirSync(path.join(places.scratch, 'points'));
  const clone = path.join(places.scratch, 'clone');
  execFileSync('git', ['clone', '-q', places.workspace, clone], { env: environmentOf(places), stdio: 'ignore' });
  const problems: string[] = [];
  let owners = 0;
  /** Runs `mission` to its end; ending with a code that is not among those wanted is a problem. */
  const run = async (
    where: string,
    wanted: readonly number[],
    args: readonly string[],
    dies: Kill | null = null,
  ): Promise<number | string> => {
    owners += 1;
    const ended = await mission(places, where, `points/${owners}`, dies, ...args);
    const killed = dies !== null && ended.code === 'SIGKILL';
    if (!killed && !wanted.some((code) => code === ended.code))
      problems.push(
        `\`mission ${args.slice(0, 2).join(' ')}\` ended with ${ended.code}: ${ended.printed} ${ended.errors}`,
      );
    problems.push(...(await handoffFaults(places.workspace)), ...(await handoffFaults(clone)));
    return ended.code;
  };
  const [source] = (await missionsIn(places.workspace)).map((entries) => fold(entries));
  const id = source?.mission_id ?? '';
  const out = path.join(places.scratch, 'handed');
  const again = path.join(places.scratch, 'handed-again');
  const moving = ['handoff', 'export', id, '--move', ...decision] as const;
  const resume = (folder: string, ...by: string[]): readonly string[] => [
    'handoff',
    'resume',
    folder,
    '--apply-diff',
    ...by,
  ];
  let happened: boolean;
  let found: string;
  if (victim === 'export') {
    happened = (await run(places.workspace, [0], ['handoff', 'export', id, '--out', out], kill)) === 'SIGKILL';
    found = await standing(places.workspace);
    problems.push(...(await wholeOrAbsent(out)));
    if (!existsSync(out)) await run(places.workspace, [0], ['handoff', 'export', id, '--out', again]);
    await run(clone, [3], resume(existsSync(out) ? out : again, ...decision));
  } else if (victim === 'move') {
    happened = (await run(places.workspace, [0], [...moving, '--out', out], kill)) === 'SIGKILL';
    found = await standing(places.workspace);
    problems.push(...(await wholeOrAbsent(out)));
    const early = existsSync(out) ? out : await givenAway(places.workspace);
    if (early !== null) await run(clone, [3], resume(early));
    // Whatever a person asks for at the source: what was begun there is ended, and nothing of it is taken back.
    const any = [0, 1, 2, 3];
    if ((await movedOf(places.workspace)) !== 'no') {
      await run(places.workspace, any, ['retry', id, 'blocks', ...decision]);
      await run(places.workspace, any, ['resume', id, ...decision]);
    } else if (existsSync(out)) problems.push('--out holds a run that was not given away.');
    else await run(places.workspace, [0], [...moving, '--out', again]);
    if (early === null) await run(clone, [0, 3], resume((await givenAway(places.workspace)) ?? out));
  } else {
    await run(places.workspace, [0], [...moving, '--out', out]);
    happened = (await run(clone, [3], resume(out), kill)) === 'SIGKILL';
    found = await standing(clone);
    // Nothing was received: as if for the first time. Else it is a mission like any other, that a person continues.
    if (happened && (await missionsIn(clone)).length === 0) await run(clone, [3], resume(out));
    else if (happened) await run(clone, [0, 2, 3], ['resume', id, ...decision]);
  }
  // A decision to retry that was made before the run was given away goes with it.
  if (!(await standing(clone)).startsWith('REPORTED')) await run(clone, [0], ['retry', id, 'blocks', ...decision]);
  problems.push(...(await endOfProcesses(places)));
  problems.push(...(await checkPlaces(places, clone, victim)));
  const kept = keep && problems.length > 0;
  const ending = await standing(clone);
  const points = readLines(path.join(places.scratch, 'points', victim === 'resume' ? '2' : '1'));
  if (!kept) rmSync(places.scratch, { recursive: true, force: true, maxRetries: 5 });
  const ms = Math.round(performance.now() - began);
  return { happened, found, ending, problems, points, owners, ms, folder: kept ? places.scratch : null };
}

/** What holds in both places together, however often a process died. */
async function checkPlaces(places: Places, clone: string, victim: HandoffVictim): Promise<readonly string[]> {
  const problems: string[] = [];
  const here = await missionsIn(places.workspace);
  const there = await missionsIn(clone);
  for (const [workspace, missions] of [
    [places.workspace, here],
    [clone, there],
  ] as const) {
    if (missions.length !== 1) problems.push(`There are ${missions.length} missions in ${path.basename(workspace)}.`);
    for (const entries of missions)
      problems.push(...(await checkMission(workspace, entries, workspace === clone, victim)));
  }
  // Each start of a command is in exactly one of the journals, and there are no more than without a kill.
  const launched = [here, there].map((missions) =>
    missions.flat().flatMap(({ event }) => (event.type === 'LaunchRequested' ? [event.nonce] : [])),
  );
  for (const [task, wanted] of Object.entries(scenarios.moves.runs)) {
    const runs = runsOf(places, task);
    if (runs.length !== wanted) problems.push(`${task} ran ${runs.length} times, not ${wanted}.`);
    for (const nonce of runs) {
      const journals = launched.filter((nonces) => nonces.includes(nonce)).length;
      if (journals !== 1) problems.push(`A start of ${task} is in ${journals} journals.`);
    }
  }
  const [run_here, run_there] = [here, there].map((missions) => missions[0]?.[0]?.run_id);
  if (run_here !== run_there) problems.push('The run has another id in the clone.');
  if (victim === 'export') return problems;
  const given = here.flat().findIndex(({ event }) => event.type === 'HandoffRequested' && event.move !== null);
  const after = here.flat().slice(given === -1 ? 0 : given);
  if (given === -1 || after.some(({ event }) => event.type === 'AttemptStarted' || event.type === 'LaunchRequested'))
    problems.push('The run went on where it had been given away.');
  return problems;
}

async function checkMission(
  workspace: string,
  entries: Entries,
  isClone: boolean,
  victim: HandoffVictim,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const state = fold(entries);
  if (!state) return ['A mission has no events.'];
  const of = `${path.basename(workspace)}:`;
  const status = missionStatus(state);
  // A run that was exported and not given away is still there.
  const wanted = isClone ? 'completed' : victim === 'export' ? 'blocked' : 'cancelled';
  if (status !== wanted) problems.push(`${of} the mission is ${status}, not ${wanted}: ${state.ending?.reason ?? ''}`);
  if (wanted === 'cancelled' && state.ending?.code !== 'MOVED') problems.push(`${of} it ended ${state.ending?.code}.`);
  for (const row of state.rows)
    if (row.lock === 'held') problems.push(`${of} the lock of ${row.task.task_id} is held.`);
  problems.push(...(await checkHandoffs(workspace, state.mission_id, entries)).map((problem) => `${of} ${problem}`));
  if (wanted === 'blocked') return problems;
  if (state.execution !== 'REPORTED') problems.push(`${of} the mission is ${state.execution}.`);
  const opened = await openNodeViewer({ workspaceDir: workspace, journal: { kind: 'in_process' } });
  if (!opened.ok || opened.value === null) return [...problems, `${of} there is no journal.`];
  const chain = await opened.value.journal.verifyStream(state.mission_id);
  await opened.value.close();
  if (!chain.valid) problems.push(`${of} the hash chain breaks at ${String(chain.first_bad)}.`);
  const verdict = await verifyEvidence(evidenceReader(workspace, scenarios.moves.plan_id), { entries, chain });
  const bad = verdict.findings.filter(({ severity }) => severity !== 'info');
  return [...problems, ...bad.map(({ code, file, message }) => `${of} evidence ${code} ${file}: ${message}`)];
}

/** A folder that `--out` names: not there, empty, or a handoff with the digests of all its files. */
async function wholeOrAbsent(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const read = await handoffIn(folder);
  if (read === 'absent') return ['--out is there without a bundle.'];
  return ['fault' in read ? `--out: ${read.fault}` : [], sumsOf(folder)].flat();
}

/** The newest handoff with which the run was given away, if its folder is whole. */
async function givenAway(workspace: string): Promise<string | null> {
  for (const folder of handoffFolders(workspace).toReversed()) {
    const read = await handoffIn(folder);
    if (typeof read === 'object' && 'given' in read && read.given.moved) return folder;
  }
  return null;
}

async function movedOf(workspace: string): Promise<'no' | 'asked' | 'done'> {
  const [entries = []] = await missionsIn(workspace);
  const state = fold(entries);
  if (state?.moved) return 'done';
  return state?.handoffs.some(({ move }) => move !== null) ? 'asked' : 'no';
}

async function missionsIn(workspace: string): Promise<readonly Entries[]> {
  const opened = await openNodeViewer({ workspaceDir: workspace, journal: { kind: 'in_process' } });
  if (!opened.ok || opened.value === null) return [];
  const { journal } = opened.value;
  try {
    const streams = (await journal.streams()).map(({ stream }) => stream).filter(isMissionStream);
    return await Promise.all(streams.map((stream) => journal.read(stream)));
  } finally {
    await opened.value.close();
  }
}

async function standing(workspace: string): Promise<string> {
  const [entries = []] = await missionsIn(workspace);
  const state: Mission | null = fold(entries);
  return state === null ? 'no mission yet' : `${state.execution}, ${missionStatus(state)}`;
}

async function mission(
  places: Places,
  workspace: string,
  points: string,
  kill: Kill | null,
  ...args: readonly string[]
): Promise<{ readonly code: number | string; readonly printed: string; readonly errors: string }> {
  const points_file = path.join(places.scratch, points);
  const owner = startMission(args, workspace, places, { points_file, kill });
  return { code: await owner.ended, printed: owner.printed().slice(0, 500), errors: owner.errors() };
}
