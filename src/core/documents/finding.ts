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

export function errorLines(findings: readonly Finding[]): readonly string[] {
  return findings.flatMap(({ severity, code, pointer, message }) =>
    severity === 'error' ? [`${code} ${pointer}: ${message}`] : [],
  );
}
