/** The domains of a project's memory, in the order in which they are loaded. Source: seed 004. */
export const memoryDomains = ['architecture', 'constraints', 'domain_schema', 'decision_history'] as const;
export type MemoryDomain = (typeof memoryDomains)[number];

/** Lower-case words with dots, hyphens and underscores between them: never a path. */
export const memoryKeyPattern = '^[a-z0-9]+([._-][a-z0-9]+)*$';

export const memoryLimits = {
  /** The most entries of one result packet. */
  entries: 8,
  /** Characters. */
  key: 80,
  decision: 2000,
  rationale: 4000,
  /** What RESTORE gives a task at most; more is never cut. */
  restored_entries: 200,
  restored_characters: 128 * 1024,
} as const;

/** Files of the memory, below the state folder: one for each record, never changed. */
export const memoryFolder = '.mission-control/memory';

/** The stream of the journal that knows every record, and with which digest. */
export const memoryStream = 'memory';

/** How a proposed entry stands to what is remembered; `known`: it is there already. */
export type MemoryState = 'new' | 'known' | 'conflict';

const changed = 'Bring the file back as it was saved; find out who changed it.';

/** The findings of `memory verify`, each with its meaning and what a person does next. */
export const memoryFindings = {
  MEMORY_FILE_GONE: { meaning: 'The file of a saved decision is gone.', next: 'Bring the file back from a copy.' },
  MEMORY_FILE_CHANGED: { meaning: 'The file of a saved decision is not as it was saved.', next: changed },
  MEMORY_FILE_FOREIGN: {
    meaning: 'The journal has no record that a person confirmed this file.',
    next: 'Find out where it comes from, and move it away.',
  },
  MEMORY_CHAIN_BROKEN: { meaning: 'A record does not follow the one before it.', next: changed },
  MEMORY_UNREADABLE: {
    meaning: 'The file of a saved decision cannot be read.',
    next: 'Make it readable for your user.',
  },
} as const satisfies Readonly<Record<string, { readonly meaning: string; readonly next: string }>>;
export type MemoryFindingCode = keyof typeof memoryFindings;
