import path from 'node:path';

/** Path of a scenario's plan, relative to the workspace. */
export function planFile(id: string): string {
  return `docs/plans/PLAN_${id}.json`;
}

/** What a worker that waits and a verify command that fails are let go by: a file outside the workspace. */
export function gateOf(outside: string, id: string): string {
  return path.join(outside, id);
}
