import { isOrder } from '../../core/mission/commands';
import { mayContinue } from '../../core/mission/commandTable';
import type { MissionEvent } from '../../core/model/events';
import type { Command, Input } from '../../core/model/inputs';
import type { Mission } from '../../core/model/state';
import type { EnginePorts } from '../ports/engine';
import type { Refusal } from '../../base/outcome';
import { utcText } from '../../base/text/amounts';

/**
 * Stops of everything that did not reach this owner. The owner was frozen, its machine slept, or its workspace was
 * absent. A later command of a person to this mission outweighs the stop, if tasks run by it. An earlier missed stop of
 * one task does not order other tasks to run. A refused command is no order.
 */
export class MissedStops {
  /** When a person last wanted tasks of this mission to run; ISO-8601 UTC. Null: as long as it is not loaded. */
  #wanted: string | null = null;

  constructor(private readonly ports: Pick<EnginePorts, 'ids' | 'lastStop'>) {}

  /** More of the mission's journal, in its order; its first entry is the start by a person. */
  journalled(entries: readonly { readonly at: string; readonly event: MissionEvent }[]): void {
    for (const { at, event } of entries)
      if (this.#wanted === null || (event.type === 'CommandAccepted' && mayContinue(event.command))) this.#heard(at);
  }

  /** The pause that comes before this input; null: no stop was missed, or the mission takes none. */
  async pauseBefore(
    mission: Mission,
    input: Input,
  ): Promise<(Pick<Input, 'actor'> & { readonly body: Command }) | null> {
    const stop = await this.ports.lastStop();
    if (stop === null || this.#wanted === null || stop.at <= this.#wanted || isOrder(mission, input)) return null;
    this.#heard(stop.at);
    if ((mission.ending ?? mission.moved ?? mission.cancel) !== null || mission.hold.kind !== 'none') return null;
    return {
      body: {
        ...{ type: 'Command', command_id: this.ports.ids.uuid(), command: { type: 'PauseMission' } },
        ...{ reason: stop.reason, expected_seq: null, from_worker: false, identified: true },
        ...{ owner_was_absent: false, active_elsewhere: null, recovery: null },
      },
      actor: { kind: 'human', name: stop.by },
    };
  }
  /** Keeps the latest time, because clocks run backwards. */
  #heard(at: string): void {
    if (this.#wanted === null || this.#wanted < at) this.#wanted = at;
  }
}

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
    reason: `${stop.by} stopped everything at ${utcText(stop.at)}, and this was asked for before, at ${utcText(asked_at)}.`,
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
