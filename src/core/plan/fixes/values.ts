import { planContractVersion } from '../../../contracts/vocabulary/plan';
import { objectAt, objectsAt, quoted, textAt } from '../../../base/json';
import { resolveIntent } from '../rules/resolveIntent';
import { setsValue, type Mended, type PlanFix } from './planFix';

/** Criteria that every plan of ours begins with. */
const criteria = ['validator_passes', 'no_scope_violation'] as const;

/** A field that a plan needs and whose value follows from the file, or holds back. */
export function missingField({ path, message, fileId, now }: Mended): readonly PlanFix[] {
  if (path.length > 0) return [];
  const values: Readonly<Record<string, unknown>> = {
    contract_version: planContractVersion,
    ...(fileId !== null && { plan_id: fileId }),
    created_at: now,
    status: 'DRAFT',
    execution: { mode: 'sequential' },
    approval: { required: true },
    success_criteria: criteria,
  };
  return Object.entries(values)
    .filter(([key]) => message.includes(`lacks ${quoted(key)}`))
    .map(([key, value]) => setsValue(`Add ${quoted(key)}`, [key], value));
}

/** The id that the name of the file says. */
export function ownId({ path, fileId }: Mended): readonly PlanFix[] {
  return fileId === null ? [] : [setsValue(`Change to ${quoted(fileId)}, as the file is named`, path, fileId)];
}

/** The same moment in UTC. When a plan was approved is not rewritten. */
export function utcTime({ path, value }: Mended): readonly PlanFix[] {
  if (path[0] !== 'created_at' || typeof value !== 'string' || !/(?:[zZ]|[+-]\d{2}:?\d{2})$/.test(value)) return [];
  const time = Date.parse(value);
  if (Number.isNaN(time)) return [];
  const utc = new Date(time).toISOString().replace('.000Z', 'Z');
  return [setsValue(`Change to ${utc}`, path, utc)];
}

/** A command line in one text, as a list of arguments; one that a shell would read in another way is left alone. */
export function splitCommand({ path, value }: Mended): readonly PlanFix[] {
  const isArgument = path.at(-1) === 0 && (path.at(-2) === 'command' || path.at(-3) === 'verify');
  const isLine = path.at(-1) === 'command' || path.at(-2) === 'verify';
  if (typeof value !== 'string' || !(isArgument || isLine)) return [];
  const words = value.trim().split(/\s+/);
  if (words[0] === '' || /["'`\\$&|;<>*?(){}[\]#~!%^]|^\s*\w+=/.test(value)) return [];
  const title = 'Split it at its blanks';
  return isArgument ? [{ title, edits: [{ kind: 'spread', path, values: words }] }] : [setsValue(title, path, words)];
}

/** One fix for each intent that the task reads as: a person chooses. */
export function declareIntent({ plan, path }: Mended): readonly PlanFix[] {
  const [tasks, index] = path;
  const list = plan['tasks'];
  const task: unknown = Array.isArray(list) && typeof index === 'number' ? list[index] : undefined;
  if (tasks !== 'tasks' || index === undefined || typeof task !== 'object' || task === null || 'intent' in task)
    return [];
  const description = textAt(task, 'description') ?? '';
  const resolved = resolveIntent({ intent: null, type: textAt(task, 'type'), description });
  if (resolved.kind !== 'ambiguous') return [];
  return [resolved.first.intent, resolved.second.intent].map((intent) =>
    setsValue(`Declare the intent ${intent}`, ['tasks', index, 'intent'], intent),
  );
}

/** The criteria that a new plan begins with. */
export function defaultCriteria({ path }: Mended): readonly PlanFix[] {
  return [setsValue(`Add ${criteria.join(' and ')}`, path, criteria)];
}

/** A person answers the assertions, and the mission waits for that. */
export function asksPerson({ plan, path }: Mended): readonly PlanFix[] {
  const [index] = path.filter((part) => typeof part === 'number');
  const asked = textAt(objectAt(objectsAt(plan, 'milestones').find(([, at]) => at === index)?.[0], 'validate'), 'mode');
  if (asked === 'user-testing')
    return [setsValue('Wait for the person ("on_block": "recover")', ['execution', 'on_block'], 'recover')];
  return [setsValue('Ask a person ("mode": "user-testing")', [...path.slice(0, -1), 'mode'], 'user-testing')];
}
