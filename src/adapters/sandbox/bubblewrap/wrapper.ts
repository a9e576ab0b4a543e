import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** The programs that a script starts, as far as its text shows. */
export interface ScriptStarts {
  /** The program that runs the script; null: it is no script, or too large for one that only starts another program. */
  readonly interpreter: string | null;
  /** Absolute paths in a shell script, such as that in `exec '/opt/node' "$@"`. */
  readonly named: readonly string[];
}

const nothing: ScriptStarts = { interpreter: null, named: [] };

/** The same for many launches of one process: reads a file anew only once its times or its size have changed. */
export function scriptReader(): (file: string, stats: Stats) => Promise<ScriptStarts> {
  const known = new Map<string, ScriptStarts>();
  return async (file, { dev, ino, size, mtimeMs, ctimeMs }) => {
    const key = JSON.stringify([file, dev, ino, size, mtimeMs, ctimeMs]);
    const found = known.get(key) ?? (await scriptStarts(file));
    if (known.size >= mostKnown) known.clear();
    // What cannot be read now may be read by a later launch.
    if (found !== nothing) known.set(key, found);
    return found;
  };
}

const mostKnown = 10_000;

/** Reads a file that may be a script. An unreadable file starts nothing that is known. */
async function scriptStarts(file: string): Promise<ScriptStarts> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return nothing;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(longestWrapper), 0, longestWrapper, 0);
    return startsOf(buffer.toString('utf8', 0, bytesRead));
  } catch {
    return nothing; // unreadable for the worker too
  } finally {
    await handle.close();
  }
}

/** The same of a text. */
export function startsOf(text: string): ScriptStarts {
  const interpreter = /^#![ \t]*(\/[^\s]+)/.exec(text)?.[1] ?? null;
  if (interpreter === null) return { interpreter, named: [] };
  const isShell = /^#![^\n]*\b(?:sh|bash|dash|ash|zsh|ksh)\b/.test(text);
  if (!isShell) return { interpreter, named: [] };
  const paths = /'(\/[^'\n]+)'|"(\/[^"\n$`]+)"|(?<=^|[\s=])(\/[^\s'"`$;&|<>(){}*?]+)/gm;
  const found = [...text.matchAll(paths)].flatMap((match) => match.slice(1).filter(Boolean));
  return { interpreter, named: [...new Set(found)].slice(0, mostNamed) };
}

/** Bytes; a script that only starts another program is short. */
export const longestWrapper = 16_384;
const mostNamed = 50;
