/** Returns what every launch begins with, and what shows whether this machine can. */
export function baseArguments({ root, network, namespaces }: Begin): readonly string[] {
  return [
    '--die-with-parent',
    // In a user namespace root could not write what another user owns.
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
 * What root keeps: to write as other users own it. Not DAC_READ_SEARCH: with it any file of a file system opens by its
 * number through whatever part of it is writable. SETFCAP only for a worker that makes namespaces: in one of root's
 * the control groups of the machine can be mounted anew, and written.
 */
const kept = ['CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_CHOWN', 'CAP_SETUID', 'CAP_SETGID'];

function rootArguments(namespaces: boolean): readonly string[] {
  const names = namespaces ? [...kept, 'CAP_SETFCAP'] : kept;
  return ['--cap-drop', 'ALL', ...names.flatMap((name) => ['--cap-add', name])];
}
