import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isTemporaryName } from '../../src/adapters/files/atomic';
import { evidenceReader } from '../../src/adapters/evidence/reader';
import { verifyEvidence } from '../../src/engine/evidence/verify';
import { readRunFile } from '../../src/adapters/launches/files';
import { openNodeViewer, type NodeViewer } from '../../src/adapters/nodeViewer';
import { launchTicketSchema, processRecordSchema, runFiles } from '../../src/contracts/launch';
import { inboxFolders } from '../../src/contracts/inbox';
import { pendingEffects } from '../../src/core/mission/effects';
import { fold } from '../../src/core/mission/evolve';
import type { MissionEvent } from '../../src/core/model/events';
import type { JournalEntry } from '../../src/core/model/journalEntry';
import type { Mission } from '../../src/core/model/state';
import { missionStatus } from '../../src/core/mission/status';
import { approvalsStream, isMissionStream, refusalsStream } from '../../src/engine/ports/workspaceEvents';
import { checkHandoffs } from './handoffChecks';
import { approvedHash, type Acknowledged } from './person';
import { countersOf, runsOf, scenarios, type Places, type ScenarioName } from './scenarios';
import { runDirsOf } from './victims';

type Entries = readonly JournalEntry<MissionEvent>[];
/** Hashes of every stream, as they stood when an owner died. */
export type JournalMark = ReadonlyMap<string, readonly string[]>;

export interface Expected {
  readonly scenario: ScenarioName;
  /** Whether only owners were killed: then every command ran exactly as often as without a kill. */
  readonly exact: boolean;
  /** Whether the last owner stays while commands are under way; `mission` leaves them to the next one. */
  readonly stays: boolean;
  readonly marks: readonly JournalMark[];
  readonly acknowledged: readonly Acknowledged[];
}

/** What is wrong with a workspace whose missions have settled; empty when every invariant holds. */
export async function checkWorkspace(places: Places, expected: Expected): Promise<readonly string[]> {
  const opened = await openNodeViewer({ workspaceDir: places.workspace, journal: { kind: 'in_process' } });
  if (!opened.ok || opened.value === null) return ['There is no journal.'];
  const viewer = opened.value;
  try {
    const problems: string[] = [];
    if (await viewer.isOwned()) problems.push('The lease is held though no owner is alive.');
    const streams = (await viewer.journal.streams()).map(({ stream }) => stream);
    const read = new Map<string, Entries>();
    for (const stream of streams) {
      read.set(stream, await viewer.journal.read(stream));
      const chain = await viewer.journal.verifyStream(stream);
      if (!chain.valid) problems.push(`The hash chain of ${stream} breaks at ${String(chain.first_bad)}.`);
    }
    problems.push(...nothingLost(read, expected.marks), ...commandsKept(read, expected.acknowledged));
    const missions = streams.filter(isMissionStream);
    const wanted = scenarios[expected.scenario].missions;
    if (missions.length !== wanted) problems.push(`There are ${missions.length} missions, not ${wanted}.`);
    for (const stream of missions) {
      const entries = read.get(stream) ?? [];
      problems.push(...checkMission(entries, expected));
      problems.push(...(await checkHandoffs(places.workspace, stream, entries)));
    }
    problems.push(
      ...(await checkRunDirs(
        missions.flatMap((stream) => read.get(stream) ?? []),
        places,
      )),
    );
    problems.push(
      ...checkRuns(
        missions.flatMap((stream) => read.get(stream) ?? []),
        places,
        expected,
      ),
    );
    problems.push(...(await checkEvidence(viewer, missions.at(-1), read, places, expected)));
    problems.push(...checkFolders(viewer, places, expected.stays ? read : null));
    return problems;
  } finally {
    await viewer.close();
  }
}

export async function markJournal(places: Places): Promise<JournalMark> {
  const opened = await openNodeViewer({ workspaceDir: places.workspace, journal: { kind: 'in_process' } });
  if (!opened.ok || opened.value === null) return new Map();
  const { journal } = opened.value;
  try {
    const mark = new Map<string, readonly string[]>();
    for (const { stream } of await journal.streams())
      mark.set(
        stream,
        (await journal.read(stream)).map(({ hash }) => hash),
      );
    return mark;
  } finally {
    await opened.value.close();
  }
}

/** What was durable when an owner died is the beginning of what is there now. */
function nothingLost(read: ReadonlyMap<string, Entries>, marks: readonly JournalMark[]): readonly string[] {
  return marks.flatMap((mark) =>
    [...mark].flatMap(([stream, hashes]) => {
      const now = read.get(stream) ?? [];
      return hashes.every((hash, index) => now[index]?.hash === hash) ? [] : [`Entries of ${stream} were lost.`];
    }),
  );
}

