import type { Outcome } from '../ports';

/** A write that the evidence needs: when it is refused, the engine HALTs and tries again at the next start. */
export function written<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(`${outcome.refusal.code}: ${outcome.refusal.reason}`);
}
