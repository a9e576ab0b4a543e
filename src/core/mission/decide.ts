import { audited, type Stored } from '../audit/audited';
import { advance } from './advance';
import { decideCommand } from './commands';
import { fold } from './evolve';
import { assertEntryGuards } from './guards';
import type { MissionEvent } from '../model/events';
import type { Fresh, Input } from '../model/inputs';
import { decideReport } from './reports';
import type { Mission } from '../model/state';

/**
 * One step of a mission: the events of the input, and all that follow from it until the mission waits again. Time, ids
 * and randomness are in the input. Empty when the input changes nothing (a repeated command, a late outcome of an
 * effect).
 *
 * @param stored how the journal stores an event, where it changes any
 */
export function decide(
  mission: Mission | null,
  input: Input,
  stored: Stored = (event) => event,
): readonly MissionEvent[] {
  const first = audited(mission, react(mission, input), { at: input.at, before: mission, decided: [] }, stored);
  if (first.length === 0 && input.body.type !== 'OwnerStarted') return [];
  const events = [...first];
  let state = preview(mission, first, input);
  for (let fresh: Fresh = input.fresh; state;) {
    const more = audited(state, advance(state, fresh), { at: input.at, before: mission, decided: events }, stored);
    if (more.length === 0) break;
    if (more.some((event) => event.type === 'LaunchRequested' || event.type === 'OrchestratorDispatched'))
      fresh = spent;
    events.push(...more);
    state = preview(state, more, input);
    if (state) assertEntryGuards(state, more);
  }
  return events;
}

/** One decision requests at most one launch; a second one would reuse its ids. */
const spent: Fresh = {
  get launch_id(): never {
    throw new Error('Broken invariant: a decision requested two launches.');
  },
  get session_id(): never {
    throw new Error('Broken invariant: a decision requested two launches.');
  },
  get nonce(): never {
    throw new Error('Broken invariant: a decision requested two launches.');
  },
};

function react(mission: Mission | null, input: Input): readonly MissionEvent[] {
  if (input.body.type !== 'Command') return decideReport(mission, input, input.body);
  if (!mission) throw new Error('Broken invariant: a command for a mission that was never received.');
  return decideCommand(mission, input, input.body);
}

/** Folds events that are not journalled yet and so have no sequence number and hash. */
function preview(mission: Mission | null, events: readonly MissionEvent[], input: Input): Mission | null {
  const [seq, run_id, hash] = [mission?.last_seq ?? 0, mission?.run_id ?? '', mission?.last_hash ?? ''];
  return fold(
    events.map((event) => ({ seq, run_id, at: input.at, event, hash })),
    mission,
  );
}
