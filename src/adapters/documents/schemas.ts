import type { ValidateFunction } from 'ajv';
import aiProject from '../../../schemas/ai-project.schema.json';
import assignment from '../../../schemas/assignment.schema.json';
import executionHeader from '../../../schemas/execution-header.schema.json';
import exitRecord from '../../../schemas/exit-record.schema.json';
import handoff from '../../../schemas/handoff.schema.json';
import inboxAnswer from '../../../schemas/inbox-answer.schema.json';
import inboxCommand from '../../../schemas/inbox-command.schema.json';
import launchTicket from '../../../schemas/launch-ticket.schema.json';
import ledger from '../../../schemas/ledger.schema.json';
import locks from '../../../schemas/locks.schema.json';
import milestoneEvidence from '../../../schemas/milestone-evidence.schema.json';
import milestoneReport from '../../../schemas/milestone-report.schema.json';
import modelPolicy from '../../../schemas/model-policy.schema.json';
import orchestratorOutput from '../../../schemas/orchestrator-output.schema.json';
import plan from '../../../schemas/plan.schema.json';
import recoveryPacket from '../../../schemas/recovery-packet.schema.json';
import rememberingResult from '../../../schemas/remembering-result.schema.json';
import result from '../../../schemas/result.schema.json';
import streamEvent from '../../../schemas/stream-event.schema.json';
import taskEvent from '../../../schemas/task-event.schema.json';
import taskEvidence from '../../../schemas/task-evidence.schema.json';
import validationReport from '../../../schemas/validation-report.schema.json';
import workerHandoff from '../../../schemas/worker-handoff.schema.json';
import type { DocumentName } from '../../contracts/schemas';
import type { Finding } from '../../core/documents/finding';
import { builtValidators } from './builtValidators';
import { fieldFindings } from './fields';
import type { compileSchema } from './schemaCompiler';
import { shapeFinding, withoutEchoes } from './shapeFindings';

/** The generated schemas, by document. */
export const generatedSchemas: { readonly [N in DocumentName]: object } = {
  plan,
  'execution-header': executionHeader,
  'task-evidence': taskEvidence,
  'recovery-packet': recoveryPacket,
  'worker-handoff': workerHandoff,
  'validation-report': validationReport,
  result,
  'remembering-result': rememberingResult,
  'milestone-evidence': milestoneEvidence,
  'milestone-report': milestoneReport,
  assignment,
  handoff,
  'orchestrator-output': orchestratorOutput,
  'model-policy': modelPolicy,
  'task-event': taskEvent,
  'stream-event': streamEvent,
  ledger,
  'ai-project': aiProject,
  locks,
  'launch-ticket': launchTicket,
  'inbox-command': inboxCommand,
  'inbox-answer': inboxAnswer,
  'exit-record': exitRecord,
};

/** All findings about the shape of a parsed document, in the order of the schema. */
export function checkShape(name: DocumentName, value: unknown): readonly Finding[] {
  const validate = validatorOf(name);
  const schema = generatedSchemas[name];
  const errors = validate(value) ? [] : withoutEchoes(validate.errors ?? []);
  const shape = errors.map((error) => shapeFinding(error, schema));
  const spoken = new Set(shape.map(({ pointer }) => pointer));
  // An unknown field refuses a policy, because its author meant to forbid something that would be allowed.
  const fields = fieldFindings(schema, value, name === 'model-policy' ? 'refused' : 'ignored').filter(
    ({ severity, pointer }) => severity !== 'error' || !spoken.has(pointer),
  );
  return [...shape, ...fields];
}

const validators = new Map<DocumentName, ValidateFunction>();

function validatorOf(name: DocumentName): ValidateFunction {
  const found = validators.get(name) ?? builtValidators[name] ?? compiled(name);
  validators.set(name, found);
  return found;
}

/** Compiles on first use and loads ajv only then, because most windows never need it. */
function compiled(name: DocumentName): ValidateFunction {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would be evaluated at the start
  const compiler = require('./schemaCompiler') as { readonly compileSchema: typeof compileSchema };
  return compiler.compileSchema(generatedSchemas[name]);
}
