/** Further variables for temporary files, which nix-shell and pam set beside TMPDIR. */
export const otherTemporaryVariables = ['TMP', 'TEMP', 'TEMPDIR'] as const;
