import type { toolMeanings } from '../contracts/vocabulary/codes/refusals';

/** A refusal that the owner writes, or that the server makes itself. */
export interface ToolRefusal {
  readonly ok: false;
  readonly code: string;
  readonly reason: string;
  readonly next: readonly string[];
}

/** Answers with a refusal of this server itself. `next`: the steps that the model can take. */
export function refuse(code: keyof typeof toolMeanings, reason: string, ...next: string[]): ToolRefusal {
  return { ok: false, code, reason, next };
}
