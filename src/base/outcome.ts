import { textAt } from './json';
import type { RefusalCode } from '../contracts/vocabulary/codes/codes';

/** A refusal is a value: what failed, and what can be done next. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly reason: string;
  readonly next: readonly string[];
}
export type Outcome<T, R = Refusal> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: R };

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

/** `reason` is one sentence; each of `next` is a step that a person can take. */
export function refused(
  code: RefusalCode,
  reason: string,
  ...next: string[]
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { code, reason, next } };
}

/** The system's code, such as `ENOENT`; null when the thrown value has none. */
export function errorCode(error: unknown): string | null {
  return textAt(error, 'code');
}

/** Returns whether the work succeeds, for questions to the system whose only answer is an error. */
export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** For `catch`: the value where the error has one of these codes. Another error is thrown on. */
export function valueOn<T>(value: T, ...codes: readonly string[]): (error: unknown) => T {
  return (error) => {
    if (codes.includes(errorCode(error) ?? '')) return value;
    throw error;
  };
}

/** An error as words within a sentence: its cause, and its file or host unless that is `knownPlace`. */
export function errorWords(error: unknown, knownPlace?: string): string {
  const message = error instanceof Error ? error.message : String(error);
  // The system names a fault that has no words here: `ENXIO: no such device or address, open '/dev/x'`.
  const fault = entryOf(systemFaults, error) ?? /^E[A-Z\d]+: ([^,]+), [a-z]+/.exec(message)?.[1];
  if (fault === undefined) return message.replace(/\.$/, '');
  const { path, hostname, address, port } = (error ?? {}) as { readonly [name in string]?: string | number };
  const place = path ?? hostname ?? [address, port].filter((part) => part !== undefined).join(':');
  return typeof place === 'string' && place !== '' && place !== knownPlace ? `${fault} (${place})` : fault;
}

/** Says what a person can do about an error. @param otherwise the help for errors such as EACCES that suggest none */
export function errorHelp(error: unknown, otherwise: string): string {
  return entryOf(systemHelp, error) ?? otherwise;
}

function entryOf(table: Readonly<Record<string, string>>, error: unknown): string | undefined {
  const code = errorCode(error) ?? '';
  return Object.hasOwn(table, code) ? table[code] : undefined;
}

const systemHelp = {
  EDQUOT: 'Free some space: your disk quota is used up.',
  ENOENT: 'Look whether its folder was removed or moved away.',
  ENOSPC: 'Free some space on the disk.',
  ENOTDIR: 'Move away the file that stands where a folder is needed.',
  EROFS: 'Use a folder on a file system that can be written, or mount this one so.',
};

const systemFaults = {
  E2BIG: 'its arguments and its environment are longer than the system passes on',
  EACCES: 'permission denied',
  EAGAIN: 'the system has no process or memory for it now',
  EBUSY: 'another program uses it',
  ECONNREFUSED: 'nothing answers there',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it exists already',
  EIO: 'the disk reported an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is no folder',
  ENOTEMPTY: 'the folder is not empty',
  ENOTFOUND: 'no host has this name',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
  ETXTBSY: 'it is being written',
};
