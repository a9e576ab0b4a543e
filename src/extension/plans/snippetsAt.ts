import { cursorPlace } from '../../adapters/documents/planPlaces';

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

function isBetween(text: string, offset: number): boolean {
  return /[[{,}\]"]\s*$/.test(text.slice(0, offset)) && /^\s*[,{["\]]/.test(text.slice(offset));
}

/** A text to insert at a place of a plan, with fields to fill in: `${1:text}`. */
interface PlanSnippet {
  readonly label: string;
  readonly detail: string;
  readonly lines: readonly string[];
}

const planSnippets: Readonly<Record<'tasks' | 'milestones' | 'verify', readonly PlanSnippet[]>> = {
  tasks: [
    {
      label: 'Task of an agent',
      detail: 'An agent works on a prompt, held to the approved paths.',
      lines: [
        '{',
        '  "task_id": "${1:task}",',
        '  "description": "${2:What the agent shall do.}",',
        '  "paths": ["${3:docs/notes/}"],',
        '  "prompt": "${4:Write docs/notes/first.md with three sentences about this repository.}",',
        '  "acceptance_criteria": ["${5:docs/notes/first.md exists and has three sentences.}"],',
        '  "verify": [["${6:node}", "${7:--test}"]]',
        '}',
      ],
    },
    {
      label: 'Task of a command',
      detail: 'A program of yours; no model is asked.',
      lines: [
        '{',
        '  "task_id": "${1:task}",',
        '  "description": "${2:What the command does.}",',
        '  "paths": ["${3:out/}"],',
        '  "worker": "command",',
        '  "command": ["${4:node}", "${5:scripts/build.mjs}"],',
        '  "verify": [["${6:node}", "${7:--test}"]]',
        '}',
      ],
    },
  ],
  milestones: [
    {
      label: 'Milestone validated by commands',
      detail: 'Reached when its commands pass on the files as they are.',
      lines: [
        '{',
        '  "id": "${1:milestone}",',
        '  "title": "${2:What is reached.}",',
        '  "validate": { "verify": [["${3:node}", "${4:--test}"]] }',
        '}',
      ],
    },
    {
      label: 'Milestone that a person judges',
      detail: 'A person answers each assertion.',
      lines: [
        '{',
        '  "id": "${1:milestone}",',
        '  "title": "${2:What is reached.}",',
        '  "validate": { "mode": "user-testing", "assertions": ["${3:It can be seen to work.}"] }',
        '}',
      ],
    },
  ],
  verify: [
    {
      label: 'Verify command',
      detail: 'A program and its arguments; no shell reads it.',
      lines: ['["${1:node}", "${2:--test}"]'],
    },
  ],
};
