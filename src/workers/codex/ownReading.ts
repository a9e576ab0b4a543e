import type { HomeEntry } from '../worker';

/**
 * Codex reads no AGENTS.md of the repository and of the folders above, because the plan chooses what every agent
 * follows.
 */
export const ownReading: readonly string[] = ['-c', 'project_doc_max_bytes=0'];

/** Files by which the person instructs Codex. No option switches them off, so our sandbox hides them. */
export const personsFiles: readonly HomeEntry[] = ['AGENTS.md', 'AGENTS.override.md'].map((path) => ({
  path,
  kind: 'file',
  access: 'absent',
  reason: 'It would follow them, and the plan chooses what every agent follows.',
}));

/** What a person is shown where no sandbox of ours hides them. */
export const personsWords = 'Codex also follows AGENTS.md in its own folder (CODEX_HOME), which no option prevents.';
