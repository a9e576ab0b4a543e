import type { MissionCommand } from '../../contracts/commands/missionCommand';
import type { CommandType } from '../../contracts/vocabulary/commands';
import type { CommandOffers } from '../../contracts/page/missionView';
import { liveSession } from '../model/session';
import type { Mission, TaskRow } from '../model/state';
import { answering } from './questions/answer';
import { closed, type Behaviour, type Behaviours } from './parts/commandDecision';
import { confirming, intervening } from './resolve/inAttempt';
import { granting } from './resolve/grant';
import { accepting } from './parts/outstanding';
import { resolving } from './resolve/packetCommands';
import { revising } from './revision/revise';
import { acknowledging, running } from './runCommands';
import { skipping } from './resolve/skip';
import { undoing } from './resolve/undo';
import { superseding } from './revision/supersede';

/** Every command, in the order in which a view offers them. A command without a behaviour does not compile. */
export const behaviours: Behaviours<CommandType> = {
  ...running,
  ...resolving,
  ...accepting,
  ...undoing,
  ...skipping,
  ...granting,
  ...intervening,
  ...answering,
  ...confirming,
  ...revising,
  ...superseding,
  ...acknowledging,
};

export function behaviourOf({ type }: MissionCommand): Behaviour {
  return behaviours[type] as Behaviour;
}

export function continues(command: MissionCommand): boolean {
  const { continues: may } = behaviourOf(command);
  return typeof may === 'function' ? may(command) : may;
}

/** Returns whether the command ends a pause. Others by which tasks may run leave a paused mission paused. */
export function endsPause(command: MissionCommand): boolean {
  return continues(command) && behaviourOf(command).keepsPause !== true;
}

/** Returns whether tasks may run because of an accepted command, of which the journal has the name. */
export function mayContinue(name: string): boolean {
  return Object.entries(behaviours).some(([known, { continues: may }]) => may !== false && known === name);
}

/** Returns what a person can ask of the mission now, by command. @param ownerless no process runs it */
export function commandOffers(mission: Mission, ownerless: boolean): CommandOffers {
  const { rows, lanes } = mission;
  const idsOf = (all: readonly TaskRow[]): readonly string[] => all.map(({ task }) => task.task_id);
  const tasks = {
    ...{ blocked: idsOf(rows.filter(({ status }) => status === 'blocked')), tasks: idsOf(rows) },
    running: [...lanes, ...[liveSession(mission) ?? []].flat()].map(({ task_id }) => task_id),
  };
  const offers = Object.entries(behaviours as Readonly<Record<string, Behaviour>>).flatMap(
    ([type, { offered, refused }]) => {
      const takes = (task_id: string | null): boolean =>
        refused(mission, { type, task_id, packet_id: null } as unknown as MissionCommand, ownerless) === null;
      if (offered === undefined) return [];
      if (typeof offered === 'function') return [[type, offered(mission)]];
      if (offered === 'mission') return [[type, !closed(mission) && takes(null)]];
      return [[type, closed(mission) ? [] : tasks[offered].filter(takes)]];
    },
  );
  return Object.fromEntries(offers) as CommandOffers;
}
