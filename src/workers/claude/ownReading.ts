/**
 * Switches off CLAUDE.md of the person and of the repository, because the plan chooses what every agent follows. Also
 * switches off the CLI's notes for itself, because a launch could leave words there for the next one.
 */
export const ownReading = { CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1', CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1' } as const;