function commandsKept(read: ReadonlyMap<string, Entries>, acknowledged: readonly Acknowledged[]): readonly string[] {
  const events = [...read].flatMap(([stream, entries]) => entries.map(({ event }) => ({ stream, event })));
  return acknowledged.flatMap(({ id, command, answer }) => {
    if (command === 'RecordApproval' && answer.accepted) {
      const recorded = (read.get(approvalsStream) ?? []).filter(
        ({ event }) => (event as { plan_sha256?: string }).plan_sha256 === approvedHash,
      );
      return recorded.length > 0 ? [] : [`The approval ${id} was acknowledged and is not in the journal.`];
    }
    const decided = events.filter(({ event }) => (event as { command_id?: string }).command_id === id);
    const wanted = answer.accepted ? 'CommandAccepted' : 'CommandRefused';
    const right = decided.filter(({ event }) => event.type === wanted);
    // A refusal that no mission could journal is recorded again when its owner died before it could answer.
    const once = decided.length === 1 || decided.every(({ stream }) => stream === refusalsStream);
    return right.length > 0 && once
      ? []
      : [`${command} ${id} was answered ${answer.code}, and the journal has ${decided.length} decisions of it.`];
  });
}

function checkMission(entries: Entries, { scenario }: Expected): readonly string[] {
  const problems: string[] = [];
  const mission = fold(entries);
  if (!mission) return ['A mission has no events.'];
  const of = `Mission ${mission.mission_id}`;
  if (mission.execution !== 'REPORTED') problems.push(`${of} is ${mission.execution} (${missionStatus(mission)}).`);
  const status = missionStatus(mission);
  if (status !== scenarios[scenario].outcome) problems.push(`${of} ended ${status}: ${mission.ending?.reason ?? ''}`);
  if (pendingEffects(mission).length > 0 && mission.execution === 'REPORTED') problems.push(`${of} has effects left.`);
  for (const row of mission.rows) {
    if (row.lock === 'held') problems.push(`The lock of ${row.task.task_id} is held.`);
    if (row.unproven) problems.push(`Processes of ${row.task.task_id} are not proven gone.`);
  }
  const locked = entries.findIndex(({ event }) => event.type === 'PlanLocked');
  const launched = entries.findIndex(({ event }) => event.type === 'LaunchRequested');
  const hash = entries[locked]?.event;
  if (launched !== -1 && (locked === -1 || locked > launched)) problems.push(`${of} launched before it was LOCKED.`);
  if (hash?.type !== 'PlanLocked' || hash.plan_sha256 !== mission.plan_sha256)
    problems.push(`${of} locked another hash than it executed.`);
  if (entries.some(({ fence }, index) => fence < (entries[index - 1]?.fence ?? 0)))
    problems.push(`${of}: an owner appended after it was fenced off.`);
  problems.push(...neverAgain(entries), ...oneWorkerEach(mission));
  return problems;
}

/** A completed task is never run again, and an attempt begins once. */
function neverAgain(entries: Entries): readonly string[] {
  const done = new Set<string>();
  const begun = new Set<string>();
  return entries.flatMap(({ event }) => {
    if (event.type === 'RowTransitioned' && event.to === 'done') done.add(event.task_id);
    if (event.type !== 'AttemptStarted' && event.type !== 'LaunchRequested') return [];
    const key = `${event.type} ${event.task_id}#${event.attempt} ${'purpose' in event ? JSON.stringify(event.purpose) : ''}`;
    const twice = begun.has(key) ? [`${key} happened twice.`] : [];
    begun.add(key);
    return done.has(event.task_id) ? [...twice, `${event.task_id} ran again after it was done.`] : twice;
  });
}

function oneWorkerEach(mission: Mission): readonly string[] {
  return mission.rows.flatMap(({ task, attempts }) =>
    attempts.flatMap((attempt) => {
      const workers = attempt.launches.filter(({ purpose }) => purpose.kind === 'worker');
      return workers.length <= 1
        ? []
        : [`Attempt ${attempt.attempt} of ${task.task_id} has ${workers.length} workers.`];
    }),
  );
}

/** What was claimed had been journalled, and the process that ran is the one in the journal. */
async function checkRunDirs(entries: Entries, places: Places): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const runDir of runDirsOf(places)) {
    const name = path.basename(runDir);
    const claimed = await readRunFile(runDir, runFiles.claimed, launchTicketSchema);
    if (claimed.kind === 'absent') continue;
    const id = claimed.kind === 'ok' ? claimed.value.launch_id : '';
    if (
      !entries.some(({ event }) => event.type === 'LaunchRequested' && event.launch_id === id && event.run_dir === name)
    )
      problems.push(`${name} was claimed and never requested.`);
    const process = await readRunFile(runDir, runFiles.process, processRecordSchema);
    const started = entries.filter(({ event }) => event.type === 'WorkerStarted' && event.launch_id === id);
    if (started.length > 1) problems.push(`${name} was started ${started.length} times.`);
    const [first] = started;
    if (first?.event.type === 'WorkerStarted' && process.kind === 'ok') {
      const same = first.event.process.supervisor.pid === process.value.supervisor.pid;
      if (!same) problems.push(`${name} has another supervisor than the journal says.`);
    }
  }
  return problems;
}

