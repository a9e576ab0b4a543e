import { evidenceFindings, type EvidenceFindingCode } from '../../contracts/vocabulary/evidenceFindings';

/** `file` is relative to docs/ops/executions/<plan_id>/, or to the workspace root when it is outside ('' for the whole). */
export interface EvidenceFinding {
  readonly code: EvidenceFindingCode;
  readonly severity: 'error' | 'warning' | 'info';
  readonly file: string;
  /** JSON pointer into the file. */
  readonly pointer: string;
  readonly message: string;
  /** What a person does about it. */
  readonly next: string;
  /** What explains it without excusing it. */
  readonly hint?: string;
}

export function evidenceFinding(
  code: EvidenceFindingCode,
  file: string,
  message: string,
  pointer = '',
  hint: string | null = null,
): EvidenceFinding {
  return {
    code,
    ...evidenceFindings[code],
    file,
    pointer,
    message,
    ...(hint === null ? {} : { hint }),
  };
}

/** Digests are compared without regard to case. */
export function sameDigest(a: string, b: string): boolean {
  return a.toUpperCase() === b.toUpperCase();
}
