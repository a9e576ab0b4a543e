import type { AgentWorker } from '../worker';
import { launch, tested } from './launch';
import { provider } from './provider';
import { createParser } from './stream';
import { words } from './words';

/**
 * OpenCode. It has no operating system sandbox, and its shell writes wherever this user may. So a worker never gets the
 * shell. An agent definition of ours confines it: it denies every tool that it does not name.
 */
export const agent: AgentWorker = {
  name: 'opencode',
  title: 'OpenCode',
  program: 'OpenCode',
  contractName: 'OpenCode',
  terminal: { install: 'npm install -g opencode-ai', signIn: 'opencode auth login' },
  isDelegated: false,
  resumes: false,
  reportsCost: true,
  instructions: { file: 'AGENTS.md', always: false },
  repositoryFiles: [String.raw`\.opencode`, String.raw`opencode\.jsonc?`],
  ownChoice: [],
  models: [
    {
      id: 'opencode-free',
      tier: 'D',
      profile: 'free_assistive',
      names: ['opencode/big-pickle', 'opencode/*-free', '*:free'],
    },
    { id: 'opencode-preview', tier: 'C', profile: 'preview_readonly', names: ['*/*gemini-*preview*'] },
    {
      id: 'opencode-small',
      tier: 'B',
      profile: 'mid',
      names: [
        ...['anthropic/claude-haiku-4-5', '*/*haiku*', '*/*flash*', '*/gpt-*mini*', '*/gpt-*nano*'],
        ...['*/codex-mini*', '*/o3-mini*', '*/o4-mini*'],
      ],
    },
    // Its providers, local ones among them, are configured by the person, who names them.
    { id: 'opencode-configured', tier: 'A', profile: 'high', names: ['*/*'] },
  ],
  words,
  executable: 'opencode',
  testedVersions: { from: tested, to: tested },
  // It speaks to many providers: a person who keeps a key in another variable names that variable.
  environmentNames: ['OPENCODE_API_KEY', 'OPENCODE_AUTH_CONTENT'],
  sessionVariables: ['OPENCODE', 'OPENCODE_*', 'AGENT'],
  forbidden: {
    ownOptions: [
      'auto', // approves everything
      // Other permissions than those of our agent, another server, folder or file; one given twice becomes a list.
      ...['agent', 'attach', 'command', 'dir', 'file', 'f', 'pure', 'share', 'interactive', 'i'],
      ...['continue', 'c', 'session', 's', 'fork'], // a session carries the permissions and the words of another run
    ],
  },
  home: [
    {
      variable: 'XDG_DATA_HOME',
      below: 'opencode',
      otherwise: '.local/share/opencode',
      entries: [
        {
          path: 'auth.json',
          kind: 'file',
          access: 'write',
          reason: 'A refreshed sign-in is written there, in place.',
        },
        { path: 'log', kind: 'folder', access: 'absent', reason: 'It opens its log there and ends where it may not.' },
      ],
    },
    // It makes folders in each of these at its start, and ends where it may not; nothing in them is needed afterwards.
    { variable: 'XDG_STATE_HOME', below: 'opencode', otherwise: '.local/state/opencode', entries: [] },
    { variable: 'XDG_CACHE_HOME', below: 'opencode', otherwise: '.cache/opencode', entries: [] },
    { variable: 'XDG_CONFIG_HOME', below: 'opencode', otherwise: '.config/opencode', entries: [] },
  ],
  namespaces: false,
  provider,
  launch,
  createParser,
};
