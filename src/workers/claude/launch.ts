import { orchestratorServer } from '../../contracts/vocabulary/orchestrator';
import { confinedBy, modelArgument, sessionArguments, temporaryDirectory, toolLimits } from '../shared/launchLine';
import type { LaunchLine, LaunchRequest, McpProgram } from '../worker';

/** The version with which every flag was tried, against a mock model; 2.1.197 knows all of them too. */
export const tested = '2.1.328';

export function launch(request: LaunchRequest): LaunchLine {
  const { mission } = request;
  return {
    argv: [
      request.executable,
      '-p', // without a prompt argument the prompt is read from stdin
      ...['--output-format', 'stream-json', '--verbose'], // stream-json refuses to start without the last
      ...(mission ? missionTools(mission) : taskTools(request)),
      ...sessionArguments(request),
      ...modelArgument(request),
      ...request.addDirectories.flatMap((directory) => ['--add-dir', directory]),
      // The model must end with a StructuredOutput call; it arrives as `structured_output` of the result event.
      ...(request.resultSchema === null ? [] : ['--json-schema', JSON.stringify(request.resultSchema)]),
      ...request.extraArgs,
    ],
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', // up to 12 s at the end of every run in a closed network
      ...temporaryDirectory(request),
      NO_COLOR: '1',
      // CLAUDE.md of the person and of the repository, because the plan chooses what every agent follows; and the
      // CLI's notes for itself, because a launch could leave words there for the next one.
      CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    },
    files: [],
    ...confinedBy('Claude Code', limits(request), request),
    lastMessageFile: null,
  };
}

/** The file tools; `Glob` and `Grep` only read. Delegation, scheduling, worktrees and the network are left out. */
const readTools = ['Read', 'Glob', 'Grep'];
const writeTools = ['Edit', 'Write', 'NotebookEdit'];

function taskTools(request: LaunchRequest): readonly string[] {
  const { writes } = request;
  const tools = [...readTools, ...(writes ? writeTools : []), ...(hasShell(request) ? ['Bash'] : [])];
  return [
    // acceptEdits writes inside the folder and denies the rest with the reason `workingDir`, which permission
    // recovery needs; `--restricted` and `--permission-prompts none` replace that reason, so neither is used.
    // dontAsk denies everything but plain reads.
    ...['--permission-mode', writes ? 'acceptEdits' : 'dontAsk'],
    ...['--tools', tools.join(',')],
    // Without these two a repository's .claude/settings.json (hooks, environment) and .mcp.json were seen to run code
    // before any prompt.
    ...['--setting-sources', 'user', '--strict-mcp-config'],
  ];
}

/**
 * It reads in the workspace and has the mission tools. `--restricted` leaves out the settings of person and repository
 * and keeps its file tools in the workspace; no other MCP server is started. The server gets its token because a server
 * of Claude Code inherits its environment.
 */
function missionTools({ command, args, environment = {} }: McpProgram): readonly string[] {
  const server = { type: 'stdio', command, args, env: environment };
  return [
    ...['--restricted', '--tools', 'Read,Grep,Glob'],
    ...['--permission-mode', 'dontAsk', '--permission-prompts', 'none'],
    ...['--mcp-config', JSON.stringify({ mcpServers: { [orchestratorServer]: server } }), '--strict-mcp-config'],
    ...['--allowedTools', `mcp__${orchestratorServer},Read,Grep,Glob`],
  ];
}

function hasShell({ writes, fileLevelOnly }: LaunchRequest): boolean {
  return writes && !fileLevelOnly;
}

function limits(request: LaunchRequest): string {
  return hasShell(request)
    ? 'Claude Code writes only inside the workspace and runs only the shell commands it considers safe; no network tools'
    : toolLimits('Claude Code', request);
}
