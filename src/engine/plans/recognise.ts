import { envelopeContractVersion } from '../../contracts/record/header';
import { planContractVersion } from '../../contracts/vocabulary/plan';
import type { FindingCode } from '../../contracts/vocabulary/codes/findings';
import type { Finding } from '../../core/documents/finding';
import { isObject, type JsonObject } from '../../base/json';
import type { CheckedDocument } from './documentCheck';

export type DocumentKind = 'plan' | CheckedDocument;
export type Recognised = { readonly kind: DocumentKind } | { readonly kind: null; readonly finding: Finding };

/** Recognises a document by its fields, never by its file name; returns its kind, or the contract that it resembles. */
export function recognise(value: unknown): Recognised {
  if (!isObject(value)) return unknown('A document is an object in braces');
  if (hasMarks(value, plannerMarks) || value['schema_version'] === 'planner.v1')
    return { kind: null, finding: finding('CONTRACT_FOREIGN', planner) };
  const version = value['contract_version'];
  if (version === planContractVersion) return { kind: 'plan' };
  if (version === envelopeContractVersion) return { kind: 'task_id' in value ? 'task-evidence' : 'header' };
  const found = kinds.find(([, ...marks]) => hasMarks(value, marks));
  return found === undefined ? unknown('Nothing in this document says what it is') : { kind: found[0] };
}

/** Alternatives, each the fields, with blanks between, that only this kind combines; the first kind that fits wins. */
type Marks = readonly string[];

const kinds: readonly (readonly [DocumentKind, ...Marks])[] = [
  ['assignment', 'packet_type', 'required_output_schema', 'global_objective task'],
  ['milestone', 'milestone_id failure_limit'],
  ['recovery-packet', 'allowedOutcomes', 'block dispatch'],
  ['worker-handoff', 'procedureCompliance', 'featureId leftUndone'],
  ['validation-report', 'procedureFindings', 'assertions recommendation', 'featureId commandsRun summary'],
  ['orchestrator-output', 'ledger_delta', 'assignments next_actions'],
  ['handoff', 'acceptance_targets', 'ledger objective', 'ledger constraints'],
  ['result', 'acceptance_check', 'notes_for_orchestrator', 'changes worklog_path'],
  ['ledger', 'ledger'],
  ['plan', 'tasks scope', 'tasks approval', 'tasks execution', 'tasks goal_id'],
  ['ai-project', 'ai_constraints', 'meta direction architecture'],
  ['model-policy', 'routing', 'models schema_version', 'profiles schema_version', 'refuse'],
  ['locks', 'active_locks', 'locks'],
  ['launch-ticket', 'argv nonce', 'launch_id fence'],
  ['exit-record', 'tree_gone', 'launch_id exit_code'],
  ['inbox-command', 'command from_worker', 'command sent_at'],
  ['inbox-answer', 'accepted answered_at'],
  ['task-event', 'event_type', 'from_state to_state'],
  ['header', 'plan_sha256 state', 'plan_sha256 started_at_utc goal_id'],
  ['task-evidence', 'task_id started_at_utc'],
];

const planner =
  'This looks like a plan of the contract planner.v1, which is not executed here; write it as a plan of S2-B-05.v1 (start from `mission plan new`).';

/** Fields of that contract alone. */
const plannerMarks: Marks = ['scope_contract', 'normalized_goal', 'input_fingerprint'];

function hasMarks(value: JsonObject, marks: Marks): boolean {
  return marks.some((fields) => fields.split(' ').every((field) => Object.hasOwn(value, field)));
}

function unknown(why: string): Recognised {
  return {
    kind: null,
    finding: finding('KIND_UNKNOWN', `${why}; name the kind, such as \`mission check plan\` and the file.`),
  };
}

function finding(code: FindingCode, message: string): Finding {
  return { code, severity: 'error', pointer: '', message };
}
