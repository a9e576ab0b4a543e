import type { ContractCode } from '../../contracts/vocabulary/codes/codes';

/** One thing that is wrong or remarkable in a document. `message` says what to do. */
export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** JSON pointer into the document, '' for the whole. */
  readonly pointer: string;
  readonly message: string;
  /** One-based; present when the position is known. */
  readonly line?: number;
  readonly column?: number;
  /** Zero-based UTF-16 offsets into the text without its byte-order mark. */
  readonly offset?: number;
  readonly length?: number;
  /** The value is present but empty, for which a contract may have another code (see `judgeDocument`). */
  readonly empty?: true;
}

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

/** The first errors, a line each. */
export function errorLines(findings: readonly Finding[], most = Infinity): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === 'error').slice(0, most);
  return errors.map(({ code, pointer, message }) => `${code} ${pointer}: ${message}`);
}
