import { workPlaces } from '../../contracts/vocabulary/confinement';
import { confining, confiningDetail } from './confine';
import { ownReading, personsFiles, personsWords } from './ownReading';
import { strictSchema } from './schema';
import { orchestrate } from './orchestrate';
import { codexConfigs, codexProvider } from './provider';
import { createCodexParser } from './stream';
import { inRunDir, inSandbox, modelArgument, taskSandbox, temporaryDirectory } from '../shared/launchLine';
import { awsCredentials } from '../shared/provider';
import type { AgentWorker, LaunchLine, LaunchRequest } from '../worker';

/**
 * Codex. It edits through a shell inside its operating system sandbox (its own bwrap on Linux), which confines it;
 * `exec` mode asks for no approvals.
 */
export const codex: AgentWorker = {
  name: 'codex',
  title: 'Codex',
  executable: 'codex',
  testedVersions: { from: '0.169.0', to: '0.169.0' },
  environmentNames: [
    ...['CODEX_API_KEY', 'OPENAI_API_KEY', 'OPENAI_ORGANIZATION', 'OPENAI_PROJECT'],
    ...['CODEX_HOME', 'CODEX_CA_CERTIFICATE'],
  ],
  sessionVariables: ['CODEX_*'],
  forbidden: {
    fragments: [
      'dangerously', // --dangerously-bypass-approvals-and-sandbox, --dangerously-bypass-hook-trust
      'dangerfullaccess', // -s danger-full-access, sandbox_mode=…, :danger-full-access
      'dangernosandbox',
    ],
    options: ['yolo'],
    // These keys choose the sandbox, which only the launch line may do, so any value is refused.
    configKeys: ['sandbox_mode', 'sandbox_permissions', 'default_permissions', 'permissions', 'approval_policy'],
  },
  home: [
    {
      variable: 'CODEX_HOME',
      below: '',
      otherwise: '.codex',
      entries: [
        {
          path: 'sessions',
          kind: 'folder',
          access: 'write',
          reason: 'It keeps its sessions there; without them none can be resumed in a later launch.',
        },
        { path: 'auth.json', kind: 'file', access: 'write', reason: 'A refreshed sign-in is written there, in place.' },
        {
          path: 'installation_id',
          kind: 'file',
          access: 'copy',
          reason: 'It opens the file for writing at every start and ends where it may not.',
        },
        {
          path: 'thread-writer-locks',
          kind: 'folder',
          access: 'absent',
          reason: 'It makes a lock there for its session and ends where it may not.',
        },
        {
          path: 'tmp',
          kind: 'folder',
          access: 'absent',
          reason: 'It puts links to itself there, by which its commands find apply_patch.',
        },
        ...personsFiles,
      ],
    },
  ],
  namespaces: true,
  provider: {
    hosts: [
      { host: 'api.openai.com:443', reason: 'Its model answers there to an API key.' },
      { host: 'chatgpt.com:443', reason: 'Its model answers there after a sign-in with ChatGPT.' },
      { host: 'auth.openai.com:443', reason: 'A sign-in is refreshed there.' },
    ],
    baseUrls: [],
    environment: {},
    mayNeed: ['AWS_REGION', ...awsCredentials, 'AZURE_OPENAI_API_KEY', 'CODEX_OSS_BASE_URL', 'CODEX_OSS_PORT'],
    configs: codexConfigs,
    leads: codexProvider,
  },
  launch,
  orchestrate,
  createParser: createCodexParser,
};

const schemaFile = 'result-schema.json';
const lastMessageFile = `${workPlaces.folder}/last-message.txt`;

function launch(request: LaunchRequest): LaunchLine {
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
      '-c',
      'web_search="disabled"',
      // In a closed network the end of a run waits up to 10 s for these two.
      '-c',
      'analytics.enabled=false',
      '--disable',
      'plugins',
      ...ownReading,
      ...modelArgument(request),
      ...(request.skipGitRepoCheck ? ['--skip-git-repo-check'] : []),
      ...(request.resultSchema === null ? [] : ['--output-schema', inRunDir(request, schemaFile)]),
      '-o',
      inRunDir(request, lastMessageFile),
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
      request.resultSchema === null
        ? []
        : [{ path: schemaFile, content: `${JSON.stringify(strictSchema(request.resultSchema), null, 2)}\n` }],
    ...(inSandbox(request)
      ? taskSandbox('Codex', 'Inside it Codex runs its commands in a sandbox of its own, without a network')
      : { confinement: 'os_sandbox', confinementDetail: `${confiningDetail(request)} ${personsWords}` }),
    lastMessageFile,
  };
}
