import type { AttemptEvidence } from '../../../contracts/taskEvidence';

type Denial = AttemptEvidence['denials'][number];

/**
 * Returns what a task was denied, as a person reads it: each once, with how often. At most twenty; the last says how
 * many more.
 */
export function denialTexts(denials: readonly Denial[]): readonly string[] {
  const times = new Map<string, number>();
  for (const denial of denials) times.set(denialWords(denial), (times.get(denialWords(denial)) ?? 0) + 1);
  const all = [...times].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`));
  return all.length <= most
    ? all
    : [...all.slice(0, most - 1), `and ${all.length - most + 1} more, which its evidence tells`];
}

const most = 20;

function denialWords({ tool, path, reason }: Denial): string {
  if (path === null) return `${tool ?? 'something'}: ${reason}`;
  return `${tool === null ? 'a write to' : `${tool} on`} ${path}: ${reason}`;
}
