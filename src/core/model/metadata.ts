import type { Actor } from '../../contracts/vocabulary/actors';

/** A text for the next attempts; at most one of each kind of author. */
export interface Note {
  readonly text: string;
  readonly by: Actor;
}
