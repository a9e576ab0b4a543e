import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { errorWords } from '../../base/outcome';
import { readPart } from '../files/opened';
import { findExecutable } from './commandLine';

/** Looks at the files for the reason why a program, or its interpreter, cannot be started. Null: they show none. */
export async function startFault(
  program: string,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (process.platform === 'win32') return null;
  if ((await stat(folder).catch(() => null))?.isDirectory() !== true) return 'that folder is not there';
  const file = program.includes('/') ? path.resolve(folder, program) : await findExecutable(program, environment);
  if (file === null) return 'no folder of PATH holds a program of this name';
  return (await placeFault(file)) ?? contentFault(file);
}

async function placeFault(file: string): Promise<string | null> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) return 'it is a folder';
    return (found.mode & 0o111) === 0 ? 'its file is not marked as executable' : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is not there' : errorWords(error, file);
  }
}

async function contentFault(file: string): Promise<string | null> {
  // The bytes in which a script names its interpreter, and a program its loader.
  const first = await readPart(file, 4096, 0, { follow: true }).catch(() => null);
  const text = first?.bytes.toString('latin1') ?? '';
  const [, interpreter, lineEnd] = /^#![ \t]*([^ \t\r\n]+)(\r?)/.exec(text) ?? [];
  if (interpreter !== undefined) {
    if (lineEnd === '\r')
      return `its first line names ${interpreter} and a carriage return, because its lines end as on Windows (CRLF)`;
    const fault = await placeFault(interpreter);
    return fault && `its first line names ${interpreter}, and ${fault}`;
  }
  const loader = /\0(\/[\x21-\x7e]+\/ld[-\w.]*)\0/.exec(text)?.[1];
  return loader === undefined || existsSync(loader) ? null : `it needs ${loader}, which is not there`;
}
