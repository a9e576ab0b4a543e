import type { WorkerSignal } from '../../contracts/launch';
import type { AgentName } from '../../contracts/vocabulary/workers';
import { limited } from '../../base/text/oneLine';
import { terminal, type TerminalText } from '../../base/text/marked/terminal';
import { classifyDenial, type PermissionMatch } from '../recovery/permission/classify';

export function permissionMatch(
  agent: AgentName,
  version: string | null,
  signal: WorkerSignal,
): PermissionMatch | null {
  return classifyDenial(agent, version, signal);
}

export function permissionMatchLine({ issue, action, path, ends }: PermissionMatch): TerminalText {
  const until = ends?.at ?? ends?.said ?? null;
  return terminal`# ${issue}, ${action}${path === null ? '' : terminal`: ${limited(path, 2000)}`}${until === null ? '' : terminal`, ends: ${limited(until, 200)}`}`;
}
