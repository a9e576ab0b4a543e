import type { Visit } from './visit';

export interface Visited {
  readonly name: string;
  /** Why it could not be made here; null: it was. */
  readonly skipped: string | null;
  readonly visits: readonly Visit[];
}

/** docs/reports/habitats.md: nothing in it names a machine or a place on it. */
export function reportOf(visited: readonly Visited[]): string {
  const visits = visited.flatMap(({ visits }) => visits);
  const differing = visits.filter(({ problem }) => problem !== null);
  const rows = visited.flatMap(({ name, skipped, visits }) =>
    skipped === null
      ? visits.map(({ what, seen, expected, problem, seconds }) => [
          name,
          what,
          seen,
          problem === null && seen === expected ? 'as expected' : `**${expected}**`,
          seconds.toFixed(1),
        ])
      : [[name, 'skipped', skipped, '', '']],
  );
  const head = ['habitat', 'scenario', 'seen', 'expected', 'seconds'];
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`);
  return [
    '# Habitats',
    '',
    'Written by `npm run test:habitats -- --all`. Each habitat is made by real git, file system and mounts in a fresh',
    'folder; the missions in it are run by the built `mission`, as a person would. A refusal with its code, whose message',
    'tells the way out, can be what is expected.',
    '',
    `- habitats: ${visited.length}, of which ${visited.filter(({ skipped }) => skipped !== null).length} were skipped where this was written, with the reason`,
    `- outcomes: ${visits.length}, of which ${differing.length} are not as expected`,
    '',
    ...lines,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
    .replace(/\/tmp\/\S+/g, '…');
}
