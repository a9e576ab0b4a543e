/**
 * An error as words within a sentence for a person. System errors lose their code and call and keep their path, unless
 * it is `knownPath`, which the sentence names already.
 */
export function errorWords(error: unknown, knownPath?: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const { code, path } = (error ?? {}) as { readonly code?: unknown; readonly path?: unknown };
  const fault = typeof code === 'string' ? systemFaults[code] : undefined;
  if (fault === undefined) return message.replace(/\.$/, '');
  return typeof path === 'string' && path !== knownPath ? `${fault} (${path})` : fault;
}

/** Says what a person can do about an error. @param otherwise the help for errors such as EACCES that suggest none */
export function errorHelp(error: unknown, otherwise: string): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && Object.hasOwn(systemHelp, code)
    ? systemHelp[code as keyof typeof systemHelp]
    : otherwise;
}

const systemHelp = {
  EDQUOT: 'Free some space: your disk quota is used up.',
  ENOENT: 'Look whether its folder was removed or moved away.',
  ENOSPC: 'Free some space on the disk.',
  ENOTDIR: 'Move away the file that stands where a folder is needed.',
  EROFS: 'Use a folder on a file system that can be written, or mount this one so.',
} as const;

const systemFaults: Readonly<Record<string, string>> = {
  E2BIG: 'its arguments and its environment are longer than the system passes on',
  EACCES: 'permission denied',
  EBUSY: 'another program uses it',
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
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
};
