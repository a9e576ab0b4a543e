import { listIn } from '../../base/listIn';
import type { Finding } from '../documents/finding';

/**
 * Joins equal findings about many entries of a list into one with a count. So a person does not
 * read the same sentence forty times. Findings that differ stay.
 *
 * @param findings with positions, in document order
 */
export function gatherFloods(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= few) return findings;
  const alike = new Map<string, Finding[]>();
  for (const finding of findings) listIn(alike, keyOf(finding)).push(finding);
  return findings.flatMap((finding) => {
    const group = alike.get(keyOf(finding)) ?? [finding];
    if (group.length <= few) return [finding];
    return group[0] === finding ? [counted(finding, group.slice(1))] : [];
  });
}

/** Up to this many equal findings are kept, each at its place. */
const few = 5;

/** Code, place and sentence without the numbers of list entries. */
function keyOf({ code, severity, pointer, message }: Finding): string {
  return `${severity} ${code} ${pointer.replaceAll(/\/\d+/g, '/*')} ${message.replaceAll(/\bentry \d+/gi, 'entry')}`;
}

function counted(first: Finding, others: readonly Finding[]): Finding {
  const lines = [...new Set(others.flatMap(({ line }) => line ?? []))];
  const named = lines.length < 2 ? '' : ` (lines ${lines.slice(0, 3).join(', ')}${lines.length > 3 ? ', ...' : ''})`;
  return { ...first, message: `${first.message} The same holds in ${others.length} more places${named}.` };
}
