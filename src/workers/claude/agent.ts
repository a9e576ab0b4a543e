import type { AgentWorker } from '../worker';
import { launch, tested } from './launch';
import { provider } from './provider';
import { createParser } from './stream';
import { words } from './words';

/**
 * Claude Code. Every flag was tried with 2.1.328 against a mock model; 2.1.197 knows all of them too. It has no
 * operating system sandbox here: its tool list and its permission mode confine it.
 */
export const agent: AgentWorker = {
  name: 'claude',
  title: 'Claude Code',
  program: 'Claude Code',
  contractName: 'Claude',
  terminal: { install: 'npm install -g @anthropic-ai/claude-code', signIn: 'claude' },
  isDelegated: true,
  resumes: true,
  reportsCost: true,
  instructions: { file: 'CLAUDE.md', always: false },
  repositoryFiles: [String.raw`\.claude`, String.raw`\.mcp\.json`],
  ownChoice: ['default', 'opusplan'],
  models: [
    { id: 'claude-opus', tier: 'A', profile: 'high', names: ['opus', 'opus[1m]', '*claude-opus-*', '*claude-*-opus*'] },
    { id: 'claude-fable', tier: 'A', profile: 'high', names: ['fable', '*claude-fable-*'] },
    {
      id: 'claude-sonnet',
      tier: 'A',
      profile: 'high',
      names: ['sonnet', 'sonnet[1m]', '*claude-sonnet-*', '*claude-*-sonnet*'],
    },
    { id: 'claude-haiku', tier: 'B', profile: 'mid', names: ['haiku', '*claude-haiku-*', '*claude-*-haiku*'] },
  ],
  words,
  executable: 'claude',
  testedVersions: { from: tested, to: tested },
  environmentNames: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_CUSTOM_HEADERS',
    'ANTHROPIC_MODEL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_MAX_RETRIES',
    'CLAUDE_CONFIG_DIR',
  ],
  sessionVariables: ['CLAUDECODE', 'CLAUDE_CODE_*', 'CLAUDE_AGENT_*'],
  forbidden: {
    fragments: [
      'dangerously', // --dangerously-skip-permissions
      'allowdangerous',
      'bypasspermissions', // --permission-mode, settings defaultMode
    ],
  },
  home: [
    {
      variable: 'CLAUDE_CONFIG_DIR',
      below: '',
      otherwise: '.claude',
      entries: [
        {
          path: 'projects',
          kind: 'folder',
          access: 'write',
          reason: 'It keeps its sessions there; without them none can be resumed in a later launch.',
        },
        {
          path: '.credentials.json',
          kind: 'file',
          access: 'write',
          reason: 'A refreshed sign-in is written there, in place where the file cannot be replaced.',
        },
      ],
    },
  ],
  namespaces: false,
  provider,
  launch,
  createParser,
};
