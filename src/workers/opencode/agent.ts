import type { AgentWorker } from '../worker';
import { launch, tested } from './launch';
import { provider } from './provider';
import { createParser } from './stream';

/**
 * OpenCode. It has no operating system sandbox, and its shell writes wherever this user may. So a
 * worker never gets the shell. An agent definition of ours confines it: it denies every tool that
 * it does not name.
 */
export const agent: AgentWorker = {
  name: 'opencode',
  title: 'OpenCode',
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
