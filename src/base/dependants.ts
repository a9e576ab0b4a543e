import type { LedgerStatus } from '../contracts/vocabulary/execution';

/** The open tasks that depend on this one, directly or through others, in the order given. */
export function openDependants(
  tasks: readonly { readonly task_id: string; readonly depends_on: readonly string[]; readonly status: LedgerStatus }[],
  taskId: string,
): readonly string[] {
  const waiting = new Map<string, string[]>();
  for (const { task_id, depends_on } of tasks) {
    for (const on of depends_on) {
      const others = waiting.get(on);
      if (others) others.push(task_id);
      else waiting.set(on, [task_id]);
    }
  }
  const found = new Set([taskId]);
  for (const id of found) for (const next of waiting.get(id) ?? []) found.add(next);
  return tasks.flatMap(({ task_id, status }) => {
    const open = status === 'todo' || status === 'in_progress' || status === 'blocked';
    return open && task_id !== taskId && found.has(task_id) ? [task_id] : [];
  });
}
