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

/** The findings of `memory verify`, each with its meaning. */
export const memoryMeanings = {
  MEMORY_FILE_GONE: 'The file of a saved decision is gone.',
  MEMORY_FILE_CHANGED: 'The file of a saved decision is not as it was saved.',
  MEMORY_FILE_FOREIGN: 'The journal has no record that a person confirmed this file.',
  MEMORY_CHAIN_BROKEN: 'A record does not follow the one before it.',
  MEMORY_UNREADABLE: 'The file of a saved decision cannot be read.',
} as const;
export type MemoryFindingCode = keyof typeof memoryMeanings;

const changed = 'Bring the file back as it was saved; find out who changed it.';

/** What a person does next. */
export const memorySteps: Readonly<Record<MemoryFindingCode, string>> = {
  MEMORY_FILE_GONE: 'Bring the file back from a copy.',
  MEMORY_FILE_CHANGED: changed,
  MEMORY_FILE_FOREIGN: 'Find out where it comes from, and move it away.',
  MEMORY_CHAIN_BROKEN: changed,
  MEMORY_UNREADABLE: 'Make it readable for your user.',
};
