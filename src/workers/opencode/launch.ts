import { orchestratorServer } from '../../contracts/vocabulary/orchestrator';
import { confinedBy, inRunDir, inSandbox, modelArgument, temporaryDirectory } from '../shared/launchLine';
import type { LaunchLine, LaunchRequest, McpProgram } from '../worker';

export const tested = '1.18.33';

/** The name of our agent definition, which stands in the variable OPENCODE_CONFIG_CONTENT. */
const agentName = 'mission-control';
const searchTools = ['glob', 'grep', 'list'];
/** One permission for the tools `write`, `edit` and `apply_patch`. */
const writePermission = 'edit';

export function launch(request: LaunchRequest): LaunchLine {
  return {
    argv: [
      request.executable,
      'run', // without a message the prompt is all of stdin
      ...['--format', 'json'],
      '--pure', // no plugins, which would run in its process
      ...['--dir', inRunDir(request, ownDir(request)), '--agent', agentName],
      ...['--title', 'Mission Control'], // without one it asks the model for one more answer
      // On stderr, where alone it reports that a request failed and that it tries again.
      ...['--print-logs', '--log-level', 'ERROR'],
      // `resumeSessionId` is left out: sessions are not kept (see OPENCODE_DB). A kept one belongs to the folder
      // it began in: it would load what lies there now, and in another folder OpenCode waited for ever for its events.
      ...modelArgument(request),
      ...request.extraArgs,
    ],
    env: {
      // Stronger than the person's own opencode.json, from which providers and sign-in still come.
      OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(request)),
      OPENCODE_CONFIG_DIR: inRunDir(request, ownDir(request)),
      ...noOtherConfiguration,
      // A repository's opencode.json (MCP servers, permissions), .opencode/ and AGENTS.md are not read (see `ownDir`).
      OPENCODE_DISABLE_PROJECT_CONFIG: 'true',
      OPENCODE_DISABLE_CLAUDE_CODE: 'true',
      OPENCODE_DISABLE_EXTERNAL_SKILLS: 'true',
      OPENCODE_PURE: 'true',
      // In a closed network each of them is waited for.
      OPENCODE_DISABLE_AUTOUPDATE: 'true',
      OPENCODE_DISABLE_MODELS_FETCH: 'true',
      OPENCODE_DISABLE_LSP_DOWNLOAD: 'true',
      OPENCODE_DISABLE_SHARE: 'true',
      // Two that begin at once with a database of theirs in the home were seen to fail: "database is locked".
      OPENCODE_DB: ':memory:',
      ...temporaryDirectory(request),
      NO_COLOR: '1',
    },
    files: ownFiles(request),
    ...confinedBy('OpenCode', limits(request), request),
    lastMessageFile: null,
  };
}

function limits(request: LaunchRequest): string {
  if (request.mission) return 'OpenCode gets only its reading tools and the mission tools';
  const tools = `OpenCode gets only its ${request.writes ? 'file' : 'reading'} tools`;
  return inSandbox(request)
    ? tools
    : `${tools}, limited to the workspace by name: it follows links that lead out of it; no shell, no network tools`;
}

/**
 * Each would bring permissions or programs from a file that may lie in the repository. It is empty
 * even where a person passes the variable on. Empty is the same as absent.
 */
const noOtherConfiguration = { OPENCODE_CONFIG: '', OPENCODE_PERMISSION: '', OPENCODE_TUI_CONFIG: '' } as const;

/**
 * Says where it runs: not in the workspace. In every configuration it loads `.opencode/plugin`, `opencode.json` and the
 * instructions of the folder it is started in. It loads those of every folder above too, up to the root of a git
 * repository. It takes that whole repository for its own. So it is started in an empty folder that is its folder of
 * configuration and a repository of its own; the workspace is one more directory that it may use. An earlier worker
 * cannot have left something there, because it could not guess the folder's name.
 */
