import type { FindingCode } from '../../../contracts/vocabulary/findings';
import type { Finding } from '../../documents/finding';
import type { JsonObject } from '../../../base/json';

/** How a rule says what it found; an error unless it says otherwise. */
export type Report = (code: FindingCode, pointer: string, message: string, severity?: Finding['severity']) => void;

/** A task of the plan, its index and its pointer: looked up once for all rules. */
export type JudgedTask = readonly [task: JsonObject, index: number, pointer: string];

export interface Findings {
  readonly report: Report;
  readonly list: readonly Finding[];
}

export function collectFindings(): Findings {
  const list: Finding[] = [];
  return {
    list,
    report: (code, pointer, message, severity = 'error') => list.push({ code, severity, pointer, message }),
  };
}
