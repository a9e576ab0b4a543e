import type { ContractCode } from '../../contracts/vocabulary/codes';
import type { Finding } from '../plan/finding';

/** Codes a rule of Fresh Context may give: one of the 14; FIELD_UNKNOWN only warns. */
export type FreshContextCode = ContractCode | 'FIELD_UNKNOWN';
export type Report = (code: FreshContextCode, pointer: string, message: string, severity?: Finding['severity']) => void;

export function collectFindings(): { readonly report: Report; readonly list: readonly Finding[] } {
  const list: Finding[] = [];
  return {
    list,
    report: (code, pointer, message, severity = 'error') => list.push({ code, severity, pointer, message }),
  };
}
