import type { MissionCommand } from '../../contracts/missionCommand';

/** Whether tasks may run because of a command. */
const continuing: Readonly<Record<MissionCommand['type'], boolean>> = {
  ResumeMission: true,
  RetryTask: true,
  RerunValidation: true,
  SkipTask: true,
  GrantDirectory: true,
  CompleteIntervention: true,
  AnswerQuestion: true,
  ConfirmMemory: true,
  ResolvePacket: true,
  PauseMission: false,
  StopTask: false,
  AcceptChanges: false,
  ReviseMetadata: false,
  CancelMission: false,
  SupersedeMission: false,
  Acknowledge: false,
  ExportHandoff: false,
};

export function continues(command: MissionCommand): boolean {
  const leaves = command.type === 'ResolvePacket' && ['leave-blocked', 'ask-user'].includes(command.outcome);
  return continuing[command.type] && !leaves;
}

/** Returns whether the command ends a pause. Others by which tasks may run leave a paused mission paused. */
export function endsPause(command: MissionCommand): boolean {
  const stays: readonly MissionCommand['type'][] = ['SkipTask', 'CompleteIntervention', 'ConfirmMemory'];
  return continues(command) && !stays.includes(command.type);
}

/** Returns whether tasks may run because of an accepted command, of which the journal has the name. */
export function mayContinue(name: string): boolean {
  return Object.entries(continuing).some(([known, does]) => does && known === name);
}
