/**
 * Whether a worker has to be held back by the operating system, strictest first. `preferred` (default): where it can,
 * else its changes are observed. Source: decision 53.
 */
export const confinementModes = ['required', 'preferred', 'off'] as const;
export type ConfinementMode = (typeof confinementModes)[number];

/**
 * The network of an agent in its sandbox, strictest first. `provider`: only the hosts of its provider. `open` (default):
 * any.
 */
export const agentNetworks = ['provider', 'open'] as const;
export type AgentNetwork = (typeof agentNetworks)[number];

/** What holds a worker in its sandbox. */
export const sandboxMeans = ['bubblewrap', 'seatbelt'] as const;
export type SandboxMeans = (typeof sandboxMeans)[number];

/**
 * What the processes of a launch may write in the workspace. `read_only`: nothing but scratch; the intent of the task
 * only reads. Source: seed 004, sandbox control.
 */
export const sandboxStates = ['read_only', 'approved_paths'] as const;
export type SandboxState = (typeof sandboxStates)[number];

/** Whether a sandbox can hold an agent to some hosts: only in a namespace of its own can its network be another one. */
export const holdsNetwork: { readonly [M in SandboxMeans]: boolean } = { bubblewrap: true, seatbelt: false };

/** More read-only siblings of an approved single file cost a launch more time than they are worth. */
export const mostSiblings = 300;

/** What a worker may write in its run directory; POSIX, relative to it. */
export const workPlaces = { folder: 'work', tmp: 'work/tmp', worklog: 'work/worklog.md' } as const;
