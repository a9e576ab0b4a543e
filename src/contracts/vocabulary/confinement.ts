/**
 * Whether a worker has to be held back by the operating system, strictest first. `preferred` (default): where it can,
 * else its changes are observed. Source: decisions.md section 11b.
 */
export const confinementModes = ['required', 'preferred', 'off'] as const;
export type ConfinementMode = (typeof confinementModes)[number];

/** What holds a worker in its sandbox. */
export const sandboxMeans = ['bubblewrap', 'seatbelt'] as const;
export type SandboxMeans = (typeof sandboxMeans)[number];

/** More read-only siblings of an approved single file cost a launch more time than they are worth. */
export const mostSiblings = 300;

/** What a worker may write in its run directory; POSIX, relative to it. */
export const workPlaces = { folder: 'work', tmp: 'work/tmp', worklog: 'work/worklog.md' } as const;
