import { execFile, spawnSync } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import { agentExecutable, searchPath } from './homes';

/** Null when this machine lets a process make its own namespaces (Codex's sandbox does), else why not. */
export function namespacesWork(): string | null {
  if (process.platform !== 'linux') return null; // other systems have a sandbox of their own
  const tried = spawnSync('unshare', ['--user', '--map-root-user', '--mount', '--net', 'true'], { encoding: 'utf8' });
  if (tried.status === 0) return null;
  return (tried.error?.message ?? tried.stderr.trim()) || `unshare ended with ${String(tried.status)}`;
}

/** Asked with the variables that the product sets. */
export async function versionOutput(agent: AgentName, home: string): Promise<string> {
  const { stdout } = await promisify(execFile)(agentExecutable(agent), ['--version'], {
    env: { PATH: searchPath(), HOME: home, ...agentWorkers[agent].startVariables },
  });
  return stdout;
}
