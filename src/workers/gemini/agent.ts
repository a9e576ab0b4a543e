import type { AgentWorker } from '../worker';
import { launch, startVariables, tested } from './launch';
import { provider } from './provider';
import { createParser } from './stream';
import { words } from './words';

/**
 * Gemini CLI. Without a container it has no operating system sandbox, so a worker never gets its shell: in
 * headless mode `auto_edit` offers the file tools, and the policy file denies the rest.
 */
export const agent: AgentWorker = {
  name: 'gemini',
  title: 'Gemini',
  program: 'Gemini CLI',
  contractName: 'Gemini',
  terminal: { install: 'npm install -g @google/gemini-cli', signIn: 'gemini' },
  isDelegated: false,
  resumes: true,
  reportsCost: false,
  instructions: { file: 'GEMINI.md', always: true },
  repositoryFiles: [String.raw`\.gemini`],
  ownChoice: ['auto', 'auto-*'],
  models: [
    {
      id: 'gemini-preview',
      tier: 'C',
      profile: 'preview_readonly',
      names: ['gemini-3-pro-preview', 'gemini-*preview*'],
    },
    {
      id: 'gemini-flash',
      tier: 'B',
      profile: 'mid',
      names: ['gemini-2.5-flash', 'flash', 'flash-lite', 'gemini-*flash*'],
    },
    { id: 'gemini-pro', tier: 'A', profile: 'high', names: ['gemini-2.5-pro', 'pro', 'gemini-*pro*'] },
  ],
  words,
  executable: 'gemini',
  testedVersions: { from: tested, to: tested },
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
  provider,
  launch,
  createParser,
};
