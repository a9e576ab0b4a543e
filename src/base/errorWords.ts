/** What an error says to a person, as words within a sentence: faults of the system without their codes and calls, with the path they name. */
export function errorWords(error: unknown, told?: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const { code, path } = (error ?? {}) as { readonly code?: unknown; readonly path?: unknown };
  const words = typeof code === 'string' ? systemFaults[code] : undefined;
  if (words === undefined) return message.replace(/\.$/, '');
  return typeof path === 'string' && path !== told ? `${words} (${path})` : words;
}

const systemFaults: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'somebody else uses it',
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