function ownDir({ sessionId }: LaunchRequest): string {
  return `opencode-${sessionId}`;
}

function ownFiles(request: LaunchRequest): LaunchLine['files'] {
  // It installs this package from the npm registry into a folder of configuration, unless it seems to be there.
  const dependencies = { '@opencode-ai/plugin': request.version ?? tested };
  const files = {
    'package.json': JSON.stringify({ dependencies }),
    'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies } } }),
    'node_modules/.keep': '',
    // It writes this one where it is missing, and ends where it may not: the folder cannot be written in the sandbox.
    '.gitignore': 'node_modules\npackage.json\npackage-lock.json\nbun.lock\n.gitignore',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/objects/.keep': '',
    '.git/refs/.keep': '',
    [instructionsFile]: `The folder of your task is ${request.workspaceDir}, whatever is said of a working directory: "the current directory" is that folder. Give every tool, search and patch absolute paths below it.\n`,
  };
  return Object.entries(files).map(([name, content]) => ({ path: `${ownDir(request)}/${name}`, content }));
}

const instructionsFile = 'instructions.md';

/** Formatters and language servers are programs of the repository; snapshots are a second git of its own. */
function configuration(request: LaunchRequest): object {
  const { mission } = request;
  return {
    autoupdate: false,
    share: 'disabled',
    snapshot: false,
    formatter: false,
    lsp: false,
    // It falls back to this agent when the named one is missing, and ends when this one is missing.
    default_agent: agentName,
    instructions: [inRunDir(request, `${ownDir(request)}/${instructionsFile}`)],
    agent: {
      // Their permissions are those of a person at the screen: a shell among them.
      ...Object.fromEntries(['build', 'plan', 'general', 'explore'].map((name) => [name, { disable: true }])),
      [agentName]: { mode: 'primary', permission: permissions(request) },
    },
    ...(mission ? { mcp: { [orchestratorServer]: server(mission) } } : {}),
  };
}

/** It inherits the environment of its CLI. */
function server({ command, args, environment = {} }: McpProgram): object {
  return { type: 'local', command: [command, ...args], environment, enabled: true, timeout: 180_000 };
}

/** The last rule that fits decides, so the denial of everything comes first. In a worker an `ask` gets no answer. */
function permissions(request: LaunchRequest): Readonly<Record<string, unknown>> {
  // A `*` or `?` in a name would be a pattern, a brace a variable: such a folder stays closed.
  const directories = [request.workspaceDir, ...request.addDirectories].filter((name) => !/[*?{}]/.test(name));
  return {
    '*': 'deny',
    read: {
      '*': 'allow',
      // OpenCode asks a person before it reads these, and no person answers a worker.
      '*.env': 'deny',
      '*.env.*': 'deny',
      '*.env.example': 'allow',
      // Resources of the person's MCP servers go by this permission too.
      'mcp:*': 'deny',
    },
    ...Object.fromEntries(searchTools.map((name) => [name, 'allow'])),
    ...(request.mission ? { [`${orchestratorServer}_*`]: 'allow' } : {}),
    // Denies writes in the folder where the CLI starts, because it might load a plugin from there.
    ...(request.writes ? { [writePermission]: { '*': 'deny', '../*': 'allow' } } : {}),
    external_directory: {
      '*': 'deny',
      ...Object.fromEntries(toolOutputs.map((directory) => [directory, 'deny'])),
      ...Object.fromEntries(directories.map((directory) => [`${directory.replaceAll('\\', '/')}/*`, 'allow'])),
    },
  };
}

/**
 * Where it keeps what tools of every session said. It opens that folder for each agent that does not deny exactly
 * this pattern: in the default place (on Windows too) and in the one that the environment names.
 */
const toolOutputs = [
  '~/.local/share/opencode/tool-output/*',
  '$HOME\\.local\\share\\opencode\\tool-output\\*',
  '{env:XDG_DATA_HOME}/opencode/tool-output/*',
];
