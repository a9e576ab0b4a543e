import type { ContractCode } from '../../contracts/vocabulary/codes/codes';
import type { Finding } from './finding';

/** Reports a finding of a rule; severity `error` by default. Rules of Fresh Context use one of its 14 codes. */
export type AddFinding<Code extends string = ContractCode> = (
  code: Code,
  pointer: string,
  message: string,
  severity?: Finding['severity'],
) => void;

export function collectFindings<Code extends string = ContractCode>(): {
  readonly report: AddFinding<Code>;
  readonly list: readonly Finding[];
} {
  const list: Finding[] = [];
  return {
    list,
    report: (code, pointer, message, severity = 'error') => list.push({ code, severity, pointer, message }),
  };
}
