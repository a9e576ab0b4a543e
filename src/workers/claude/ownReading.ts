/**
 * Off, because the plan chooses what every agent follows. These switch off CLAUDE.md of the person and of the
 * repository, and the CLI's notes for itself: a launch could leave words for the next one there.
 */
export const ownReading = { CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1', CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1' } as const;
