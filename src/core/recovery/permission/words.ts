import type { WorkerName } from '../../../contracts/vocabulary/workers';

/** The names that the contract writes in its events. */
export const agentWords: Readonly<Record<WorkerName, string>> = {
  claude: 'Claude',
  codex: 'Codex',
  gemini: 'Gemini',
  opencode: 'OpenCode',
  command: 'the command',
};
