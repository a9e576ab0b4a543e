import type { OfAttempt } from '../model/facts';
import type { Variants } from '../../base/variants';
import { waitsNow } from './resolve/waits';
import { failedBeside } from '../model/lanes';
import { currentLaunch, type Attempt, type Launch } from '../model/attempt';
import { hasLockedIntent, lockedIntent, type LockedIntent } from '../context/tier0';
import { lingeredWords } from '../../base/text/endWords';
import { isBeingSaved } from '../lifecycle/memory';
import { endsUnread } from './milestones/milestones';
import { liveSession } from '../model/session';
import { rowOf } from '../model/state';
import type { TaskRow, Tasks, Progress, Course, Mission, Trouble } from '../model/state';
import { sessionStopReason } from './orchestrator/due';
import { isOpen } from '../ledger/transitions';

/** Something the engine has to do. `key` identifies one effect for ever; handlers are idempotent by it. */
export type Effect = { readonly key: string } & Variants<
  'kind',
  {
    writeHeader: object;
    checkPlanHash: OfAttempt;
    /** Phases 2 and 2a: takes the context, and the workspace as it is before the worker. */
    takeBaseline: OfAttempt & {
      run_dir: string;
      /** Shows that phase 1 is over. */
      intent: LockedIntent;
    };
    prepareLaunch: { launch_id: string };
    startWorker: { launch_id: string };
    awaitWorker: { launch_id: string };
    stopWorker: { launch_id: string; reason: string };
    observeChanges: OfAttempt & { run_dir: string; after: 'worker' | 'verify' | 'intervention' };
    /** Puts what waits of a verified task's work into the workspace. */
    landWork: OfAttempt;
    writeIntervention: OfAttempt & { run_dir: string };
    /** Phase 9: compares what is proposed with what is remembered. `intent`: shows that phase 1 is over. */
    readMemory: OfAttempt & { intent: LockedIntent };
    /** SAVE: writes what a person kept. */
    saveMemory: OfAttempt & { intent: LockedIntent };
    /** Runs a session of the runtime orchestrator. */
    prepareOrchestrator: { launch_id: string };
    startOrchestrator: { launch_id: string };
    /** Answers its requests until it has ended, then looks at the workspace. */
    awaitOrchestrator: { launch_id: string };
    stopOrchestrator: { launch_id: string; reason: string };
    proveTreeGone: { task_id: string; launch_id: string; run_dir: string };
    /** Reads the files that an accepted milestone is about. */
    readTree: { task_id: string };
    /** Puts the files of an attempt back, or those of its undo. */
    undoAttempt: { task_id: string };
    writeTaskEvidence: { task_id: string };
    writePacket: { packet_id: string };
    writeHandoff: { n: number };
    writeReport: object;
  }
>;

/** The effects without an outcome, by the state alone. A handler finds out by the key whether its effect happened. */
export function pendingEffects(mission: Progress): readonly Effect[] {
  switch (mission.execution) {
    case 'RECEIVED':
    case 'VALIDATED':
    case 'EVIDENCED':
    case 'REPORTED':
      return [];
    case 'LOCKED':
      return mission.header_written ? [] : [headerEffect(mission)];
    case 'EXECUTING':
      return [
        ...mission.lanes.flatMap((lane) => laneEffects(mission, lane)),
        ...sessionEffects(mission),
        ...treeEffects(mission),
        ...acceptanceEffects(mission),
        ...recordEffects(mission),
      ];
    case 'COMPLETED':
    case 'FAILED':
      return [...recordEffects(mission), { key: 'writeReport', kind: 'writeReport' }];
  }
}

/** Runs again, and archives, once the journal names the earlier evidence to archive. */
function headerEffect({ archived }: Course): Effect {
  const key = archived === null ? 'writeHeader' : `writeHeader:${archived.mission_id}`;
  return { key, kind: 'writeHeader' };
}

type FactsOf<K extends Effect['kind']> = Omit<Extract<Effect, { readonly kind: K }>, 'key' | 'kind'>;

/** @param of what no other effect of the kind has */
function effect<K extends Effect['kind']>(kind: K, of: string | number, facts: FactsOf<K>): Effect {
  return { key: `${kind}:${of}`, kind, ...facts } as unknown as Effect;
}

/** `writes`: a record, which stays. `looks`: it may run again. `acts`: on a worker. `waits`: for one that runs on by itself. */
export const natures: Readonly<Record<Effect['kind'], 'writes' | 'looks' | 'acts' | 'waits'>> = {
  writeHeader: 'writes',
  undoAttempt: 'writes',
  writeTaskEvidence: 'writes',
  writePacket: 'writes',
  writeHandoff: 'writes',
  writeReport: 'writes',
  writeIntervention: 'writes',
  landWork: 'writes',
  saveMemory: 'writes',
  checkPlanHash: 'looks',
  takeBaseline: 'looks',
  prepareLaunch: 'looks',
  observeChanges: 'looks',
  proveTreeGone: 'looks',
  readMemory: 'looks',
  prepareOrchestrator: 'looks',
  readTree: 'looks',
  startWorker: 'acts',
  stopWorker: 'acts',
  startOrchestrator: 'acts',
  stopOrchestrator: 'acts',
  awaitWorker: 'waits',
  awaitOrchestrator: 'waits',
};

