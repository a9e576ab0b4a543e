import type { Blocker } from '../../contracts/ledger';
import type { LedgerDelta } from '../../contracts/orchestratorOutput';
import { refusal, type Verdict } from '../documents/verdict';
import { parseMoment } from './time';
import type { VersionedRow } from './transition';
import { isLegalTransition } from './transitions';

/** A row as deltas change it. */
export interface DeltaRow extends VersionedRow {
  readonly last_heartbeat_at: string | null;
}

/** What one author wants to change, in order. `read_versions`: the version of each row its author had read. */
export interface DeltaStream {
  readonly source: string;
  readonly deltas: readonly LedgerDelta[];
  readonly read_versions?: Readonly<Record<string, number>>;
  /** Why the tasks it blocks are blocked. */
  readonly blockers?: readonly Pick<Blocker, 'task_id' | 'code'>[];
}

/** Deltas of this run that were applied before: id -> what it said (`deltaText`). */
export type SeenDeltas = Readonly<Record<string, string>>;

export type DeltaOutcome =
  | {
      readonly allow: true;
      readonly rows: readonly DeltaRow[];
      readonly seen: SeenDeltas;
      /** Ids that were ignored because they had been applied before. */
      readonly ignored: readonly string[];
      readonly verdict: Verdict;
    }
  | { readonly allow: false; readonly verdict: Verdict };

/**
 * Applies deltas to the ledger, all or none. D1: in order. D2: a delta that was applied before is ignored. D3: the last
 * one per task wins. D4: a row that does not exist is only changed by a delta that says it creates it (`x_create`).
 * D5: streams that contradict each other or the rows as they are now change nothing: read again. Source: facts B4.
 */
export function applyDeltas(
  rows: readonly DeltaRow[],
  streams: readonly DeltaStream[],
  seen: SeenDeltas = {},
): DeltaOutcome {
  const conflict = conflictOf(rows, streams, seen);
  if (conflict !== null) return { allow: false, verdict: conflict };
  const byTask = new Map(rows.map((row) => [row.task_id, row]));
  const applied = new Map(Object.entries(seen));
  const ignored: string[] = [];
  const entries = streams.flatMap(({ deltas, blockers }) => deltas.map((delta) => ({ delta, blockers })));
  for (const [index, { delta, blockers }] of entries.entries()) {
    if (applied.has(delta.delta_id)) {
      ignored.push(delta.delta_id);
      continue;
    }
    const next = changed(byTask.get(delta.task_id), delta, index, blockers);
    if ('code' in next) return { allow: false, verdict: next };
    byTask.set(delta.task_id, next);
    applied.set(delta.delta_id, deltaText(delta));
  }
  return {
    allow: true,
    rows: [...byTask.values()],
    seen: Object.fromEntries(applied),
    ignored,
    verdict: { allow: true, code: 'OK', reason: 'Applied.', details: { findings: [] } },
  };
}

/** What a delta says, so that the same id with other content is noticed. */
export function deltaText(delta: LedgerDelta): string {
  const { task_id, status, owner, reason, last_heartbeat_at, timed_out } = delta;
  return JSON.stringify([task_id, status, owner, reason, last_heartbeat_at ?? null, timed_out ?? false]);
}

function conflictOf(rows: readonly DeltaRow[], streams: readonly DeltaStream[], seen: SeenDeltas): Verdict | null {
  const versions = new Map(rows.map(({ task_id, version }) => [task_id, version]));
  const said = new Map(Object.entries(seen));
  /** Per task: which stream wants it last to be what. */
  const wanted = new Map<string, { readonly source: string; readonly end: string }>();
  for (const { source, deltas, read_versions = {} } of streams) {
    const fresh = deltas.filter(({ delta_id }) => !Object.hasOwn(seen, delta_id));
    for (const delta of deltas) {
      const text = deltaText(delta);
      if ((said.get(delta.delta_id) ?? text) !== text) {
        return refusal('CONCURRENCY_CONFLICT', `Delta ${delta.delta_id} was said twice with different content.`);
      }
      said.set(delta.delta_id, text);
    }
    for (const { task_id, x_read_version } of fresh) {
      const read = x_read_version ?? (Object.hasOwn(read_versions, task_id) ? read_versions[task_id] : undefined);
      if (read === undefined || read === versions.get(task_id)) continue;
      return refusal('CONCURRENCY_CONFLICT', `${source} read task ${task_id} at version ${read}; read it again.`);
    }
    const ends = new Map(fresh.map(({ task_id, status, owner }) => [task_id, JSON.stringify([status, owner])]));
    for (const [task_id, end] of ends) {
      const other = wanted.get(task_id);
      if (other !== undefined && other.end !== end) {
        return refusal(
          'CONCURRENCY_CONFLICT',
          `${other.source} and ${source} want different things of task ${task_id}.`,
        );
      }
      wanted.set(task_id, { source, end });
    }
  }
  return null;
}

function changed(
  row: DeltaRow | undefined,
  delta: LedgerDelta,
  index: number,
  blockers: DeltaStream['blockers'],
): DeltaRow | Verdict {
  const pointer = `/ledger_delta/${index}`;
  const { task_id, status, owner } = delta;
  const beat = delta.last_heartbeat_at ?? row?.last_heartbeat_at ?? null;
  if (beat !== null && parseMoment(beat) === null)
    return refusal('SCHEMA_INVALID', `The heartbeat of delta ${delta.delta_id} is no time.`, pointer);
  if (delta.timed_out === true && status !== 'blocked')
    return refusal('INVALID_TRANSITION', `A task that timed out is blocked, not ${status}.`, pointer);
  const named = blockers?.find((blocker) => blocker.task_id === task_id)?.code ?? row?.blocked_code ?? null;
  const blocked_code = status !== 'blocked' ? null : delta.timed_out === true ? 'TASK_TIMEOUT' : named;
  if (row === undefined) {
    if (delta.x_create !== true)
      return refusal(
        'MISSING_REQUIRED_INPUT',
        `There is no row for task ${task_id}, and the delta creates none.`,
        pointer,
      );
    if (status !== 'todo')
      return refusal('INVALID_TRANSITION', `A new task starts as todo, not as ${status}.`, pointer);
    return { task_id, status, owner, version: 0, retry_count: 0, blocked_code, last_heartbeat_at: beat };
  }
  // A sign of life or another owner: nothing moves.
  if (status === row.status && (status === 'todo' || status === 'in_progress' || status === 'blocked'))
    return { ...row, owner, last_heartbeat_at: beat };
  if (!isLegalTransition(row.status, status))
    return refusal('INVALID_TRANSITION', `Task ${task_id} cannot go from ${row.status} to ${status}.`, pointer);
  return {
    ...row,
    status,
    owner,
    version: row.version + 1,
    retry_count: row.retry_count + (status === 'blocked' ? 1 : 0),
    blocked_code,
    last_heartbeat_at: beat,
  };
}
