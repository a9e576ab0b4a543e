/**
 * Off, because the plan chooses what every agent follows: CLAUDE.md of the person and of the repository, and its notes
 * for itself, which lie beside its sessions, so that a launch could leave words for the next one.
 */
export const ownReading = { CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1', CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1' } as const;
