import type { Memento } from 'vscode';

/** What VS Code's Memento does: values by key, JSON in and out. */
export function memory(initial: Readonly<Record<string, unknown>> = {}): Pick<Memento, 'get' | 'update'> {
  const values = new Map(Object.entries(initial).map(([key, value]) => [key, JSON.stringify(value)]));
  return {
    get: (key: string, fallback?: unknown) => {
      const text = values.get(key);
      return (text === undefined ? fallback : JSON.parse(text)) as never;
    },
    update: (key, value) => {
      values.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}
