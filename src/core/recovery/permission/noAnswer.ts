import type { AgentName } from '../../../contracts/vocabulary/workers';

/**
 * What each CLI says at its end where its provider gave no answer. The provider could not be
 * reached, did not answer in time, or failed by itself.
 */
export const noAnswer: Readonly<Record<AgentName, RegExp>> = {
  claude: /API Error: (?:Connection |Unable to connect|Request timed out|5\d\d\b)/,
  codex: /\berror sending request\b|\bstream disconnected\b|unexpected status 5\d\d\b/,
  gemini: /\bfetch failed\b|"code":\s*5\d\d\b/,
  opencode: /^HTTP 5\d\d\b|Cannot connect to API|Unable to connect/,
};
