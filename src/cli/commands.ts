import type { CommandSpec } from './shell/command';
import type { CommandGroup } from './shell/help';
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
import {
  accept,
  acknowledge,
  cancel,
  intervene,
  pause,
  resume,
  rerunValidation,
  retry,
  skip,
  stop,
} from './commands/human';
import { journalExport, journalVerify } from './commands/journal';
import { orchStart, orchTask } from './commands/orch';
import { memoryConfirm, memoryList, memorySetAside, memoryShow, memoryVerify } from './commands/memory';
import { packetList, packetResolve, packetShow } from './commands/packet';
import { packetRevise } from './commands/packetRevise';
import { planApprove } from './commands/planApprove';
import { planDraft } from './commands/planDraft';
import { planNew } from './commands/planNew';
import { planRevise } from './commands/planRevise';
import { planValidate } from './commands/planValidate';
import { run } from './commands/run';
import { list, status } from './commands/status';
import { workerSignals } from './commands/workerSignals';

/** Every command, in the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  { title: 'Plans', commands: [check, planValidate, planApprove, planNew, planDraft, planRevise, contextNew] },
  { title: 'Missions', commands: [run, status, list, diff, pause, resume, stop, cancel] },
  {
    title: 'A task that waits',
    commands: [retry, skip, accept, acknowledge, rerunValidation, grant, answer, intervene],
  },
  { title: 'Memory', commands: [memoryConfirm, memoryList, memoryShow, memoryVerify, memorySetAside] },
  { title: 'Recovery packets', commands: [packetList, packetShow, packetResolve, packetRevise] },
  { title: 'Handoff', commands: [handoffExport, handoffResume] },
  { title: 'Executors of your own', commands: [orchStart, orchTask] },
  { title: 'Evidence', commands: [evidenceVerify, journalExport, journalVerify, auditExport, auditVerify] },
  { title: 'Machine and tools', commands: [workerSignals, eventsServe, clean, doctor] },
];
export const commands: readonly CommandSpec[] = commandGroups.flatMap((group) => group.commands);
