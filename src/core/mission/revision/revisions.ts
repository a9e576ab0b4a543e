import type { Revision } from '../../../contracts/taskEvidence';
import type { MetadataChanges } from '../../../contracts/commands/metadataChanges';
import type { ActorKind } from '../../../contracts/vocabulary/actors';
import { metadataFields, type MetadataField } from '../../../contracts/vocabulary/metadata';
import { appended, changed } from '../../model/draft';
import type { TaskRow, Note } from '../../model/state';

/** Returns what the changes make different, and what it was. Each kind of author has a note of its own. */
export function differing(row: TaskRow, changes: MetadataChanges, by: ActorKind): Pick<Revision, 'before' | 'after'> {
  const now = metadataOf(row, by);
  const wanted = { ...changes, ...(changes.note !== undefined && { note: changes.note.trim() }) };
  const fields = metadataFields.filter((field) => wanted[field] !== undefined && wanted[field] !== (now[field] ?? ''));
  const picked = <T>(from: Readonly<Partial<Record<MetadataField, T>>>) =>
    Object.fromEntries(fields.map((field) => [field, from[field]]));
  return { before: picked(now), after: picked<unknown>(wanted) };
}

export function withRevision(row: TaskRow, revision: Revision): TaskRow {
  const { note, ...values } = revision.after;
  const { actor } = revision.decision;
  const others = row.notes.filter(({ by }) => by.kind !== actor.kind);
  const notes: readonly Note[] =
    note === undefined ? row.notes : [...others, ...(note === '' ? [] : [{ text: note, by: actor }])];
  return changed(row, {
    task: { ...row.task, ...(values as Partial<TaskRow['task']>) },
    notes,
    revisions: appended(row.revisions, revision),
  });
}

/** The metadata as they are now; the note is that of such an author. */
export function metadataOf({ task, notes }: TaskRow, by: ActorKind): Revision['before'] {
  const note = notes.find((one) => one.by.kind === by)?.text ?? null;
  return Object.fromEntries(metadataFields.map((field) => [field, field === 'note' ? note : task[field]]));
}
