import { parseTree, type Node, type ParseOptions } from 'jsonc-parser';

/** The tree of a hostile text; undefined: it is not JSON, or nested too deeply to be followed. */
export function treeOf(text: string, options?: ParseOptions): Node | undefined {
  return followed(() => parseTree(text, undefined, options)) ?? undefined;
}

/** Runs code that recurses at each level, as jsonc-parser does; null: the stack had no room for all levels. */
export function followed<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
