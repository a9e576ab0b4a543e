import { strictSchema } from './schema';
import { createCodexParser } from './stream';
import { inRunDir, modelArgument, temporaryDir, temporaryDirMarker } from '../shared/launchLine';
import type { AgentWorker, LaunchLine, LaunchRequest } from '../worker';

/**
 * Codex. It has an operating system sandbox (its own bwrap on Linux) and edits through a shell inside it, so the
 * sandbox is what confines it; there is no approval to ask for in `exec` mode.
 */
export const codex: AgentWorker = {
  name: 'codex',
  title: 'Codex',
  family: 'Codex',
  executable: 'codex',
  testedVersions: { from: '0.169.0', to: '0.169.0' },
  environmentNames: ['CODEX_API_KEY', 'OPENAI_API_KEY', 'CODEX_HOME', 'CODEX_CA_CERTIFICATE'],
  sessionVariables: ['CODEX_*'],
  forbidden: {
    words: [
      'dangerously', // --dangerously-bypass-approvals-and-sandbox, --dangerously-bypass-hook-trust
      'dangerfullaccess', // -s danger-full-access, sandbox_mode=…, :danger-full-access
      'dangernosandbox',
    ],
    options: ['yolo'],
    // They choose the sandbox: the launch line does that, so any value is refused.
    configKeys: ['sandbox_mode', 'sandbox_permissions', 'default_permissions', 'permissions', 'approval_policy'],
  },
  launch,
  createParser: createCodexParser,
};

const schemaFile = 'result-schema.json';
const lastMessageFile = 'last-message.txt';

function launch(request: LaunchRequest): LaunchLine {
  return {
    argv: [
      request.executable,
      'exec',
      '--json',
      // The user's config.toml and rules may widen the sandbox or start MCP servers; sign-in still comes from
      // CODEX_HOME. A repository's .codex/config.toml is not loaded for an untrusted project.
      '--ignore-user-config',
      '--ignore-rules',
      // Options stand before `resume`: after it `-s` is an error, and a resumed thread does not keep its sandbox.
      '-s',
      request.writes ? 'workspace-write' : 'read-only',
      // Without this /tmp is writable; TMPDIR, which is in the run directory, stays so for the tools that need one.
      '-c',
      'sandbox_workspace_write.exclude_slash_tmp=true',
      '-c',
      'web_search="disabled"',
      // Both off: in a closed network the end of a run waits up to 10 s for them.
      '-c',
      'analytics.enabled=false',
      '--disable',
      'plugins',
      ...modelArgument(request),
      ...request.addDirectories.flatMap((directory) => ['--add-dir', directory]),
      ...(request.skipGitRepoCheck ? ['--skip-git-repo-check'] : []),
      '--output-schema',
      inRunDir(request, schemaFile),
      '-o',
      inRunDir(request, lastMessageFile),
      ...request.extraArgs,
      ...(request.resumeSessionId === null ? [] : ['resume', request.resumeSessionId]),
      '-', // the prompt is all of stdin
    ],
    env: {
      // The JSON events leave out every command the sandbox refused (8 of 8); this warning on stderr names the path.
      RUST_LOG: 'codex_sandboxing=warn',
      TMPDIR: inRunDir(request, temporaryDir),
      NO_COLOR: '1',
    },
    files: [
      temporaryDirMarker,
      { path: schemaFile, content: `${JSON.stringify(strictSchema(request.resultSchema), null, 2)}\n` },
    ],
    confinement: 'os_sandbox',
    confinementDetail: detail(request),
    lastMessageFile,
  };
}

function detail(request: LaunchRequest): string {
  const scope = request.writes ? 'writes only below the workspace, without .git,' : 'writes nothing';
  const shell = request.fileLevelOnly
    ? ' It edits through its shell, which cannot be withheld: the sandbox is what limits it.'
    : '';
  return `Codex runs in its operating system sandbox: it ${scope} and has no network; it may read the whole disk.${shell}`;
}
