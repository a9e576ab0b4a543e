import process from 'node:process';

export type User = 'root' | 'nobody' | 'myself';

/** The users a worker runs as: root and a user without rights; without root, the one that runs the tests. */
export const users: readonly User[] = process.getuid?.() === 0 ? ['root', 'nobody'] : ['myself'];

/** The users in this run: the quick tier shows with the first one what the attacks show with each. */
export const usersOfTier: readonly User[] = process.env['MISSION_TESTS_TIER'] === 'quick' ? users.slice(0, 1) : users;
