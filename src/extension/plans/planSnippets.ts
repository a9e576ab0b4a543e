/** A text to insert at a place of a plan, with fields to fill in: `${1:text}`. */
export interface PlanSnippet {
  readonly label: string;
  readonly detail: string;
  readonly lines: readonly string[];
}

/** A task, a milestone or a verify command, by the list that it belongs to. */
export const planSnippets: Readonly<Record<'tasks' | 'milestones' | 'verify', readonly PlanSnippet[]>> = {
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