/**
 * How a mission is under way. `works`: an owner has something to do. `waits`: what is due comes by itself, so an
 * owner may leave, and the next one waits on. `rests`: it stands still until a person decides, or has ended.
 */
export type Motion = 'works' | 'waits' | 'rests';

export function motionOf(mission: Progress): Motion {
  const pending = pendingEffects(mission);
  if (pending.some(({ kind }) => natures[kind] !== 'waits')) return 'works';
  return pending.length > 0 || waitsNow(mission).some(({ goesOn }) => goesOn) ? 'waits' : 'rests';
}

function laneEffects(mission: Tasks, lane: Attempt): readonly Effect[] {
  const { task_id, attempt, stage, run_dir, intervention, memory } = lane;
  const unit = { task_id, attempt };
  const of = `${task_id}#${attempt}`;
  const again = lane.plan_waits === undefined ? '' : `#${lane.plan_waits}`;
  const merged = lane.merged === undefined ? '' : `#${lane.merged.length}`;
  switch (stage.at) {
    case 'plan_hash':
      return [effect('checkPlanHash', `${of}${again}`, unit)];
    case 'baseline':
      if (evidenceComesFirst(mission, stage.since) || !hasLockedIntent(lane)) return [];
      return [effect('takeBaseline', of, { ...unit, run_dir, intent: intentOf(mission, lane) })];
    case 'preparing':
      return [effect('prepareLaunch', `${stage.launch_id}${again}`, { launch_id: stage.launch_id })];
    case 'starting':
      return [...stopEffect(mission, lane, stage.launch_id), launchEffect('startWorker', stage)];
    case 'running':
      return [launchEffect('awaitWorker', stage), ...stopEffect(mission, lane, stage.launch_id)];
    case 'observing': {
      if (evidenceComesFirst(mission, stage.since)) return [];
      const { after } = stage;
      const look = { kind: 'observeChanges', ...unit, after } as const;
      if (after === 'worker') return [{ key: `observeChanges:${of}${merged}`, ...look, run_dir }];
      if (after === 'intervention')
        return [{ key: `observeIntervention:${of}`, ...look, run_dir: intervention?.run_dir ?? run_dir }];
      // Looks with another run directory, because observed.json in the worker's is kept.
      return [{ key: `observeVerify:${of}${merged}`, ...look, run_dir: lane.launches.at(-1)?.run_dir ?? run_dir }];
    }
    case 'landing':
      return [effect('landWork', `${of}${merged}`, unit)];
    case 'intervention':
      return intervention?.path === null
        ? [effect('writeIntervention', of, { ...unit, run_dir: intervention.run_dir })]
        : [];
    case 'memory': {
      const save = { ...unit, intent: intentOf(mission, lane) };
      if (memory?.standings === null) return [effect('readMemory', of, save)];
      return memory && isBeingSaved(memory) ? [effect('saveMemory', of, save)] : [];
    }
    case 'plan_waits':
    case 'launch':
    case 'relaunch':
    case 'judging':
      return [];
  }
}

function intentOf(mission: Tasks, lane: Attempt): LockedIntent {
  return lockedIntent(lane, rowOf(mission, lane.task_id).task);
}

function sessionEffects(mission: Progress): readonly Effect[] {
  const session = liveSession(mission);
  if (!session) return [];
  const { launch } = session;
  const reason = sessionStopReason(mission, session);
  const { launch_id } = launch;
  const stop = reason === null ? [] : [effect('stopOrchestrator', launch_id, { launch_id, reason })];
  if (!launch.prepared) return [launchEffect('prepareOrchestrator', launch)];
  if (!launch.process) return [...stop, launchEffect('startOrchestrator', launch)];
  return [launchEffect('awaitOrchestrator', launch), ...stop];
}

function launchEffect(
  kind: 'startWorker' | 'awaitWorker' | 'prepareOrchestrator' | 'startOrchestrator' | 'awaitOrchestrator',
  { launch_id }: Pick<Launch, 'launch_id'>,
): Effect {
  return effect(kind, launch_id, { launch_id });
}

function treeEffects(mission: Tasks): readonly Effect[] {
  return mission.rows.flatMap(({ task: { task_id }, unproven }) => {
    if (!unproven?.due) return [];
    const { launch_id, run_dir, looks } = unproven;
    return [effect('proveTreeGone', `${launch_id}#${looks}`, { task_id, launch_id, run_dir })];
  });
}

