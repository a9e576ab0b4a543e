import { workPlaces } from '../../contracts/vocabulary/confinement';
import { orchestratorServer, orchestratorVariables } from '../../contracts/vocabulary/orchestrator';
import { inRunDir, inSandbox, modelArgument, orchestratorSandbox, temporaryDirectory } from '../shared/launchLine';
import type { LaunchLine, OrchestratorRequest } from '../worker';
import { readingOnly } from './confine';
import { ownReading, personsWords } from './ownReading';

/**
 * Codex as an orchestrator. Its shell cannot be withheld: it runs in its sandbox without a place to write, without a
 * network and without the session's token. The MCP server runs outside that sandbox and gets the token by the name of
 * its variable.
 */
export function orchestrate(request: OrchestratorRequest): LaunchLine {
  return {
    argv: [
      request.executable,
      'exec',
      '--json',
      '--ignore-user-config',
      '--ignore-rules',
      ...readingOnly(request),
      '-c',
      'web_search="disabled"',
      '-c',
      'analytics.enabled=false',
      '--disable',
      'plugins',
      ...ownReading,
      ...server(request).flatMap((setting) => ['-c', setting]),
      '-c',
      `shell_environment_policy.exclude=${JSON.stringify(Object.values(orchestratorVariables))}`,
      ...modelArgument(request),
      // It asks for a repository because of its edits, and this session makes none.
      '--skip-git-repo-check',
      ...(request.providerArgs ?? []),
      ...request.extraArgs,
      '-', // the prompt is all of stdin
    ],
    env: {
      RUST_LOG: 'codex_sandboxing=warn',
      ...temporaryDirectory(request),
      // In the sandbox its databases in the home cannot be written.
      ...(inSandbox(request) ? { CODEX_SQLITE_HOME: inRunDir(request, workPlaces.tmp) } : {}),
      NO_COLOR: '1',
    },
    files: [],
    ...(inSandbox(request)
      ? orchestratorSandbox('Codex', `Inside it ${detail}`, request)
      : { confinement: 'os_sandbox', confinementDetail: `${detail}; it may read the whole disk. ${personsWords}` }),
    lastMessageFile: null,
  };
}

const detail =
  'Codex runs its commands in its own operating system sandbox, which lets them write nothing of the workspace and has no network, and has the mission tools';

/** TOML values are spelled like JSON here. Without `required` a server that does not start is passed over in silence. */
function server({ mcp }: OrchestratorRequest): readonly string[] {
  const at = `mcp_servers.${orchestratorServer}`;
  const { command, args, environment = {} } = mcp;
  const values = Object.entries(environment).map(([name, value]) => `${JSON.stringify(name)}=${JSON.stringify(value)}`);
  return [
    `${at}.command=${JSON.stringify(command)}`,
    `${at}.args=${JSON.stringify(args)}`,
    `${at}.env_vars=${JSON.stringify(Object.values(orchestratorVariables))}`,
    ...(values.length === 0 ? [] : [`${at}.env={${values.join(',')}}`]),
    `${at}.required=true`,
    `${at}.default_tools_approval_mode="approve"`,
    // Longer than the server waits for the owner.
    `${at}.startup_timeout_sec=60`,
    `${at}.tool_timeout_sec=180`,
  ];
}
