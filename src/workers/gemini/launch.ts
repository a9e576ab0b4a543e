import { createGeminiParser } from './stream';
import { inRunDir, modelArgument, temporaryDir, temporaryDirMarker } from '../shared/launchLine';
import type { AgentWorker, LaunchLine, LaunchRequest } from '../worker';

/**
 * Gemini CLI. Without a container it has no operating system sandbox, so a worker never gets its shell: in
 * headless mode `auto_edit` offers the file tools, and the policy file denies the rest.
 */
export const gemini: AgentWorker = {
  name: 'gemini',
  title: 'Gemini',
  family: 'Gemini',
  executable: 'gemini',
  testedVersions: { from: '0.61.0', to: '0.61.0' },
  environmentNames: [
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'GOOGLE_GEMINI_BASE_URL',
    'GOOGLE_GENAI_USE_VERTEXAI',
    'GOOGLE_CLOUD_PROJECT',
    'GOOGLE_CLOUD_LOCATION',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GEMINI_CLI_HOME',
  ],
  sessionVariables: ['GEMINI_CLI*'],
  forbidden: {
    // `--yolo`, `-y`, `-dy`
    options: ['yolo', 'y'],
    // `--approval-mode yolo`, `--approvalMode=yolo`
    modes: [{ option: 'approvalmode', value: 'yolo' }],
  },
  launch,
  createParser: createGeminiParser,
};

const policyFile = 'policy.toml';
const trustFile = 'trusted-folders.json';

/**
 * User tier, so a deny holds whatever the user's own rules allow. A missing policy file is ignored in silence by
 * the CLI and a broken one only warned about: whoever writes it must see the write succeed before the launch.
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

function launch(request: LaunchRequest): LaunchLine {
  return {
    argv: [
      request.executable,
      '-o',
      'stream-json', // stdin is not a terminal: headless, and the prompt is all of stdin
      '--approval-mode',
      request.writes ? 'auto_edit' : 'default',
      '--policy',
      inRunDir(request, policyFile),
      // MCP servers and extensions can bring tools of any kind: only servers and extensions of these names, of
      // which there are none.
      '--allowed-mcp-server-names',
      'mission-control-none',
      '--extensions',
      'none',
      // The folder is never trusted (see the environment below); this lets the run start nevertheless, without
      // loading what the repository brings. It is the corrective flag of GEMINI_UNTRUSTED_FOLDER (exit code 55).
      ...(request.trustWorkspace ? ['--skip-trust'] : []),
      ...request.addDirectories.flatMap((directory) => ['--include-directories', directory]),
      ...modelArgument(request),
      ...(request.resumeSessionId === null
        ? ['--session-id', request.sessionId]
        : ['--resume', request.resumeSessionId]),
      ...request.extraArgs,
    ],
    env: {
      // One process instead of two; the launcher would swallow SIGTERM.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      // In a folder the user once trusted, the repository's .gemini/settings.json was seen to run its hook and
      // its MCP server. An empty list of trusted folders for this launch stops both.
      GEMINI_CLI_TRUSTED_FOLDERS_PATH: inRunDir(request, trustFile),
      TMPDIR: inRunDir(request, temporaryDir),
      NO_COLOR: '1',
    },
    files: [
      temporaryDirMarker,
      { path: policyFile, content: policy(request.writes) },
      { path: trustFile, content: '{}\n' },
    ],
    confinement: 'tool_limits',
    confinementDetail: request.writes
      ? 'Gemini CLI gets only its file tools, limited to the workspace; no shell, no network tools, no operating system sandbox.'
      : 'Gemini CLI gets only its reading tools, limited to the workspace; no shell, no network tools, no operating system sandbox.',
    lastMessageFile: null,
  };
}

function policy(writes: boolean): string {
  const names = [...withheld, ...(writes ? [] : writingTools)].map((name) => JSON.stringify(name));
  return `[[rule]]\ntoolName = [${names.join(', ')}]\ndecision = "deny"\npriority = 900\n`;
}
