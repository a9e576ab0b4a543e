import type { Finding } from '../../../core/documents/finding';
import type { PlanFiles } from '../../ports/plans';

/** At most so many errors are named. */
const namedErrors = 5;

/**
 * Returns what is wrong with the text of a packet or report, a line each; empty: it is unambiguous. A doubled key is
 * ambiguous, because its author may have meant either value.
 */
export function textErrors(text: string, plans: Pick<PlanFiles, 'parse'>): readonly string[] {
  return plans
    .parse(text)
    .findings.filter(({ severity }) => severity === 'error')
    .slice(0, namedErrors)
    .map(errorLine);
}

function errorLine({ code, pointer, line, message }: Finding): string {
  return `${code}${pointer === '' ? '' : ` at ${pointer}`}${line === undefined ? '' : `, line ${line}`}: ${message}`;
}
