import path from 'node:path';
import type { Activity, WorkerSignal } from '../contracts/launch';
import { redactText, type Secrets } from '../adapters/system/redact';

type Action = NonNullable<Activity['actions']>[number];

/** Number of actions; a person takes in so many at a glance. */
const kept = 3;
const mostHooks = 10;
/** Characters, because each action is shown in one line. */
const longest = 200;

/**
 * The last actions of a worker as its CLI reports them: redacted and bounded, with paths relative to the workspace.
 */
export interface LastActions {
  take(signals: readonly WorkerSignal[]): void;
  now(): readonly Action[];
  /** Hooks that began and have not ended, the oldest first. */
  hooks(): readonly string[];
}

/** @param workspace absolute */
export function createLastActions(workspace: string, secrets: Secrets): LastActions {
  const inside = workspace.endsWith(path.sep) ? workspace : `${workspace}${path.sep}`;
  const shown = (text: string): string =>
    redactText(text, secrets).text.replaceAll(inside, '').replaceAll(/\s+/g, ' ').trim().slice(0, longest);
  let last: readonly Action[] = [];
  const hooks = new Map<string, string>();
  return {
    take(signals) {
      for (const signal of signals) {
        if (signal.kind !== 'hook') continue;
        if (signal.ended) hooks.delete(signal.id);
        else if (hooks.size < mostHooks) hooks.set(signal.id, shown(signal.name));
      }
      const uses = signals.flatMap((signal) => (signal.kind === 'tool_use' ? [signal] : []));
      for (const { tool, detail } of uses.slice(-kept)) {
        const action = { tool: shown(tool), detail: shown(detail) };
        const before = last.at(-1);
        if (before?.tool === action.tool && before.detail === action.detail) continue;
        last = [...last, action].slice(-kept);
      }
    },
    now: () => last,
    hooks: () => [...hooks.values()],
  };
}
