import type { ProcessTable } from './facts';

/**
 * The same table, but it asks for the boot id once, because that cannot change while this process
 * lives.
 */
export function bootOnce(table: ProcessTable): ProcessTable {
  let asked: Promise<string> | null = null;
  return {
    ...table,
    bootId() {
      const asking = (asked ??= table.bootId());
      asking.catch(() => (asked = null));
      return asking;
    },
  };
}
