/** Further variables for temporary files, which nix-shell and pam set beside TMPDIR. */
export const otherTemporaryVariables = ['TMP', 'TEMP', 'TEMPDIR'] as const;

/** Returns whether names of sockets fit behind a folder: their whole path has 107 bytes at most, on macOS 103. */
export function isShort(folder: string): boolean {
  return folder.length <= mostBytes;
}

/** What tools append has some forty characters. */
const mostBytes = 50;
