import { errorCodes } from '../../contracts/vocabulary/errorCodes';
import type { ContractCode } from '../../contracts/vocabulary/codes';
import type { Finding } from './finding';
import { inDocumentOrder } from './documentOrder';

/** Answer of every validator of Fresh Context: exactly one primary code, and everything that was found. Facts B6. */
export interface Verdict {
  readonly allow: boolean;
  readonly code: ContractCode | 'OK';
  /** The primary finding in words. */
  readonly reason: string;
  readonly details: { readonly findings: readonly Finding[] };
}

/** A parsed document and what a schema says about its shape; null when the schema could not be had. */
export interface ShapedDocument {
  readonly value: unknown;
  readonly shape: readonly Finding[] | null;
}

/** The primary code is that of the first error in document order. Warnings and infos never refuse. */
export function verdictOf(value: unknown, findings: readonly Finding[]): Verdict {
  const ordered = inDocumentOrder(value, findings);
  const primary = ordered.find(({ severity }) => severity === 'error');
  return primary === undefined
    ? { allow: true, code: 'OK', reason: 'Valid.', details: { findings: ordered } }
    : { allow: false, code: contractCode(primary.code), reason: primary.message, details: { findings: ordered } };
}

/** A refusal with one finding about the whole. */
export function refusal(code: ContractCode, reason: string, pointer = ''): Verdict {
  return {
    allow: false,
    code,
    reason,
    details: { findings: [{ code, severity: 'error', pointer, message: reason }] },
  };
}

/** Text that is no JSON, keys that stand twice and the like: to this contract all of it is a wrong shape. */
export function contractCode(code: string): ContractCode {
  return isContractCode(code) ? code : 'SCHEMA_INVALID';
}

function isContractCode(code: string): code is ContractCode {
  return Object.hasOwn(errorCodes, code);
}
