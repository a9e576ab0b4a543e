import { aiProjectSchema } from './aiProject';
import {
  assignmentSchema,
  ledgerDocumentSchema,
  locksDocumentSchema,
  orchestratorOutputSchema,
  taskEventSchema,
} from './freshContext';
import { handoffSchema } from './handoff';
import { executionHeaderSchema } from './record/header';
import { inboxAnswerSchema, inboxCommandSchema } from './inbox';
import { exitRecordSchema, launchTicketSchema } from './launch';
import { milestoneEvidenceSchema } from './milestoneEvidence';
import { modelPolicySchema } from './modelPolicy';
import { planSchema } from './plan';
import { recoveryPacketSchema } from './recoveryPacket';
import { rememberingResultSchema, subagentResultSchema } from './result';
import { streamEventSchema } from './record/streamEvent';
import { taskEvidenceSchema } from './taskEvidence';
import { sourceReportSchema, validationReportSchema, workerHandoffSchema } from './validationReport';

/** Every document with a JSON Schema, `schemas/<name>.schema.json`; scripts/generate.mjs reads this list. */
export const documentSchemas = {
  plan: { title: 'Plan (S2-B-05.v1)', schema: planSchema },
  'execution-header': { title: 'EXECUTION_HEADER.json (S2-B-06.v1)', schema: executionHeaderSchema },
  'task-evidence': { title: 'TASK_<task_id>.json (S2-B-06.v1)', schema: taskEvidenceSchema },
  'milestone-evidence': { title: 'MILESTONE_<id>.json', schema: milestoneEvidenceSchema },
  'recovery-packet': { title: 'Recovery packet', schema: recoveryPacketSchema },
  'worker-handoff': { title: 'handoff.json of a worker (seed 000)', schema: workerHandoffSchema },
  'validation-report': { title: 'validation-report.json (seed 000)', schema: sourceReportSchema },
  result: { title: 'Result packet of a worker (subagent_result_v1)', schema: subagentResultSchema },
  'remembering-result': {
    title: 'Result packet of a worker that may propose decisions to remember',
    schema: rememberingResultSchema,
  },
  'milestone-report': { title: 'Report of an agent that validates a milestone', schema: validationReportSchema },
  assignment: { title: 'Assignment packet (Fresh Context 1.x)', schema: assignmentSchema },
  handoff: { title: 'Handoff bundle (Fresh Context 1.x)', schema: handoffSchema },
  'orchestrator-output': { title: 'Output of an orchestrator (Fresh Context 1.x)', schema: orchestratorOutputSchema },
  'model-policy': { title: 'Model policy of a machine or a repository', schema: modelPolicySchema },
  'task-event': { title: 'Task event (Fresh Context 1.x)', schema: taskEventSchema },
  'stream-event': { title: 'Event of mission events serve', schema: streamEventSchema },
  ledger: { title: 'Ledger as mission check takes it', schema: ledgerDocumentSchema },
  'ai-project': { title: 'ai.project.json', schema: aiProjectSchema },
  locks: { title: 'Locks as mission check takes them', schema: locksDocumentSchema },
  'launch-ticket': { title: 'launch.json', schema: launchTicketSchema },
  'inbox-command': { title: 'inbox/<id>.json', schema: inboxCommandSchema },
  'inbox-answer': { title: 'inbox/<id>.answer.json', schema: inboxAnswerSchema },
  'exit-record': { title: 'exit.json', schema: exitRecordSchema },
} as const;
export type DocumentName = keyof typeof documentSchemas;
