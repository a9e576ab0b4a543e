import { mayContinue } from '../../core/mission/commandTable';
import type { Refusal } from '../../base/outcome';
import type { EnginePorts } from '../ports/engine';

/**
 * Refuses an order that a person gave before a person stopped everything. A frozen or busy process may hear it only
 * later, when starts are allowed again. Null: the order is newer, or no stop is known.
 *
 * @param asked_at ISO-8601; absent: now
 */
export async function olderThanStop(
  asked_at: string | undefined,
  { lastStop }: Pick<EnginePorts, 'lastStop'>,
): Promise<Refusal | null> {
  const stop = asked_at === undefined ? null : await lastStop();
  if (asked_at === undefined || stop === null || !(Date.parse(asked_at) < Date.parse(stop.at))) return null;
  return {
    code: 'STARTS_HELD',
    reason: `${stop.by} stopped everything at ${stop.at}, and this was asked for before, at ${asked_at}.`,
    next: ['Repeat the command if it still holds.'],
  };
}

/** Says why a command that may let tasks run is refused now, because starts are held. Null: nothing holds it. */
export async function heldCommand(
  name: string,
  { startsHeld }: Pick<EnginePorts, 'startsHeld'>,
): Promise<Refusal | null> {
  return mayContinue(name) ? startsHeld() : null;
}
