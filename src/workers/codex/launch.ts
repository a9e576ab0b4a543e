import { workPlaces } from '../../contracts/vocabulary/confinement';
import { orchestratorServer, orchestratorVariables } from '../../contracts/vocabulary/orchestrator';
import { isObject } from '../../base/json';
import { confinedBy, inRunDir, inSandbox, modelArgument, temporaryDirectory } from '../shared/launchLine';
import type { HomeEntry, LaunchLine, LaunchRequest, McpProgram } from '../worker';

export const tested = '0.169.0';

const schemaFile = 'result-schema.json';
const lastMessageFile = `${workPlaces.folder}/last-message.txt`;

export function launch(request: LaunchRequest): LaunchLine {
  const { mission, resultSchema } = request;
  return {
    argv: [
      request.executable,
      'exec',
      '--json',
      // The user's config.toml and rules may widen the sandbox or start MCP servers; sign-in still comes from
      // CODEX_HOME, and what the file says of the provider is carried over as data (provider.ts). A repository's
      // .codex/config.toml is not loaded for an untrusted project.
      '--ignore-user-config',
      '--ignore-rules',
      // Options stand before `resume`: after it `-s` is an error, and a resumed thread does not keep its sandbox.
      ...confining(request),
      ...['-c', 'web_search="disabled"'],
      // In a closed network the end of a run waits up to 10 s for these two.
      ...['-c', 'analytics.enabled=false', '--disable', 'plugins'],
      // It reads no AGENTS.md of the repository and of the folders above, because the plan chooses what it follows.
      ...['-c', 'project_doc_max_bytes=0'],
      ...(mission ? missionTools(mission) : []),
      ...modelArgument(request),
      ...(request.skipGitRepoCheck ? ['--skip-git-repo-check'] : []),
      ...(resultSchema === null ? [] : ['--output-schema', inRunDir(request, schemaFile)]),
      ...(mission ? [] : ['-o', inRunDir(request, lastMessageFile)]),
      ...(request.providerArgs ?? []),
      ...request.extraArgs,
      ...(request.resumeSessionId === null ? [] : ['resume', request.resumeSessionId]),
      '-', // the prompt is all of stdin
    ],
    env: {
      // The JSON events leave out every command the sandbox refused (8 of 8); this warning on stderr names the path.
      RUST_LOG: 'codex_sandboxing=warn',
      ...temporaryDirectory(request),
      // In the sandbox its databases in the home cannot be written; it resumes a session without them.
      ...(inSandbox(request) ? { CODEX_SQLITE_HOME: inRunDir(request, workPlaces.tmp) } : {}),
      NO_COLOR: '1',
    },
    files:
      resultSchema === null
        ? []
        : [{ path: schemaFile, content: `${JSON.stringify(strictSchema(resultSchema), null, 2)}\n` }],
    ...(inSandbox(request)
      ? confinedBy('Codex', `Inside it ${insideWords(request)}`, request)
      : { confinement: 'os_sandbox', confinementDetail: `${confiningDetail(request)} ${personsWords}` }),
    lastMessageFile: mission ? null : lastMessageFile,
  };
}

/** Files by which the person instructs Codex. No option switches them off, so our sandbox hides them. */
export const personsFiles: readonly HomeEntry[] = ['AGENTS.md', 'AGENTS.override.md'].map((path) => ({
  path,
  kind: 'file',
  access: 'absent',
  reason: 'It would follow them, and the plan chooses what every agent follows.',
}));

/** What a person is shown where no sandbox of ours hides them. */
const personsWords = 'Codex also follows AGENTS.md in its own folder (CODEX_HOME), which no option prevents.';

/**
 * Says which of its sandboxes Codex runs in. Held by more than itself it gets a permission profile: `-s
 * workspace-write` makes folders in the workspace, which fails in our sandbox. A profile knows folders alone: one entry
 * that is a file makes every command fail. An orchestrator writes nothing but temporary files, and without our sandbox
 * not even these.
 */
