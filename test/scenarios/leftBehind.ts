import type { MissionCommand } from '../../src/contracts/commands/missionCommand';
import { decide } from '../../src/core/mission/decide';
import { evolve } from '../../src/core/mission/evolve';
import type { Mission } from '../../src/core/model/state';
import { completedResult } from './claims';
import { played } from './played';
import type { Scenario } from './scenario';

/** The open mission after every append: what an owner that died then has left. Made once in a process. */
export function leftBehind(scenario: Scenario): readonly Mission[] {
  const before = known.get(scenario);
  if (before) return before;
  const { entries } = played(scenario);
  let mission: Mission | null = null;
  const left = entries.flatMap((entry, index) => {
    mission = evolve(mission, entry);
    return entries[index + 1]?.at === entry.at || mission.execution === 'REPORTED' ? [] : [mission];
  });
  known.set(scenario, left);
  return left;
}

const known = new WeakMap<Scenario, readonly Mission[]>();

/** Why the mission refuses a person's command; null: it does not. */
export function refusedAs(
  mission: Mission,
  command: MissionCommand,
  { title }: Pick<Scenario, 'title'>,
  owned = false,
): string | null {
  const [first] = decide(mission, {
    at: mission.last_at,
    actor: { kind: 'human', name: 'ada' },
    fresh: { launch_id: 'followed', session_id: 'followed', nonce: '0'.repeat(32) },
    body: {
      type: 'Command',
      command_id: 'followed',
      command,
      reason: 'because',
      expected_seq: null,
      from_worker: false,
      identified: true,
      owner_was_absent: !owned,
      active_elsewhere: null,
      completed: completedResult(mission, 'task_id' in command ? (command.task_id ?? '') : '', {}),
    },
  });
  return first?.type === 'CommandRefused' ? `${title}, event ${mission.last_seq}: ${first.code} ${first.reason}` : null;
}
