import { environment, ownReading, policyFile, startVariables, trustFile, withholding } from './held';
import { orchestrate } from './orchestrate';
import { geminiConfigs, geminiProvider } from './provider';
import { createGeminiParser } from './stream';
import { inRunDir, inSandbox, modelArgument, taskSandbox } from '../shared/launchLine';
import type { AgentWorker, LaunchLine, LaunchRequest } from '../worker';

/**
 * Gemini CLI. Without a container it has no operating system sandbox, so a worker never gets its shell: in
 * headless mode `auto_edit` offers the file tools, and the policy file denies the rest.
 */
export const gemini: AgentWorker = {
  name: 'gemini',
  title: 'Gemini',
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
  startVariables,
  forbidden: {
    // `--yolo`, `-y`, `-dy`
    options: ['yolo', 'y'],
    // `--approval-mode yolo`, `--approvalMode=yolo`
    modes: [{ option: 'approvalmode', value: 'yolo' }],
  },
  home: [
    {
      variable: 'GEMINI_CLI_HOME',
      below: '.gemini',
      otherwise: '.gemini',
      entries: [
        {
          path: 'tmp',
          kind: 'folder',
          access: 'write',
          reason: 'It keeps its sessions there, by project; without them none can be resumed in a later launch.',
        },
        {
          path: 'projects.json',
          kind: 'file',
          access: 'copy',
          reason: 'It enters the project there at its start, by a new file that takes the place of the old one.',
        },
        {
          path: 'projects.json.lock',
          kind: 'folder',
          access: 'absent',
          reason: 'One that an earlier run left behind has to be removed; where that is impossible it waits for ever.',
        },
        {
          path: 'history',
          kind: 'folder',
          access: 'absent',
          reason: 'It makes a folder there for each new project and ends where it may not.',
        },
        {
          path: 'oauth_creds.json',
          kind: 'file',
          access: 'write',
          reason: 'A refreshed sign-in is written there, in place.',
        },
        {
          path: 'gemini-credentials.json',
          kind: 'file',
          access: 'write',
          reason: 'Where there is no keychain a refreshed sign-in is written there, in place.',
        },
        {
          path: 'GEMINI.md',
          kind: 'file',
          access: 'absent',
          reason: 'It would follow it, and the plan chooses what every agent follows.',
        },
      ],
    },
  ],
  namespaces: false,
  provider: {
    hosts: [
      { host: 'generativelanguage.googleapis.com:443', reason: 'Its model answers there to an API key.' },
      { host: 'cloudcode-pa.googleapis.com:443', reason: 'Its model answers there after a sign-in.' },
      { host: 'aiplatform.googleapis.com:443', reason: 'Its model answers there to a project of Vertex AI.' },
      { host: 'oauth2.googleapis.com:443', reason: 'A sign-in is refreshed there.' },
    ],
    baseUrls: ['GOOGLE_GEMINI_BASE_URL'],
    environment: {},
    mayNeed: ['GOOGLE_VERTEX_BASE_URL', 'CODE_ASSIST_ENDPOINT', 'GOOGLE_GENAI_USE_GCA'],
    configs: geminiConfigs,
    leads: geminiProvider,
  },
  launch,
  orchestrate,
  createParser: createGeminiParser,
};

function launch(request: LaunchRequest): LaunchLine {
  const confinement = heldBy(request);
  return {
    argv: [
      request.executable,
      '-o',
      'stream-json', // stdin is not a terminal: headless, and the prompt is all of stdin
      '--approval-mode',
      request.writes ? 'auto_edit' : 'default',
      '--policy',
      inRunDir(request, policyFile),
      // MCP servers and extensions can bring tools of any kind: allow only names that do not exist.
      '--allowed-mcp-server-names',
      'mission-control-none',
      '--extensions',
      'none',
      // The folder is never trusted (see the environment below); this starts the run nevertheless, without loading the
      // repository's settings. It is the corrective flag of GEMINI_UNTRUSTED_FOLDER (exit code 55).
      ...(request.trustWorkspace ? ['--skip-trust'] : []),
      ...request.addDirectories.flatMap((directory) => ['--include-directories', directory]),
      ...modelArgument(request),
      ...(request.resumeSessionId === null
        ? ['--session-id', request.sessionId]
        : ['--resume', request.resumeSessionId]),
      ...request.extraArgs,
    ],
    env: environment(request),
    files: [
      { path: policyFile, content: withholding(request.writes) },
      { path: trustFile, content: '{}\n' },
    ],
    ...confinement,
    confinementDetail: `${confinement.confinementDetail} ${ownReading(request)}`,
    lastMessageFile: null,
  };
}

function heldBy(request: LaunchRequest): Pick<LaunchLine, 'confinement' | 'confinementDetail'> {
  const limits = detail(request.writes);
  return inSandbox(request)
    ? taskSandbox('Gemini CLI', limits)
    : { confinement: 'tool_limits', confinementDetail: `${limits}, no operating system sandbox.` };
}

function detail(writes: boolean): string {
  return `Gemini CLI gets only its ${writes ? 'file' : 'reading'} tools, limited to the workspace; no shell, no network tools`;
}
