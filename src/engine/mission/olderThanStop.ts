import type { Refusal } from '../../base/outcome';
import type { EnginePorts } from '../ports/engine';

/**
 * Says why an order of a person starts nothing, given before a person stopped everything and heard only later, because a
 * process was frozen or busy meanwhile; null: it is newer, or no stop is known. Starts may be allowed again by now.
 *
 * @param asked_at ISO-8601; absent: now
 */
export async function olderThanStop(
  asked_at: string | undefined,
  { lastStop }: Pick<EnginePorts, 'lastStop'>,
): Promise<Refusal | null> {
  const stop = asked_at === undefined ? null : ((await lastStop?.()) ?? null);
  if (asked_at === undefined || stop === null || !(Date.parse(asked_at) < Date.parse(stop.at))) return null;
  return {
    code: 'STARTS_HELD',
    reason: `${stop.by} stopped everything at ${stop.at}, and this was asked for before, at ${asked_at}.`,
    next: ['Repeat the command if it still holds.'],
  };
}