function confining(request: LaunchRequest): readonly string[] {
  const { heldBy, mission, writes } = request;
  if (mission && heldBy?.by !== 'sandbox') return ['-s', 'read-only'];
  if (heldBy === undefined) {
    return [
      ...['-s', writes ? 'workspace-write' : 'read-only'],
      // Without this /tmp is writable. TMPDIR in the run directory stays writable for tools that need it.
      ...['-c', 'sandbox_workspace_write.exclude_slash_tmp=true'],
      ...request.addDirectories.flatMap((directory) => ['--add-dir', directory]),
    ];
  }
  const approved = writes ? [...heldBy.writable, ...request.addDirectories] : [];
  const own = inRunDir(request, mission ? workPlaces.tmp : workPlaces.folder);
  // In our sandbox /tmp is the launch's own.
  const shared = heldBy.by === 'sandbox' ? ['/tmp'] : [];
  const entries = [
    [':root', 'read'],
    ...[...new Set([...approved, own, ...shared])].map((folder) => [folder, 'write']),
    ...(heldBy.by === 'own' ? heldBy.sealed : []).map((folder) => [folder, 'read']),
  ];
  const table = entries.map(([name, access]) => `${JSON.stringify(name)}=${JSON.stringify(access)}`).join(',');
  return ['-c', 'default_permissions="mission-control"', '-c', `permissions.mission-control.filesystem={${table}}`];
}

/** Says what its own sandbox does inside ours. Its shell cannot be withheld. */
function insideWords({ mission }: LaunchRequest): string {
  return mission
    ? 'Codex runs its commands in its own operating system sandbox, which lets them write nothing of the workspace and has no network, and has the mission tools'
    : 'Codex runs its commands in a sandbox of its own, without a network';
}

/** One sentence for the approval dialog and the evidence. It leaves out what our sandbox does. */
function confiningDetail(request: LaunchRequest): string {
  if (request.mission) return `${insideWords(request)}; it may read the whole disk.`;
  const where =
    request.heldBy === undefined ? 'below the workspace, without .git,' : 'the approved folders of its task';
  const scope = request.writes ? `writes only ${where}` : 'writes nothing';
  const shell = request.fileLevelOnly
    ? ' It edits through its shell, which cannot be withheld: the sandbox is what limits it.'
    : '';
  return `Codex runs in its operating system sandbox: it ${scope} and has no network; it may read the whole disk.${shell}`;
}

/**
 * The server of the mission tools runs outside the sandbox of Codex' commands. It gets the token by the name of its
 * variable, and the commands do not. TOML values are spelled like JSON here. Without `required` a server that does not
 * start is passed over in silence.
 */
function missionTools({ command, args, environment = {} }: McpProgram): readonly string[] {
  const at = `mcp_servers.${orchestratorServer}`;
  const names = JSON.stringify(Object.values(orchestratorVariables));
  const values = Object.entries(environment).map(([name, value]) => `${JSON.stringify(name)}=${JSON.stringify(value)}`);
  return [
    `${at}.command=${JSON.stringify(command)}`,
    `${at}.args=${JSON.stringify(args)}`,
    `${at}.env_vars=${names}`,
    ...(values.length === 0 ? [] : [`${at}.env={${values.join(',')}}`]),
    `${at}.required=true`,
    `${at}.default_tools_approval_mode="approve"`,
    // Longer than the server waits for the owner.
    `${at}.startup_timeout_sec=60`,
    `${at}.tool_timeout_sec=180`,
    `shell_environment_policy.exclude=${names}`,
  ].flatMap((setting) => ['-c', setting]);
}
/**
 * The subset of JSON Schema that structured outputs accept: every property is required, an optional one may be null
 * instead, and no other property is allowed. It leaves out `$schema`, `$id` and `default`.
 */
function strictSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strictSchema);
  if (!isObject(schema)) return schema;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$schema' || key === '$id' || key === 'default') continue;
    if (key === 'properties' && isObject(value)) {
      result[key] = Object.fromEntries(
        Object.entries(value).map(([name, property]) => [name, nullableUnlessRequired(schema, name, property)]),
      );
    } else {
      result[key] = strictSchema(value);
    }
  }
  if (isObject(result['properties'])) {
    result['required'] = Object.keys(result['properties']);
    result['additionalProperties'] = false;
  }
  return result;
}

function nullableUnlessRequired(parent: Readonly<Record<string, unknown>>, name: string, property: unknown): unknown {
  const strict = strictSchema(property);
  const required = parent['required'];
  if ((Array.isArray(required) && required.includes(name)) || acceptsNull(strict)) return strict;
  return { anyOf: [strict, { type: 'null' }] };
}

function acceptsNull(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, anyOf } = schema;
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  return Array.isArray(anyOf) && anyOf.some(acceptsNull);
}
