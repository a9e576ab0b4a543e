import { lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import { readOnce, readPart } from './opened';

/** Facts from a swap or lock file of an editor. They prove nothing, because any process can write such a file. */
export interface EditorLock {
  readonly editor: 'vim' | 'Emacs' | 'LibreOffice';
  readonly lock: string;
  /** Null: the file names no process. */
  readonly pid: number | null;
  readonly host: string;
}

/** The swap or lock file beside a file, or the file itself if it is one; null: no such file can be read. */
export async function editorLockOf(file: string): Promise<EditorLock | null> {
  const folder = path.dirname(file);
  const name = path.basename(file);
  for (const { lock, read } of [...asLock(name), ...besides(name)]) {
    const found = await read(path.join(folder, lock)).catch(() => null);
    if (found !== null) return { ...found, lock };
  }
  return null;
}

type Read = (file: string) => Promise<Omit<EditorLock, 'lock'> | null>;
interface Candidate {
  readonly lock: string;
  readonly read: Read;
}

function asLock(name: string): readonly Candidate[] {
  if (/^\..+\.sw[a-p]$/.test(name)) return [{ lock: name, read: readVim }];
  if (/^\.#./.test(name)) return [{ lock: name, read: readEmacs }];
  return /^\.~lock\..+#$/.test(name) ? [{ lock: name, read: readLibreOffice }] : [];
}

function besides(name: string): readonly Candidate[] {
  const hidden = name.startsWith('.') ? name : `.${name}`;
  return [
    ...['swp', 'swo', 'swn'].map((end) => ({ lock: `${hidden}.${end}`, read: readVim })),
    { lock: `.#${name}`, read: readEmacs },
    { lock: `.~lock.${name}#`, read: readLibreOffice },
  ];
}

/** Block 0 of a swap file: `b0`, the version, and at fixed places the process, the user and the host. */
const readVim: Read = async (file) => {
  const block = (await readPart(file, 108, 0))?.bytes;
  if (block?.length !== 108 || block.toString('latin1', 0, 5) !== 'b0VIM') return null;
  const pid = pidOf(block.readUInt32LE(24));
  return pid === null ? null : { editor: 'vim', pid, host: textUntilNul(block.subarray(68)) };
};

/** A link to `user@host.pid`, with the boot time where it is known. */
const readEmacs: Read = async (file) => {
  if (!(await lstat(file)).isSymbolicLink()) return null;
  const [, host = '', digits = ''] =
    /^[^@]{1,100}@(.{1,255})\.(\d{1,10})(?::\d{1,20})?$/s.exec(await readlink(file)) ?? [];
  const pid = pidOf(Number(digits));
  return pid === null ? null : { editor: 'Emacs', pid, host };
};

/** Name, user, host, time and place of its settings, separated by commas. */
const readLibreOffice: Read = async (file) => {
  const read = await readOnce(file, 4_096);
  if (read.kind !== 'file') return null;
  const fields = read.bytes.toString('utf8').split(',');
  const [, , host = ''] = fields;
  return fields.length < 4 ? null : { editor: 'LibreOffice', pid: null, host: host.slice(0, 255) };
};

function pidOf(number: number): number | null {
  return Number.isSafeInteger(number) && number > 0 && number <= 0x7fffffff ? number : null;
}

function textUntilNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}
