import type { WorkerName } from '../../../contracts/vocabulary/workers';

/** As the contract writes them in its events. */
export const agentWords: Readonly<Record<WorkerName, string>> = {
  claude: 'Claude',
  codex: 'Codex',
  gemini: 'Gemini',
  opencode: 'OpenCode',
  command: 'the command',
};
