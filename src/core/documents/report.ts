import type { ContractCode } from '../../contracts/vocabulary/codes';
import type { Finding } from './finding';

/** Rules of Fresh Context give one of its 14 codes. */
export type Report = (code: ContractCode, pointer: string, message: string, severity?: Finding['severity']) => void;

export function collectFindings(): { readonly report: Report; readonly list: readonly Finding[] } {
  const list: Finding[] = [];
  return {
    list,
    report: (code, pointer, message, severity = 'error') => list.push({ code, severity, pointer, message }),
  };
}
