import type { MetadataChanges } from '../../contracts/commands/metadataChanges';
import type { MetadataField } from '../../contracts/vocabulary/metadata';
import type { HumanDecision } from '../observation/outstanding';

/** Metadata of a task as they were, and as they are from its next attempt on. Only fields that differ. */
export interface Revision {
  readonly before: Readonly<Partial<Record<MetadataField, string | number | null>>>;
  readonly after: MetadataChanges;
  /** The attempt from which they count. */
  readonly attempt: number;
  /** The packet that waited for a decision; null: none did. */
  readonly packet_id: string | null;
  readonly decision: HumanDecision;
}

/** A text for the next attempts; at most one of each kind of author. */
export interface Note {
  readonly text: string;
  readonly by: HumanDecision['actor'];
}
