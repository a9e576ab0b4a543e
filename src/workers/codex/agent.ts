import type { AgentWorker } from '../worker';
import { launch, personsFiles, tested } from './launch';
import { provider } from './provider';
import { createParser } from './stream';
import { words } from './words';

/**
 * Codex. It edits through a shell inside its operating system sandbox (its own bwrap on Linux), which confines it;
 * `exec` mode asks for no approvals.
 */
export const agent: AgentWorker = {
  name: 'codex',
  title: 'Codex',
  program: 'Codex',
  contractName: 'Codex',
  terminal: { install: 'npm install -g @openai/codex', signIn: 'codex login' },
  isDelegated: false,
  resumes: true,
  reportsCost: false,
  instructions: { file: 'AGENTS.md', always: false },
  repositoryFiles: [String.raw`\.codex`],
  ownChoice: [],
  models: [
    {
      id: 'gpt-small',
      tier: 'B',
      profile: 'mid',
      names: ['gpt-5.4-mini', 'gpt-*mini*', 'gpt-*nano*', 'gpt-4o*', 'codex-mini*', 'o3-mini*', 'o4-mini*'],
    },
    { id: 'gpt', tier: 'A', profile: 'high', names: ['gpt-6.1-sol', 'gpt-*', 'codex-*', 'o3*', 'o4*'] },
  ],
  words,
  executable: 'codex',
  testedVersions: { from: tested, to: tested },
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
  provider,
  launch,
  createParser,
};
