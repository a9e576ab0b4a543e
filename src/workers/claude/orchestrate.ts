import { orchestratorServer } from '../../contracts/vocabulary/orchestrator';
import { ownReading } from './ownReading';
import { modelArgument, orchestratorSandbox, temporaryDirectory } from '../shared/launchLine';
import type { LaunchLine, OrchestratorRequest } from '../worker';

const readTools = ['Read', 'Grep', 'Glob'];

/**
 * Claude Code as an orchestrator: it reads in the workspace and has the mission tools. `--restricted` leaves out the
 * settings of person and repository and keeps its file tools in the workspace; no other MCP server is started. The
 * server gets its token because a server of Claude Code inherits its environment.
 */
export function orchestrate(request: OrchestratorRequest): LaunchLine {
  const { command, args, environment = {} } = request.mcp;
  const server = { type: 'stdio', command, args, env: environment };
  return {
    argv: [
      request.executable,
      '-p', // without a prompt argument the prompt is read from stdin
      '--output-format',
      'stream-json',
      '--verbose', // stream-json refuses to start without it
      '--restricted',
      '--tools',
      readTools.join(','),
      '--permission-mode',
      'dontAsk',
      '--permission-prompts',
      'none',
      '--mcp-config',
      JSON.stringify({ mcpServers: { [orchestratorServer]: server } }),
      '--strict-mcp-config',
      '--allowedTools',
      [`mcp__${orchestratorServer}`, ...readTools].join(','),
      '--session-id',
      request.sessionId,
      ...modelArgument(request),
      ...request.extraArgs,
    ],
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...ownReading,
      ...temporaryDirectory(request),
      NO_COLOR: '1',
    },
    files: [],
    ...orchestratorSandbox(
      'Claude Code',
      'Claude Code gets only its reading tools, limited to the workspace, and the mission tools; no shell, no network tools',
      request,
    ),
    lastMessageFile: null,
  };
}
