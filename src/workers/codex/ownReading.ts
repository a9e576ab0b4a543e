import type { HomeEntry } from '../worker';

/** No AGENTS.md of the repository and of the folders above: the plan chooses what every agent follows. */
export const ownReading: readonly string[] = ['-c', 'project_doc_max_bytes=0'];

/** Its own instructions of the person, which no option switches off: our sandbox does not show them. */
export const personsFiles: readonly HomeEntry[] = ['AGENTS.md', 'AGENTS.override.md'].map((path) => ({
  path,
  kind: 'file',
  access: 'absent',
  reason: 'It would follow them, and the plan chooses what every agent follows.',
}));

/** Where nothing hides them. */
export const personsWords = 'Codex also follows AGENTS.md in its own folder (CODEX_HOME), which no option prevents.';
