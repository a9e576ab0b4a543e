import { orchestrate } from './orchestrate';
import { ownReading } from './ownReading';
import { claudeConfigs, claudeProvider, claudeProviderVariables } from './provider';
import { createClaudeParser } from './stream';
import { inSandbox, modelArgument, taskSandbox, temporaryDirectory } from '../shared/launchLine';
import type { AgentWorker, LaunchLine, LaunchRequest } from '../worker';

/**
 * Claude Code. Every flag was tried with 2.1.328 against a mock model; 2.1.197 knows all of them too. It has no
 * operating system sandbox here: its tool list and its permission mode confine it.
 */
export const claude: AgentWorker = {
  name: 'claude',
  title: 'Claude Code',
  executable: 'claude',
  testedVersions: { from: '2.1.328', to: '2.1.328' },
  environmentNames: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_CUSTOM_HEADERS',
    'ANTHROPIC_MODEL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_MAX_RETRIES',
    'CLAUDE_CONFIG_DIR',
  ],
  sessionVariables: ['CLAUDECODE', 'CLAUDE_CODE_*', 'CLAUDE_AGENT_*'],
  forbidden: {
    fragments: [
      'dangerously', // --dangerously-skip-permissions
      'allowdangerous',
      'bypasspermissions', // --permission-mode, settings defaultMode
    ],
  },
  home: [
    {
      variable: 'CLAUDE_CONFIG_DIR',
      below: '',
      otherwise: '.claude',
      entries: [
        {
          path: 'projects',
          kind: 'folder',
          access: 'write',
          reason: 'It keeps its sessions there; without them none can be resumed in a later launch.',
        },
        {
          path: '.credentials.json',
          kind: 'file',
          access: 'write',
          reason: 'A refreshed sign-in is written there, in place where the file cannot be replaced.',
        },
      ],
    },
  ],
  namespaces: false,
  provider: {
    hosts: [
      { host: 'api.anthropic.com:443', reason: 'Its model answers there.' },
      { host: 'platform.claude.com:443', reason: 'A sign-in is refreshed there.' },
    ],
    baseUrls: ['ANTHROPIC_BASE_URL'],
    environment: {},
    mayNeed: claudeProviderVariables,
    configs: claudeConfigs,
    leads: claudeProvider,
  },
  launch,
  orchestrate,
  createParser: createClaudeParser,
};

/** The file tools; `Glob` and `Grep` only read. Delegation, scheduling, worktrees and the network are left out. */
const readTools = ['Read', 'Glob', 'Grep'];
const writeTools = ['Edit', 'Write', 'NotebookEdit'];

function launch(request: LaunchRequest): LaunchLine {
  const shell = request.writes && !request.fileLevelOnly;
  const tools = [...readTools, ...(request.writes ? writeTools : []), ...(shell ? ['Bash'] : [])];
  return {
    argv: [
      request.executable,
      '-p', // without a prompt argument the prompt is read from stdin
      '--output-format',
      'stream-json',
      '--verbose', // stream-json refuses to start without it
      // acceptEdits writes inside the folder and denies the rest with the reason `workingDir`, which permission
      // recovery needs; `--restricted` and `--permission-prompts none` replace that reason, so neither is used.
      // dontAsk denies everything but plain reads.
      '--permission-mode',
      request.writes ? 'acceptEdits' : 'dontAsk',
      '--tools',
      tools.join(','),
      // Without these two a repository's .claude/settings.json (hooks, environment) and .mcp.json were seen to run code
      // before any prompt.
      '--setting-sources',
      'user',
      '--strict-mcp-config',
      ...(request.resumeSessionId === null
        ? ['--session-id', request.sessionId]
        : ['--resume', request.resumeSessionId]),
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
      ...ownReading,
    },
    files: [],
    ...(inSandbox(request)
      ? taskSandbox('Claude Code', detail(request.writes, shell))
      : {
          confinement: 'tool_limits',
          confinementDetail: `${detail(request.writes, shell)}, no operating system sandbox.`,
        }),
    lastMessageFile: null,
  };
}

function detail(writes: boolean, shell: boolean): string {
  if (!writes) return 'Claude Code gets only its reading tools, limited to the workspace; no shell, no network tools';
  return shell
    ? 'Claude Code writes only inside the workspace and runs only the shell commands it considers safe; no network tools'
    : 'Claude Code gets only its file tools, limited to the workspace; no shell, no network tools';
}
