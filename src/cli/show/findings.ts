import { unreadableCodes } from '../../contracts/vocabulary/codes/findings';
import type { Finding } from '../../core/documents/finding';
import { isLackOfApproval } from '../../core/view/plan/editorFindings';
import { exitCodes, type ExitCode, type Output } from '../shell/output';
import { errorCount } from '../../base/text/amounts';
import { terminal } from '../../base/text/marked/terminal';

export interface FileReport {
  readonly file: string;
  /** The kind it was checked as; absent when that is unknown. */
  readonly kind?: string;
  readonly valid: boolean;
  /** `OK` or the primary code of the contract. */
  readonly code: string;
  readonly plan_sha256?: string | null;
  readonly findings: readonly Finding[];
}

/** Prints the findings of every file, or the JSON document. `sayKind`: also prints the recognised kind. */
export function reportFiles(files: readonly FileReport[], out: Output, sayKind = false): ExitCode {
  const valid = files.every((file) => file.valid);
  for (const file of files) printFile(file, sayKind, out);
  out.document({
    valid,
    files: files.map(({ findings, ...file }) => ({ ...file, findings: findings.map(findingDocument) })),
  });
  if (files.some(({ code }) => isUnreadable(code))) return exitCodes.refused;
  return valid ? exitCodes.ok : exitCodes.failed;
}

export function printFindings(file: string, findings: readonly Finding[], out: Output): void {
  for (const { code, severity, pointer, message, line, column } of findings) {
    const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
    out.line(
      terminal`${place}: ${out.paint(colours[severity], severity)} ${code}${pointer === '' ? '' : ` ${pointer}`}`,
    );
    out.line(terminal`    ${message}`);
  }
}

const colours = { error: 'red', warning: 'yellow', info: 'cyan' } as const;

/** Prints a finding with its place after the code, what it says, and what a person does about it. */
export function printJudged(
  { code, severity, next }: { readonly code: string; readonly severity: keyof typeof colours; readonly next: string },
  places: readonly string[],
  sentences: readonly (string | undefined)[],
  out: Output,
): void {
  const place = places.filter((one) => one !== '').map((one) => ` ${one}`);
  out.line(terminal`${out.paint(colours[severity], severity)} ${code}${place.join('')}`);
  for (const sentence of sentences) if (sentence !== undefined) out.line(terminal`    ${sentence}`);
  if (severity !== 'info') out.line(terminal`    next: ${next}`);
}

export function findingDocument({ code, severity, pointer, message, line, column }: Finding): object {
  return { code, severity, pointer, message, line, column };
}

function printFile(
  { file, kind, valid, code, plan_sha256, findings }: FileReport,
  sayKind: boolean,
  out: Output,
): void {
  printFindings(file, findings, out);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  const counts = [
    errors > 0 ? errorCount(errors) : '',
    warnings > 0 ? `${warnings} warning${warnings === 1 ? '' : 's'}` : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
  const verdict = valid ? out.paint('green', 'valid') : out.paint('red', notValid(code, findings));
  out.line(
    terminal`${file}: ${verdict}${sayKind && kind !== undefined ? ` as ${kind}` : ''}${counts === '' ? '' : `, ${counts}`}`,
  );
  if (valid && typeof plan_sha256 === 'string') out.line(terminal`    plan_sha256 ${plan_sha256}`);
}

/** Names every code once, the primary one first; a draft lacks only its approval. */
function notValid(primary: string, findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const codes = [...new Set([primary, ...errors.map(({ code }) => code)])];
  const more = codes.length > namedAtMost ? ` and ${codes.length - namedAtMost} more` : '';
  const named = `(${codes.slice(0, namedAtMost).join(', ')}${more})`;
  return primary === 'STATUS_NOT_APPROVED' && errors.every(isLackOfApproval)
    ? `not valid, because only its approval is missing ${named}`
    : `not valid ${named}`;
}

const namedAtMost = 4;

export function isUnreadable(code: string): boolean {
  return (unreadableCodes as readonly string[]).includes(code);
}
