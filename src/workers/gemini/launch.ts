import { orchestratorServer, orchestratorVariables } from '../../contracts/vocabulary/orchestrator';
import {
  confinedBy,
  inRunDir,
  inSandbox,
  modelArgument,
  sessionArguments,
  temporaryDirectory,
  toolLimits,
} from '../shared/launchLine';
import type { LaunchLine, LaunchRequest, McpProgram } from '../worker';

export const tested = '0.61.0';

/**
 * Keeps the CLI from starting itself as a second process: the first one swallows SIGTERM, and the second takes as long
 * again to load.
 */
export const startVariables = { GEMINI_CLI_NO_RELAUNCH: 'true' } as const;

const policyFile = 'policy.toml';
const trustFile = 'trusted-folders.json';
const settingsFile = 'gemini-settings.json';

export function launch(request: LaunchRequest): LaunchLine {
  const { mission } = request;
  const confinement = confinedBy('Gemini CLI', toolLimits('Gemini CLI', request), request);
  return {
    argv: [
      request.executable,
      ...['-o', 'stream-json'], // stdin is not a terminal: headless, and the prompt is all of stdin
      ...['--approval-mode', request.writes ? 'auto_edit' : 'default'],
      ...['--policy', inRunDir(request, policyFile)],
      // MCP servers and extensions can bring tools of any kind: allow only ours, or a name that does not exist.
      ...['--allowed-mcp-server-names', mission ? orchestratorServer : 'mission-control-none'],
      ...['--extensions', 'none'],
      // The folder is never trusted (see the environment below); this starts the run nevertheless, without loading the
      // repository's settings. It is the corrective flag of GEMINI_UNTRUSTED_FOLDER (exit code 55).
      ...(request.trustWorkspace ? ['--skip-trust'] : []),
      ...request.addDirectories.flatMap((directory) => ['--include-directories', directory]),
      ...modelArgument(request),
      ...sessionArguments(request),
      ...request.extraArgs,
    ],
    env: {
      ...startVariables,
      // In a folder the user once trusted, the repository's .gemini/settings.json was seen to run its hook and
      // its MCP server. An empty list of trusted folders for this launch stops both.
      GEMINI_CLI_TRUSTED_FOLDERS_PATH: inRunDir(request, trustFile),
      ...temporaryDirectory(request),
      // With a display and no sign-in it asks on stdout whether to open a browser, and waits for ever.
      NO_BROWSER: 'true',
      NO_COLOR: '1',
      ...(mission ? { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: inRunDir(request, settingsFile) } : {}),
    },
    files: [
      { path: policyFile, content: `${withholding(request)}${mission ? `\n${allowing}` : ''}` },
      { path: trustFile, content: '{}\n' },
      ...(mission ? [{ path: settingsFile, content: `${JSON.stringify(settings(mission), null, 2)}\n` }] : []),
    ],
    ...confinement,
    confinementDetail: `${confinement.confinementDetail} ${ownReading(request)}`,
    lastMessageFile: null,
  };
}

/**
 * Denied in the user tier, which overrides the user's own rules. The CLI silently ignores a missing policy file and
 * only warns about a broken one. So the launch may begin only after the file was written.
 */
const withheld = [
  'run_shell_command',
  'web_fetch',
  'google_web_search',
  'invoke_agent',
  'activate_skill',
  'enter_plan_mode',
  'save_memory',
];
const writingTools = ['write_file', 'replace'];

/** The text of the policy file that takes tools away. */
function withholding({ writes }: LaunchRequest): string {
  const names = [...withheld, ...(writes ? [] : writingTools)].map((name) => JSON.stringify(name));
  return `[[rule]]\ntoolName = [${names.join(', ')}]\ndecision = "deny"\npriority = 900\n`;
}

const allowing = `[[rule]]\nmcpName = ${JSON.stringify(orchestratorServer)}\ntoolName = "*"\ndecision = "allow"\npriority = 100\n`;

/**
 * No option names an MCP server; a file of system defaults does, below the person's own settings, from which the
 * sign-in still comes. In it a variable stands by its name, and the CLI puts the value in when it starts the server.
 */
function settings({ command, args, environment }: McpProgram): object {
  const byName = Object.fromEntries(Object.values(orchestratorVariables).map((name) => [name, `$${name}`]));
  return { mcpServers: { [orchestratorServer]: { command, args, env: { ...byName, ...environment } } } };
}

/**
 * Says what the CLI reads although the plan does not name it. No setting switches it off: `context.fileName` only adds
 * names, and without trust the CLI does not start.
 */
function ownReading(request: LaunchRequest): string {
  const persons = inSandbox(request) ? '' : ', and GEMINI.md of the person';
  return `Gemini CLI also reads GEMINI.md in the workspace${persons} by itself, which no option prevents.`;
}
