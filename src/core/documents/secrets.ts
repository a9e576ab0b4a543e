import { secretPatterns } from '../../contracts/vocabulary/files/secretPatterns';
import { secretSpans } from '../../base/text/secretSpans';
import { pointerToken } from '../../base/json';
import type { AddFinding } from './finding';

/** Kinds of the secrets in a text, without repetition; never the secret itself. */
export function secretsIn(text: string): readonly string[] {
  return [...new Set(secretSpans(text, secretPatterns).map(({ kind }) => kind))];
}

/** The lines that a diff adds, where a secret matters. Its other lines are in the repository already. */
export function addedIn(diff: string): string {
  return diff
    .split('\n')
    .flatMap((line) => (line.startsWith('+') && !line.startsWith('+++ ') ? [line.slice(1)] : []))
    .join('\n');
}

export function judgeSecrets(value: unknown, pointer: string, report: AddFinding, depth = 0): void {
  if (typeof value === 'string') {
    for (const kind of secretsIn(value)) {
      const message = `This text holds what looks like a secret (${kind}); redact it and validate again.`;
      report('UNTRUSTED_CONTEXT_BLOCK', pointer, message);
    }
  } else if (typeof value === 'object' && value !== null) {
    // A worker may nest values deeper than the call stack allows.
    if (depth >= deepest) {
      report('SCHEMA_INVALID', pointer, 'Objects and lists are nested too deep here to be looked through.');
      return;
    }
    for (const [key, item] of Object.entries(value))
      judgeSecrets(item, `${pointer}/${pointerToken(key)}`, report, depth + 1);
  }
}

const deepest = 64;
