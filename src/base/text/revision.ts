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
  /** What tasks that are not carried over left within their paths, and that still lies there. */
  readonly left_inside: readonly { readonly task_id: string; readonly paths: readonly string[] }[];
}

/** The missions that the approval still changes. */
export function toSupersede({ missions }: Pick<RevisionOverview, 'missions'>): RevisionOverview['missions'] {
  return missions.filter(({ does }) => does !== 'nothing');
}

/** Each line with its label: what the revision supersedes, carries over and changes. */
export function revisionLines(revision: RevisionOverview): readonly (readonly [label: string, text: string])[] {
  const { carried, again, added, removed, differs, left, left_inside } = revision;
  return [
    ...differs.map(({ what, before, after }) => ['Differs', `${what}: ${shown(before)} -> ${shown(after)}`] as const),
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
      left_inside.map(({ task_id, paths }) => `${paths.join(', ')} (${task_id})`),
    ),
  ];
}

/** A long value is cut, because the tasks below show the new one whole. */
function shown(value: string | null): string {
  if (value === null) return 'none';
  return value.length > longest ? `${value.slice(0, longest)}… (${value.length} characters)` : value;
}

const longest = 300;

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
