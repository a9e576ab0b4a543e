/** What approving a revision does beyond approving a plan, and how it differs from the plan that it supersedes. */
export interface RevisionOverview {
  readonly supersedes: string;
  /** Missions of that plan, and what the approval does to them; `nothing`: it did before. */
  readonly missions: readonly {
    readonly mission_id: string;
    readonly status: string;
    readonly does: 'end' | 'acknowledge' | 'follow' | 'nothing';
  }[];
  /** Compared with the plan of this mission; null: none of that plan is known here. */
  readonly compared_with: string | null;
  readonly carried: readonly string[];
  /** Done in that mission, and done again. */
  readonly again: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Each value that differs, as JSON; null: it is not there. */
  readonly differs: readonly { readonly what: string; readonly before: string | null; readonly after: string | null }[];
  /** What lies in the workspace from a scope violation: the revision starts with it. */
  readonly left: readonly string[];
  /** What tasks that are not carried over left within their paths, and that still lies there; `gone`: deleted. */
  readonly left_inside: readonly {
    readonly task_id: string;
    readonly paths: readonly string[];
    readonly gone: readonly string[];
  }[];
}

export function toSupersede({ missions }: Pick<RevisionOverview, 'missions'>): RevisionOverview['missions'] {
  return missions.filter(({ does }) => does !== 'nothing');
}

/** Each line with its label: what the revision supersedes, carries over and changes. */
export function revisionLines(revision: RevisionOverview): readonly (readonly [label: string, text: string])[] {
  const { carried, again, added, removed, differs, left, left_inside } = revision;
  return [
    ...differs.map(
      ({ what, before, after }) => ['Differs', `${what}: ${shown(before, after)} -> ${shown(after, before)}`] as const,
    ),
    ['Supersedes', `plan ${revision.supersedes}`],
    ...revision.missions.map(missionLine),
    ...(revision.missions.length === 0 && revision.compared_with === null
      ? ([['Ends', 'no mission: none of that plan is known here']] as const)
      : []),
    ...list('Carried over', carried),
    ...list('Done again', again),
    ...list('Added', added),
    ...list('Removed', removed),
    ...list(
      'Left outside',
      left.length === 0 ? [] : [`${left.join(', ')}: changed outside the approved paths, and still there`],
    ),
    ...list(
      'Left inside',
      left_inside.map(
        ({ task_id, paths, gone }) =>
          `${[...paths, ...gone.map((path) => `${path}, deleted`)].join(', ')} (${task_id})`,
      ),
    ),
  ];
}

/** Cuts a long value to what differs, from its first to its last difference. The tasks below show the new one whole. */
function shown(value: string | null, other: string | null): string {
  if (value === null) return 'none';
  if (value.length <= longest) return value;
  const start = sameStart(value, other ?? '');
  const from = Math.max(start - beside, 0);
  const to = value.length - sameEnd(value, other ?? '', start) + beside;
  const part = value.slice(from, to);
  const cut = part.length > longest ? `${part.slice(0, longest / 2)}…${part.slice(-longest / 2)}` : part;
  return `${from > 0 ? '…' : ''}${cut}${to < value.length ? '…' : ''} (${value.length} characters)`;
}

const longest = 300;
/** Characters that are the same and show where the difference is. */
const beside = 40;

function sameStart(value: string, other: string): number {
  let at = 0;
  while (at < value.length && value[at] === other[at]) at += 1;
  return at;
}

/** Stops at the beginning that is the same, because a repeated text would count twice. */
function sameEnd(value: string, other: string, start: number): number {
  const most = Math.min(value.length, other.length) - start;
  let count = 0;
  while (count < most && value.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}

function missionLine({ mission_id, status, does }: RevisionOverview['missions'][number]): readonly [string, string] {
  switch (does) {
    case 'end':
      return ['Ends', `mission ${mission_id} (${status}): workers are stopped, open tasks canceled`];
    case 'acknowledge':
      return ['Acknowledges', `the failure of mission ${mission_id}, which has ended`];
    case 'follow':
      return ['Follows', `mission ${mission_id} (${status}), which stays as it is`];
    case 'nothing':
      return ['Superseded', `mission ${mission_id} (${status}), before`];
  }
}

function list(label: string, names: readonly string[]): readonly (readonly [string, string])[] {
  return names.length === 0 ? [] : [[label, names.join(', ')]];
}
