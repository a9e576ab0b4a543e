/** Returns the first arguments of every launch, which are also tried to see whether this machine can confine. */
export function baseArguments({ root, network, namespaces }: Begin): readonly string[] {
  return [
    '--die-with-parent',
    // Root gets no user namespace, because there it could not write files of other users.
    ...(root ? rootArguments(namespaces) : ['--unshare-user']),
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...(network ? [] : ['--unshare-net']),
  ];
}

export interface Begin {
  readonly root: boolean;
  readonly network: boolean;
  /** The worker makes user namespaces of its own. */
  readonly namespaces: boolean;
}

/**
 * Root keeps what it needs to write files of other users. Not DAC_READ_SEARCH, because it opens any file of a file
 * system by number, through any writable part of it. SETFCAP only for a worker that makes namespaces. In a namespace of
 * root's, a process can mount the machine's control groups anew and write them.
 */
const kept = ['CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_CHOWN', 'CAP_SETUID', 'CAP_SETGID'];

function rootArguments(namespaces: boolean): readonly string[] {
  const names = namespaces ? [...kept, 'CAP_SETFCAP'] : kept;
  return ['--cap-drop', 'ALL', ...names.flatMap((name) => ['--cap-add', name])];
}
