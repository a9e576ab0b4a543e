import type { HumanDecision } from '../../../contracts/record/header';
import { decisionStep } from '../../../base/text/steps';
import { grantWords } from '../../../base/text/words';
import type { RecoveryPermission } from '../../../contracts/vocabulary/intents';
import type { MissionCommand } from '../../../contracts/commands/missionCommand';
import type { MissionEvent } from '../../model/events';
import type { Command } from '../../model/inputs';
import { openPackets, type Packet, type TaskRow, type Progress, type ReceivedPlan } from '../../model/state';
import { absolute } from '../../recovery/permission/decideRecovery';
import { grantProblem } from '../../recovery/permission/grantProblem';
import { isGivenUp, type GrantFacts, type Recovery } from '../../recovery/permission/record';
import { permissionOf } from '../../recovery/permission/widening';
import { refuse, type Behaviours, type CommandDecision, type Refused } from '../parts/commandDecision';
import { resolveWith, ifPausedSuffix } from './packetCommands';
import { answerable } from '../questions/questions';

/** A block that recovery could not mend, with what its worker was denied. */
interface Escalated {
  readonly row: TaskRow;
  readonly packet: Packet;
  /** Null: modes of a folder that the launch itself needs. */
  readonly recovery: Recovery | null;
  /** That folder; null: no folder, or the launch did not name it. */
  readonly directory: string | null;
}

type GrantDirectory = Extract<MissionCommand, { readonly type: 'GrantDirectory' }>;

export const granting: Behaviours<'GrantDirectory'> = {
  GrantDirectory: {
    offered: 'blocked',
    refused: cannotGrant,
    decide: grant,
    ofStep: ({ place }, task_id) => ({ type: 'GrantDirectory', task_id, directory: place }),
    ...{ continues: true, needsMachine: true },
  },
};

/** Grants one attempt what it was denied: a directory outside the workspace, or the workspace for what concerns it. */
function grant(
  mission: Progress,
  wanted: GrantDirectory,
  decision: HumanDecision,
  surroundings: Pick<Command, 'workspace_dir' | 'home_dir'>,
): CommandDecision {
  const found = escalatedTask(mission, wanted.task_id);
  if ('code' in found) return found;
  const { row, packet, recovery } = found;
  const { task_id } = row.task;
  const permission = permissionToGrant(recovery);
  if (permission === null) return noGrant(mission, task_id);
  const directory = absolute({ workspace_dir: null }, wanted.directory);
  if (directory === null) return refuse('GRANT_INVALID', `${wanted.directory} is no absolute path.`, byHand(mission));
  const problem = grantProblem(directory, surroundings, permission);
  if (problem !== null) return refuse('GRANT_INVALID', `${wanted.directory} ${problem}.`, byHand(mission));
  const given = {
    ...{ permission, directory },
    ...(recovery?.reads && { reads: true as const }),
    ...(wanted.file !== undefined && permission === 'add_directory' && { file: wanted.file }),
  };
  return {
    events: [
      { type: 'DirectoryGranted', task_id, packet_id: packet.packet_id, ...given, decision },
      ...resolveWith(mission, packet.packet_id, 'retry-repair', decision),
    ],
    reason: `Granted for one attempt of ${task_id}: ${grantWords(given)}. It is tried again${ifPausedSuffix(mission)}.`,
  };
}

function cannotGrant(mission: Progress, { task_id: taskId }: GrantDirectory): Refused | null {
  const found = escalatedTask(mission, taskId);
  if ('code' in found) return found;
  return permissionToGrant(found.recovery) === null ? noGrant(mission, found.row.task.task_id) : null;
}

/** Resolves every open packet as mended by hand; null: one of them waits for a decision of its own, or none is open. */
export function fixedByHand(mission: Progress, decision: HumanDecision): readonly MissionEvent[] | null {
  if (!mendableByHand(mission)) return null;
  return openPackets(mission).map(({ packet_id }) => ({
    type: 'PacketResolved',
    packet_id,
    outcome: 'retry-repair',
    decision,
  }));
}

export function mendableByHand(mission: Progress): boolean {
  const open = openPackets(mission);
  const mendable = new Set(escalatedTasks(mission).map(({ packet }) => packet.packet_id));
  return open.length > 0 && open.every(({ packet_id }) => mendable.has(packet_id));
}

/** The place that a person may grant a blocked task, `.` for the workspace itself; null: nothing that is known. */
export function grantPlace(mission: Progress, taskId: string): string | null {
  const denied = deniedOf(mission, taskId);
  if (!denied) return null;
  return denied.path ?? (concernsWorkspace(denied.permission) ? '.' : null);
}

/** Returns what a person may grant; null: nothing. `path` null: the workspace itself, or an unknown place. */
export function deniedOf(
  mission: Progress,
  taskId: string,
):
  | (GrantFacts & { readonly permission: RecoveryPermission; readonly path: string | null; readonly reads?: true })
  | null {
  const found = escalatedTasks(mission).find(({ row }) => row.task.task_id === taskId);
  const permission = found ? permissionToGrant(found.recovery) : null;
  if (!found || permission === null) return null;
  return {
    permission,
    path: concernsWorkspace(permission) ? null : (found.recovery?.path ?? found.directory),
    ...(found.recovery?.reads && { reads: true }),
    ...found.recovery?.grant,
  };
}

function concernsWorkspace(permission: RecoveryPermission): boolean {
  return permission === 'skip_git_repo_check' || permission === 'trust_workspace';
}

function noGrant(mission: ReceivedPlan, taskId: string): Refused {
  const reason = `No grant would help task ${taskId}; its recovery packet says what would.`;
  return refuse('GRANT_INVALID', reason, byHand(mission));
}

function byHand(mission: ReceivedPlan): readonly string[] {
  return [decisionStep('resume', mission.mission_id), decisionStep('cancel', mission.mission_id)];
}

function permissionToGrant(recovery: Recovery | null): RecoveryPermission | null {
  if (recovery === null) return 'fix_permissions';
  return recovery.action === null ? null : permissionOf[recovery.action];
}

function escalatedTask(mission: Progress, taskId: string | null): Escalated | Refused {
  const all = escalatedTasks(mission);
  const named = taskId === null ? all : all.filter(({ row }) => row.task.task_id === taskId);
  const [only, ...others] = named;
  if (!only)
    return refuse(
      'TASK_NOT_BLOCKED',
      taskId === null ? 'No task waits for a permission.' : `Task ${taskId} does not wait for a permission.`,
      [`mission status ${mission.mission_id}`],
    );
  if (others.length > 0) {
    const reason = `Several tasks wait for a permission: ${named.map(({ row }) => row.task.task_id).join(', ')}.`;
    return refuse('GRANT_INVALID', reason, [`mission packet list ${mission.mission_id}`]);
  }
  return only;
}

function escalatedTasks(mission: Progress): readonly Escalated[] {
  return mission.rows.flatMap((row) => {
    const last = row.attempts.at(-1);
    const { failure } = last ?? {};
    const packet = mission.packets.findLast(({ task_id }) => task_id === row.task.task_id);
    if (row.status !== 'blocked' || failure?.kind !== 'recoverable' || !packet || !answerable(packet)) return [];
    if (failure.category !== 'permission_recovery_exhausted') return [];
    const recovery = last?.recoveries.findLast(isGivenUp) ?? null;
    return [{ row, packet, recovery, directory: failure.unusable?.directory ?? null }];
  });
}