function acceptanceEffects(mission: Progress): readonly Effect[] {
  if (endsUnread(mission)) return [];
  return mission.rows.flatMap(({ task: { task_id }, acceptance }) =>
    acceptance?.check === 'asked'
      ? [effect('readTree', `${task_id}#${acceptance.attempt}#${acceptance.checks}`, { task_id })]
      : [],
  );
}

/** Also before the worker runs: its supervisor finds the request, or the revoked ticket starts nothing. */
function stopEffect(mission: Tasks, attempt: Attempt, launch_id: string): readonly Effect[] {
  const reason = stopReason(mission, attempt);
  return reason === null ? [] : [effect('stopWorker', launch_id, { launch_id, reason })];
}

function stopReason(mission: Tasks, attempt: Attempt): string | null {
  const launch = currentLaunch(attempt);
  if (!launch) return null;
  if (attempt.stop_requested)
    return `stopped by ${attempt.stop_requested.actor.name}: ${attempt.stop_requested.reason}`;
  if (attempt.timed_out)
    return `TASK_TIMEOUT: no sign of life for ${attempt.timed_out.age_seconds} s (timeout ${attempt.timed_out.timeout_seconds} s)`;
  if (attempt.scope_breach !== null)
    return `a ${attempt.breach_stray ? 'change' : 'write'} outside the approved paths: ${attempt.scope_breach}`;
  if (attempt.over_budget && launch.purpose.kind === 'worker') return attempt.over_budget.reason;
  const failed = failedBeside(mission, attempt.task_id);
  if (failed) return `task ${failed.task.task_id} failed, and the mission with it`;
  return launch.lingered ? lingeredWords(launch.lingered) : null;
}

function recordEffects(mission: Progress): readonly Effect[] {
  const evidence = mission.rows
    .filter((row) => evidenceDue(row) && !scanComesFirst(mission, row))
    .map(({ task: { task_id, validator }, version }) =>
      effect('writeTaskEvidence', `${task_id}${validator ? `#${version}` : ''}`, { task_id }),
    );
  const packets = mission.packets
    .filter((packet) => !packet.written)
    // Written anew only after the write before it has ended, so that two never write one file at once.
    .map(({ packet_id, writes }) =>
      effect('writePacket', `${packet_id}${writes === 0 ? '' : `#${writes}`}`, { packet_id }),
    );
  const undos = mission.rows.flatMap(({ task: { task_id }, undoing, undone }) =>
    undoing ? [effect('undoAttempt', `${task_id}#${undone.length}`, { task_id })] : [],
  );
  // A handoff contains evidence and packets, so all of them are written first, also evidence that waits for a scan.
  if (packets.length + undos.length > 0 || mission.rows.some(evidenceDue)) return [...evidence, ...packets, ...undos];
  return mission.handoffs
    .filter(({ state }) => state.kind === 'pending')
    .map(({ n }) => effect('writeHandoff', n, { n }));
}

function evidenceDue({ status, evidence }: TaskRow): boolean {
  return !isOpen(status) && !evidence;
}

/**
 * Returns whether evidence has to be written before a scan that the journal requested at `since`. Evidence lies in
 * the workspace that lanes scan. Evidence writes and scans run in journal order, never at once. So a scan sees
 * evidence whole or not at all.
 */
function evidenceComesFirst(mission: Tasks, since: number): boolean {
  return mission.rows.some((row) => evidenceDue(row) && endedBefore(row, since));
}

function scanComesFirst(mission: Tasks, row: TaskRow): boolean {
  return mission.lanes.some(
    ({ stage }) => (stage.at === 'baseline' || stage.at === 'observing') && !endedBefore(row, stage.since),
  );
}

function endedBefore({ ended_seq }: TaskRow, since: number): boolean {
  return ended_seq === null || ended_seq < since;
}

/** In place of an effect: a mistake of ours stopped the owner, until the next one takes the mission over. */
export const ownMistake = 'decide';

/** The failed effect that still has to be done before the mission continues; null: none. */
export function troubleOf(mission: Progress): Trouble | null {
  const { trouble } = mission;
  if (trouble?.effect === ownMistake) return trouble;
  return trouble !== null && pendingEffects(mission).some(({ key }) => key === trouble.effect) ? trouble : null;
}

/** The failed effect, where it may be tried before a command is accepted: it runs no worker and waits for none. */
export function effectInTrouble(mission: Mission): Effect | null {
  const trouble = troubleOf(mission);
  const effect = pendingEffects(mission).find(({ key }) => key === trouble?.effect);
  return effect && (natures[effect.kind] === 'writes' || natures[effect.kind] === 'looks') ? effect : null;
}
