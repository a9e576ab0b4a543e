import { cursorPlace } from '../../adapters/documents/planPlaces';
import { planSnippets, type PlanSnippet } from './planSnippets';

/** A snippet with the commas that its neighbours need. */
export interface PlacedSnippet {
  readonly label: string;
  readonly detail: string;
  /** In VS Code's syntax for snippets. */
  readonly text: string;
}

/** Returns the snippets for a cursor between the entries of a list of the plan; empty elsewhere. */
export function snippetsAt(text: string, offset: number): readonly PlacedSnippet[] {
  const cursor = cursorPlace(text, offset);
  if (cursor === null || cursor.typed !== null) return [];
  const list = listAt(cursor.path);
  if (list === null || !isBetween(text, offset)) return [];
  const before = /[}\]"]\s*$/.test(text.slice(0, offset)) ? ',\n' : '';
  const after = /^\s*[{["]/.test(text.slice(offset)) ? ',' : '';
  return planSnippets[list].map(({ label, detail, lines }: PlanSnippet) => ({
    label,
    detail,
    text: `${before}${lines.join('\n')}${after}`,
  }));
}

function listAt(path: readonly (string | number)[]): keyof typeof planSnippets | null {
  const place = path.map((key) => (typeof key === 'number' ? '#' : key)).join('/');
  switch (place) {
    case 'tasks/#':
      return 'tasks';
    case 'milestones/#':
      return 'milestones';
    case 'tasks/#/verify/#':
    case 'milestones/#/validate/verify/#':
      return 'verify';
    default:
      return null;
  }
}

/** Returns whether the cursor is between entries, and not inside one. */
function isBetween(text: string, offset: number): boolean {
  return /[[{,}\]"]\s*$/.test(text.slice(0, offset)) && /^\s*[,{["\]]/.test(text.slice(offset));
}
