import type { Refusal } from '../../../base/outcome';
import type { HumanDecision } from '../../../contracts/record/header';
import type { MissionCommand } from '../../../contracts/commands/missionCommand';
import type { RefusalCode } from '../../../contracts/vocabulary/codes/codes';
import type { commandTable, CommandType } from '../../../contracts/vocabulary/commands';
import type { StepArguments } from '../../../contracts/vocabulary/steps';
import type { MissionEvent } from '../../model/events';
import type { Command } from '../../model/inputs';
import type { Mission, Tasks, Course } from '../../model/state';

export type Refused = Refusal;
/** What a command leads to: the events of its acceptance and a sentence for the sender, or a refusal. */
export type CommandDecision = { readonly events: readonly MissionEvent[]; readonly reason: string } | Refused;

/** What a command means for a mission. It stands in the file of its command, and `commandTable.ts` has every one. */
export interface Behaviour<C extends MissionCommand = MissionCommand, Args = never> {
  /** What it is offered for: the mission, or those of these tasks that it does not refuse. Absent: a packet offers it. */
  readonly offered?: 'mission' | 'blocked' | 'running' | 'tasks' | ((mission: Mission) => boolean | readonly string[]);
  /** Says why it is refused in this state of the mission; null: it is decided. @param ownerless no process runs it */
  readonly refused: (mission: Mission, command: C, ownerless: boolean) => Refused | null;
  readonly decide: (mission: Mission, command: C, decision: HumanDecision, asked: Command) => CommandDecision;
  /** Whether tasks may run because of it, or of this form of it. */
  readonly continues: boolean | ((command: C) => boolean);
  /** Tasks may run because of it, and a paused mission stays paused. */
  readonly keepsPause?: true;
  /** Returns whether the runner gives it, too: a host of a fleet that lets a mission go, or records where it stands. */
  readonly byRunner?: (command: C) => boolean;
  /** It orders whether tasks run, although none runs because of it. */
  readonly isOrder?: true;
  /** It is decided although an effect of the mission fails. */
  readonly whileStuck?: true;
  /** What a mission that has ended does: it takes it, or says more than that it has ended. Absent or null: neither. */
  readonly afterEnd?: (mission: Mission, command: C, ownerless: boolean) => 'taken' | Refused | null;
  /** Returns whether the process that decides it becomes the owner. Absent: it does. */
  readonly takesOver?: (command: C) => boolean;
  /** Only an owner decides it, because only an owner knows the folders of the machine. */
  readonly needsMachine?: true;
  /** The command that a step of a block asks for. Absent: the one whose line takes nothing else, or none. */
  readonly ofStep?: (args: Args, task_id: string, mission: Mission) => C;
}

type ArgumentsOf<Line> = Line extends keyof StepArguments ? StepArguments[Line] : never;

/** In place of a text that a person writes. */
export const written = 'Which?';

export type Behaviours<T extends CommandType> = {
  readonly [N in T]: Behaviour<
    Extract<MissionCommand, { readonly type: N }>,
    ArgumentsOf<(typeof commandTable)[N]['line']>
  >;
};

/** Returns whether the mission has ended or is about to, whatever a person decides. */
export function closed(mission: Course): boolean {
  return (mission.ending ?? mission.criteria ?? mission.moved) !== null;
}

export function refuse(code: RefusalCode, reason: string, next: readonly string[]): Refused {
  return { code, reason, next };
}

export function unknownTask(mission: Tasks, taskId: string): Refused {
  const tasks = mission.rows.map((row) => row.task.task_id).join(', ');
  return refuse('TASK_UNKNOWN', `The plan has no task ${taskId}; its tasks are ${tasks}.`, [statusStep(mission)]);
}

export function unknownPacket(mission: Tasks, packetId: string): Refused {
  return refuse('PACKET_UNKNOWN', `There is no packet ${packetId} in this mission.`, [packetsStep(mission)]);
}

export function packetsStep({ mission_id }: { readonly mission_id: string }): string {
  return `mission packet list ${mission_id}`;
}

export function statusStep({ mission_id }: { readonly mission_id: string }): string {
  return `mission status ${mission_id}`;
}
