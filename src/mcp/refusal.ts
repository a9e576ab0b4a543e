import type { toolMeanings } from '../contracts/vocabulary/refusals';

/** A refusal as the owner writes one, or as the server says it itself. */
export interface ToolRefusal {
  readonly ok: false;
  readonly code: string;
  readonly reason: string;
  readonly next: readonly string[];
}

/** Answers what this server refuses itself, before the owner or in its place. `next` is what the model can do. */
export function refuse(code: keyof typeof toolMeanings, reason: string, ...next: string[]): ToolRefusal {
  return { ok: false, code, reason, next };
}
