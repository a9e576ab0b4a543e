/** Returns the id that a name of a plan means: the name of its file (`PLAN_x.json`, `PLAN_x`) or the id itself. */
export function planIdIn(name: string): string {
  return name.replace(/^PLAN_/, '').replace(/\.json$/, '');
}
