import { metadataFields } from '../../contracts/vocabulary/metadata';
import type { Revision } from '../../contracts/taskEvidence';

/** `timeout_seconds 60 -> 600, note "Look at the log first."`. */
export function revisedWords({ before, after }: Pick<Revision, 'before' | 'after'>): string {
  return metadataFields
    .filter((field) => after[field] !== undefined)
    .map((field) => {
      const value = after[field] === '' ? 'none' : String(after[field]);
      if (field === 'note') return value === 'none' ? 'no note' : `note ${JSON.stringify(value)}`;
      return `${field} ${String(before[field] ?? 'none')} -> ${value}`;
    })
    .join(', ');
}
