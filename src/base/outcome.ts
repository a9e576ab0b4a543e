import type { RefusalCode } from '../contracts/vocabulary/codes/codes';
import { errorWords } from './errorWords';

/** A refusal is a value: what failed, and what can be done next. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly reason: string;
  readonly next: readonly string[];
}
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

/** `reason` is one sentence; each of `next` is a step that a person can take. */
export function refused(
  code: RefusalCode,
  reason: string,
  ...next: string[]
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { code, reason, next } };
}

/** The system's code, such as `ENOENT`; null when the thrown value has none. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

export function errorMessage(error: unknown): string {
  return errorWords(error);
}
