import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import type { LaunchLine, LaunchRequest } from '../../src/workers/worker';

export const sessionId = '11111111-2222-4333-8444-555555555555';

/** The launch line of an agent that works on a task, but for `changes`. */
export function launched(agent: AgentName, changes: Partial<LaunchRequest> = {}): LaunchLine {
  return agentWorkers[agent].launch({
    executable: '/usr/bin/agent',
    version: null,
    workspaceDir: '/w',
    runDir: '/w/.mission-control/run 1',
    sessionId,
    resumeSessionId: null,
    model: null,
    fileLevelOnly: true,
    writes: true,
    addDirectories: [],
    skipGitRepoCheck: false,
    trustWorkspace: false,
    resultSchema: { type: 'object', properties: { a: { type: 'string' } } },
    extraArgs: [],
    ...changes,
  });
}
