import type { CommandGroup, CommandSpec } from './shell/command';
import { answer } from './commands/answer';
import { auditExport, auditVerify } from './commands/audit';
import { check } from './commands/check';
import { clean } from './commands/clean';
import { contextNew } from './commands/contextNew';
import { diff } from './commands/diff';
import { doctor } from './commands/doctor';
import { eventsServe } from './commands/eventsServe';
import { evidenceVerify } from './commands/evidenceVerify';
import { grant } from './commands/grant';
import { handoffExport, handoffResume } from './commands/handoff';
import { accept, plainCommands, skip, stop } from './commands/human';
import { journalExport, journalVerify } from './commands/journal';
import { orchStart, orchTask } from './commands/orch';
import { memoryConfirm, memoryList, memorySetAside, memoryShow, memoryVerify } from './commands/memory';
import { packetList, packetResolve, packetShow } from './commands/packet';
import { packetRevise } from './commands/packetRevise';
import { planApprove } from './commands/plan/planApprove';
import { planDraft } from './commands/plan/planDraft';
import { planNew } from './commands/plan/planNew';
import { planRevise } from './commands/planRevise';
import { planValidate } from './commands/plan/planValidate';
import { run } from './commands/run';
import { list, status } from './commands/status';
import { workerSignals } from './commands/workerSignals';

/** Every command, as the help and the guide group them. */
export const commandGroups: readonly CommandGroup[] = [
  { title: 'Plans', commands: [check, planNew, planDraft, planValidate, planApprove, planRevise, contextNew] },
  {
    title: 'Missions',
    commands: [run, status, list, diff, ...plainCommands('mission'), stop],
  },
  {
    title: 'A task that waits',
    commands: [
      ...[...plainCommands('task'), skip, accept, grant, answer],
      ...[packetList, packetShow, packetResolve, packetRevise],
    ],
  },
  {
    title: 'Memory, handoff and evidence',
    commands: [
      ...[memoryConfirm, memoryList, memoryShow, memoryVerify, memorySetAside],
      ...[handoffExport, handoffResume],
      ...[evidenceVerify, journalExport, journalVerify, auditExport, auditVerify],
    ],
  },
  { title: 'Machine and others', commands: [doctor, clean, eventsServe, orchStart, orchTask, workerSignals] },
];

/** Every command, in the order of the help. */
export const commands: readonly CommandSpec[] = commandGroups.flatMap((group) => group.commands);
