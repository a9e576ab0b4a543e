import type { CommandSpec } from './shell/command';
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
export const commands: readonly CommandSpec[] = [
  check,
  planValidate,
  planApprove,
  planNew,
  planDraft,
  planRevise,
  contextNew,
  run,
  status,
  list,
  diff,
  pause,
  resume,
  stop,
  cancel,
  retry,
  skip,
  accept,
  acknowledge,
  rerunValidation,
  grant,
  answer,
  intervene,
  memoryConfirm,
  memoryList,
  memoryShow,
  memoryVerify,
  memorySetAside,
  packetList,
  packetShow,
  packetResolve,
  packetRevise,
  handoffExport,
  handoffResume,
  orchStart,
  orchTask,
  evidenceVerify,
  journalExport,
  journalVerify,
  auditExport,
  auditVerify,
  workerSignals,
  eventsServe,
  clean,
  doctor,
];
