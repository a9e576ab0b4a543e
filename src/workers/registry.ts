import type { AgentName } from '../contracts/vocabulary/workers';
import { claude } from './claude/launch';
import { codex } from './codex/launch';
import { gemini } from './gemini/launch';
import { parseVersion } from './versions';
import type { AgentWorker } from './worker';

/** Every agent CLI the product can start. To add one, imitate the smallest of the three: `gemini.ts`. */
export const agentWorkers: Readonly<Record<AgentName, AgentWorker>> = { claude, codex, gemini };

/** What whoever looks for the CLIs on a machine needs to know of them. */
export const agentCatalog = { workers: agentWorkers, parseVersion } as const;
