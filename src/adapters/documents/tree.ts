import { parseTree, type Node, type ParseOptions } from 'jsonc-parser';

/** The tree of a hostile text; undefined: it is no JSON, or is nested deeper than can be followed. */
export function treeOf(text: string, options?: ParseOptions): Node | undefined {
  return followed(() => parseTree(text, undefined, options)) ?? undefined;
}

/** jsonc-parser calls itself for each level; null: there were more than the stack has room for. */
export function followed<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
