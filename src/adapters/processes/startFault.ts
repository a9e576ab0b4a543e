import { existsSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorWords } from '../../base/outcome';
import { findExecutable } from './commandLine';

/** Looks at the files for the reason why a program, or its interpreter, cannot be started. Null: they show none. */
export async function startFault(
  program: string,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (process.platform === 'win32') return null;
  if (!(await isFolder(folder))) return 'that folder is not there';
  const file = program.includes('/') ? path.resolve(folder, program) : await findExecutable(program, environment);
  if (file === null) return 'no folder of PATH holds a program of this name';
  return (await placeFault(file)) ?? contentFault(await firstBytes(file));
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

async function contentFault(text: string): Promise<string | null> {
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

async function isFolder(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isDirectory() === true;
}

/** The bytes in which a script names its interpreter, and a program its loader. */
async function firstBytes(file: string): Promise<string> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return '';
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
