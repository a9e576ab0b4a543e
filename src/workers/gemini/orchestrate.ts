import { orchestratorServer, orchestratorVariables } from '../../contracts/vocabulary/orchestrator';
import { inRunDir, modelArgument, orchestratorSandbox } from '../shared/launchLine';
import type { LaunchLine, OrchestratorRequest } from '../worker';
import { environment, ownReading, policyFile, trustFile, withholding } from './held';

const settingsFile = 'gemini-settings.json';

/**
 * Gemini CLI as an orchestrator: its reading tools and the mission tools. No option names an MCP server; a file of
 * system defaults does, below the person's own settings, from which the sign-in still comes. In it a variable stands by
 * its name, and the CLI puts the value in when it starts the server.
 */
export function orchestrate(request: OrchestratorRequest): LaunchLine {
  const confinement = orchestratorSandbox('Gemini CLI', detail, request);
  return {
    argv: [
      request.executable,
      '-o',
      'stream-json', // stdin is not a terminal: headless, and the prompt is all of stdin
      '--approval-mode',
      'default',
      '--policy',
      inRunDir(request, policyFile),
      '--allowed-mcp-server-names',
      orchestratorServer,
      '--extensions',
      'none',
      // The folder stays untrusted: nothing of the repository's settings is loaded.
      '--skip-trust',
      ...modelArgument(request),
      '--session-id',
      request.sessionId,
      ...request.extraArgs,
    ],
    env: { ...environment(request), GEMINI_CLI_SYSTEM_DEFAULTS_PATH: inRunDir(request, settingsFile) },
    files: [
      { path: policyFile, content: `${withholding(false)}\n${allowing}` },
      { path: trustFile, content: '{}\n' },
      { path: settingsFile, content: `${JSON.stringify(settings(request), null, 2)}\n` },
    ],
    ...confinement,
    confinementDetail: `${confinement.confinementDetail} ${ownReading(request)}`,
    lastMessageFile: null,
  };
}

const detail =
  'Gemini CLI gets only its reading tools, limited to the workspace, and the mission tools; no shell, no network tools';

const allowing = `[[rule]]\nmcpName = ${JSON.stringify(orchestratorServer)}\ntoolName = "*"\ndecision = "allow"\npriority = 100\n`;

function settings({ mcp }: OrchestratorRequest): object {
  const byName = Object.fromEntries(Object.values(orchestratorVariables).map((name) => [name, `$${name}`]));
  const server = { command: mcp.command, args: mcp.args, env: { ...byName, ...mcp.environment } };
  return { mcpServers: { [orchestratorServer]: server } };
}
