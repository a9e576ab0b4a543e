import { isObject } from '../../base/json';
import { actorKinds } from '../../contracts/vocabulary/actors';
import type { JournalEntry } from '../../core/model/journalEntry';
import { exportLine, verifyChain, type ChainReport, type StoredEntry } from './hash';

/**
 * Verifies an exported stream without the database: every line is one entry exactly as `exportLine` writes it, and the
 * chain starts at 1 and holds. Ignores blank lines at the end only.
 */
export function verifyExport(lines: Iterable<string>): ChainReport {
  return verifyChain(readLines(lines));
}

/** The entries of an export, its events as text; the report alone where the chain does not hold or begin. */
export function readExport(text: string): {
  readonly report: ChainReport;
  readonly entries: readonly JournalEntry<unknown>[];
} {
  const stored = [...readLines(text.split('\n'))];
  const report = verifyChain(stored);
  const entries = report.valid ? stored.filter((entry) => entry !== null) : [];
  return {
    report,
    entries: entries.map(({ actor_kind: kind, actor_name: name, event, ...entry }) => ({
      ...{ ...entry, actor: { kind, name } },
      event: JSON.parse(event) as unknown,
    })),
  };
}

/** The text of an export. */
export function exportText(entries: readonly JournalEntry<unknown>[]): string {
  const lines = entries.map(({ actor, event, ...entry }) =>
    exportLine({ ...entry, actor_kind: actor.kind, actor_name: actor.name, event: JSON.stringify(event) }),
  );
  return lines.map((line) => `${line}\n`).join('');
}

function* readLines(lines: Iterable<string>): Iterable<StoredEntry | null> {
  let blank = 0;
  for (const line of lines) {
    if (line.trim() === '') {
      blank += 1;
      continue;
    }
    for (; blank > 0; blank--) yield null;
    yield readLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}

/** Null: it is no line that `exportLine` writes. */
export function readLine(line: string): StoredEntry | null {
  try {
    const entry = toEntry(JSON.parse(line));
    // Refuses extra members, duplicates or another order, because no hash covers those bytes.
    return entry !== null && exportLine(entry) === line ? entry : null;
  } catch {
    return null; // not JSON, or too deep: the report has its sequence number
  }
}

function toEntry(value: unknown): StoredEntry | null {
  if (!isObject(value)) return null;
  const { actor, at, event, fence, hash, prev_hash, run_id, seq, stream } = value;
  if (!isObject(actor) || event === undefined) return null;
  const { kind, name } = actor;
  const actorKind = actorKinds.find((known) => known === kind);
  if (actorKind === undefined || typeof name !== 'string' || typeof at !== 'string' || typeof stream !== 'string')
    return null;
  if (typeof run_id !== 'string' || typeof hash !== 'string' || typeof prev_hash !== 'string') return null;
  if (!isCount(seq) || !isCount(fence)) return null;
  const actorFields = { actor_kind: actorKind, actor_name: name };
  return { stream, seq, run_id, at, ...actorFields, fence, prev_hash, hash, event: JSON.stringify(event) };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
