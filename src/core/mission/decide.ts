import { advance } from './advance';
import { decideCommand } from './commands';
import { fold } from './evolve';
import type { MissionEvent } from '../model/events';
import type { Fresh, Input } from '../model/inputs';
import { decideReport } from './reports';
import type { Mission } from '../model/state';

/**
 * One step of a mission: what the input means, and everything that follows from it until the mission
 * waits again. Pure: time, ids and randomness are in the input. An empty answer means the input changes
 * nothing (a repeated command, a late outcome of an effect nobody waits for).
 */
export function decide(mission: Mission | null, input: Input): readonly MissionEvent[] {
  const first = react(mission, input);
  if (first.length === 0 && input.body.type !== 'OwnerStarted') return [];
  const events = [...first];
  let state = preview(mission, first, input);
  for (let fresh: Fresh = input.fresh; state;) {
    const more = advance(state, fresh);
    if (more.length === 0) break;
    if (more.some((event) => event.type === 'LaunchRequested')) fresh = spent;
    events.push(...more);
    state = preview(state, more, input);
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

/** Folds events that are not journalled yet: sequence and hash are only known after the append. */
function preview(mission: Mission | null, events: readonly MissionEvent[], input: Input): Mission | null {
  const [seq, run_id, hash] = [mission?.last_seq ?? 0, mission?.run_id ?? '', mission?.last_hash ?? ''];
  return fold(
    events.map((event) => ({ seq, run_id, at: input.at, event, hash })),
    mission,
  );
}