/** Each start of a command left a line with its launch: none twice, none unknown, exactly one for a success. */
function checkRuns(entries: Entries, places: Places, { scenario, exact }: Expected): readonly string[] {
  const problems: string[] = [];
  const launches = entries.flatMap(({ event }) => (event.type === 'LaunchRequested' ? [event] : []));
  const wanted = scenarios[scenario].runs;
  for (const task of new Set([...Object.keys(wanted), ...countersOf(places)])) {
    const runs = runsOf(places, task);
    if (new Set(runs).size !== runs.length) problems.push(`One launch of ${task} ran twice.`);
    for (const nonce of runs)
      if (!launches.some((launch) => launch.nonce === nonce)) problems.push(`${task} ran without a journalled launch.`);
    if (exact ? runs.length !== wanted[task] : wanted[task] === undefined)
      problems.push(`${task} ran ${runs.length} times, not ${wanted[task] ?? 0}.`);
  }
  const passed = entries.flatMap(({ event }) =>
    event.type === 'AttemptEnded' && event.outcome === 'PASS' ? [event] : [],
  );
  for (const { task_id, attempt } of passed) {
    const nonces = launches.filter((launch) => launch.task_id === task_id && launch.attempt === attempt);
    const ran = runsOf(places, task_id).filter((nonce) => nonces.some((launch) => launch.nonce === nonce));
    // Two missions of one workspace have attempts of the same name.
    if (ran.length !== scenarios[scenario].missions)
      problems.push(`The attempt ${attempt} of ${task_id} that passed ran ${ran.length} times.`);
  }
  return problems;
}

async function checkEvidence(
  viewer: NodeViewer,
  newest: string | undefined,
  read: ReadonlyMap<string, Entries>,
  places: Places,
  { scenario }: Expected,
): Promise<readonly string[]> {
  if (newest === undefined) return [];
  const { plan_id, missions } = scenarios[scenario];
  const chain = await viewer.journal.verifyStream(newest);
  const entries = read.get(newest) ?? [];
  const verdict = await verifyEvidence(evidenceReader(places.workspace, plan_id), { entries, chain });
  const problems = verdict.findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, file, message }) => `Evidence: ${code} ${file}: ${message}`);
  if (!verdict.valid && problems.length === 0) problems.push('Evidence is not valid.');
  const archive = namesBelow(path.join(places.workspace, 'docs/ops/executions', plan_id, 'archive'));
  if (missions > 1 && archive.length !== 4) problems.push(`The archive holds ${archive.join(', ') || 'nothing'}.`);
  if (missions > 1) {
    const header = path.join(places.workspace, 'docs/ops/executions', plan_id, 'EXECUTION_HEADER.json');
    const { archived } = JSON.parse(readFileSync(header, 'utf8')) as { archived?: { mission_id: string } };
    const inFolder = [...read.keys()].find((stream) => archive.some((name) => name.startsWith(`${stream}${path.sep}`)));
    if (archived?.mission_id !== inFolder)
      problems.push(
        `The header says that ${archived?.mission_id ?? 'nothing'} was archived, not ${inFolder ?? 'nothing'}.`,
      );
  }
  return problems;
}

/** No half of a file in the repository, and no command (looked for in `read`) that was taken and never decided. */
function checkFolders(
  viewer: NodeViewer,
  { workspace }: Places,
  read: ReadonlyMap<string, Entries> | null,
): readonly string[] {
  const halves = namesBelow(path.join(workspace, 'docs')).filter((file) => isTemporaryName(path.basename(file)));
  const taken = namesBelow(path.join(viewer.folder.inboxDir, inboxFolders.taken));
  const decided = (id: string): boolean =>
    [...(read?.values() ?? [])].some((entries) =>
      entries.some(({ event }) => (event as { command_id?: string }).command_id === id),
    );
  return [
    ...halves.map((file) => `A temporary file was left: ${file.replace(/\.[0-9a-f]{16}\./, '.<hex>.')}`),
    ...taken
      .filter((name) => read !== null && !decided(name.replace('.json', '')))
      .map(() => 'A command was taken and never decided.'),
  ];
}

function namesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  } catch {
    return []; // no such file
  }
}
