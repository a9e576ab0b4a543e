import { isBlank } from '../../contracts/vocabulary/forms';
import { adrFolder, adrStatuses } from '../../contracts/vocabulary/aiProject';
import type { FindingCode } from '../../contracts/vocabulary/codes/findings';
import { asList, isObject, valueAt, pointerToken } from '../../base/json';
import { collectFindings, type Finding } from '../documents/finding';
import { secretsIn } from '../documents/secrets';
import { pointerOf, projectFields, projectLocks } from './fields';

export interface DecisionRecord {
  /** File name, such as `ADR-0003-api-style.md`. */
  readonly name: string;
  /** The first word below `## Status`; null without such a heading. */
  readonly status: string | null;
}

/** For any JSON value. `records`: null where the caller did not read them. Source: seed 004. */
export function judgeProject(value: unknown, records: readonly DecisionRecord[] | null): readonly Finding[] {
  const { report, list } = collectFindings<FindingCode>();
  if (!isObject(value)) return list;
  for (const { name, must, choices, ask } of projectFields) {
    const found = fieldOf(value, name);
    const choice = choices ? `; one of ${choices.join(', ')}` : '';
    if (must === 'be_filled' && typeof found === 'string' && isBlank(found))
      report('PROJECT_FIELD_EMPTY', pointerOf(name), `${name} is not filled in: ${ask}${choice}.`);
    if (must === 'should_be_filled' && asList(found)?.length === 0)
      report('PROJECT_LIST_EMPTY', pointerOf(name), `${name} is empty: ${ask}.`, 'warning');
  }
  for (const { lock, value: locked, slug } of projectLocks) {
    if (fieldOf(value, lock) !== true) continue;
    const text = fieldOf(value, locked);
    if (typeof text !== 'string' || isBlank(text)) {
      const message = `${locked} is locked and not filled in; fill it in, or set ${lock} to false.`;
      report('PROJECT_LOCK_EMPTY', pointerOf(lock), message);
    }
    if (records !== null && !records.some((record) => decides(record, slug)))
      report(
        'PROJECT_LOCK_WITHOUT_ADR',
        pointerOf(lock),
        `${locked} is locked, and no decision record says why: write ${adrFolder}/ADR-0001-${slug}.md with a heading "## Status" and below it ${adrStatuses.join(', ')}, or set ${lock} to false.`,
      );
  }
  judgeSecrets(value, '', '', report);
  return list;
}

function fieldOf(value: unknown, name: string): unknown {
  return name.split('.').reduce((found: unknown, key) => valueAt(found, key), value);
}

function decides({ name, status }: DecisionRecord, slug: string): boolean {
  return /^ADR-.+\.md$/.test(name) && name.endsWith(`-${slug}.md`) && adrStatuses.some((one) => one === status);
}

/** Reports secrets, because the project file is sent to agents and kept in the run directory. */
function judgeSecrets(
  value: unknown,
  pointer: string,
  name: string,
  report: ReturnType<typeof collectFindings<FindingCode>>['report'],
): void {
  if (typeof value === 'string') {
    const kinds = secretsIn(`${value}\n"${name}": ${JSON.stringify(value)}`);
    if (kinds.length > 0)
      report(
        'SECRET_IN_PROJECT',
        pointer,
        `This looks like a secret (${kinds.join(', ')}), and agents read this file. Take it out, and replace the key where it is valid.`,
      );
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) judgeSecrets(item, `${pointer}/${pointerToken(key)}`, key, report);
  }
}
