import { planContractVersion } from '../../../contracts/vocabulary/plan';
import { objectAt, objectsAt, quoted, textAt } from '../../../base/json';
import { eachCommand, flatCommand, literalArgv, readCommand, shellArgv } from '../../../base/text/commandLine';
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

/** A command as the program or the shell has to get it; a person chooses among the ways. */
export function mendCommand({ plan, path, value }: Mended): readonly PlanFix[] {
  const one = path.at(-1) === 'verify' && Array.isArray(value) ? flatCommand(value) : null;
  if (one) return [setsValue('Write it as one command', path, [one])];
  const isEntry = path.at(-1) === 'command' || path.at(-2) === 'verify';
  const isArgument = typeof path.at(-1) === 'number' && (path.at(-2) === 'command' || path.at(-3) === 'verify');
  if (!isEntry && !isArgument) return [];
  const at = isEntry ? path : path.slice(0, -1);
  const argv = isEntry ? value : at.reduce<unknown>(entryOf, plan);
  const texts = (Array.isArray(argv) ? argv : [argv]).filter((word) => typeof word === 'string');
  const reading = readCommand(texts);
  const shell = (line: string): readonly PlanFix[] => {
    const read = shellArgv(line);
    const each = path.includes('verify') ? eachCommand(line) : null;
    return [
      ...(read ? [setsValue('Let a shell read it', at, read)] : []),
      ...(each
        ? [
            {
              title: 'One entry for each command',
              edits: [{ kind: 'spread', path: at, values: each } as const],
            },
          ]
        : []),
    ];
  };
  switch (reading.kind) {
    case 'words': {
      const title = 'Split it at its blanks';
      if (isEntry) return [setsValue(title, at, reading.words)];
      return [{ title, edits: [{ kind: 'spread', path, values: reading.words }] }];
    }
    case 'shell':
    case 'unread':
      return [
        ...shell(reading.line),
        ...(reading.kind === 'shell' && reading.at > 0
          ? [setsValue(`Keep ${quoted(texts[reading.at])} as an argument`, at, literalArgv(texts))]
          : []),
      ];
    case 'hides':
      return reading.argv ? [setsValue('Count each failure', at, reading.argv)] : [];
    case 'skips':
      return reading.argv ? [setsValue(`Leave out ${quoted(reading.flag)}`, at, reading.argv)] : [];
    case 'plain':
    case 'idle':
      return typeof value === 'string' && isEntry && texts[0]?.trim()
        ? [setsValue('Write it as a list', at, [value.trim()])]
        : [];
  }
}

function entryOf(owner: unknown, key: string | number): unknown {
  return typeof owner === 'object' && owner !== null
    ? (owner as Readonly<Record<string | number, unknown>>)[key]
    : null;
}

/** One fix for each intent that the task reads as: a person chooses. */
export function declareIntent({ plan, path }: Mended): readonly PlanFix[] {
  const [tasks, index] = path;
  const list = plan['tasks'];
  const task: unknown = Array.isArray(list) && typeof index === 'number' ? list[index] : undefined;
  if (tasks !== 'tasks' || index === undefined || typeof task !== 'object' || task === null || 'intent' in task)
    return [];
  const description = textAt(task, 'description') ?? '';
  const resolved = resolveIntent({
    intent: null,
    type: textAt(task, 'type'),
    description,
  });
  if (resolved.kind !== 'ambiguous') return [];
  return [resolved.first.intent, resolved.second.intent].map((intent) =>
    setsValue(`Declare the intent ${intent}`, ['tasks', index, 'intent'], intent),
  );
}

export function defaultCriteria({ path }: Mended): readonly PlanFix[] {
  return [setsValue(`Add ${criteria.join(' and ')}`, path, criteria)];
}

export const waitsForPerson = setsValue(
  'Wait for the person ("on_block": "recover")',
  ['execution', 'on_block'],
  'recover',
);

/** A person answers the assertions, and the mission waits for that. */
export function asksPerson({ plan, path }: Mended): readonly PlanFix[] {
  const [index] = path.filter((part) => typeof part === 'number');
  const asked = textAt(objectAt(objectsAt(plan, 'milestones').find(([, at]) => at === index)?.[0], 'validate'), 'mode');
  if (asked === 'user-testing') return [waitsForPerson];
  return [setsValue('Ask a person ("mode": "user-testing")', [...path.slice(0, -1), 'mode'], 'user-testing')];
}
