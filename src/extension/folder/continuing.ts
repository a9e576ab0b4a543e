import type { MissionCommand } from '../../contracts/missionCommand';

/** The commands after which a mission continues in this window, which then remembers the mission. */
export const continuingCommands: Readonly<Record<MissionCommand['type'], boolean>> = {
  ResumeMission: true,
  RetryTask: true,
  RerunValidation: true,
  SkipTask: true,
  GrantDirectory: true,
  CompleteIntervention: true,
  AnswerQuestion: true,
  ConfirmMemory: true,
  ReviseMetadata: false,
  PauseMission: false,
  StopTask: false,
  AcceptChanges: false,
  CancelMission: false,
  SupersedeMission: false,
  Acknowledge: false,
  ResolvePacket: false,
  ExportHandoff: false,
};
