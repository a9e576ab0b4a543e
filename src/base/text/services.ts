/** Why Seatbelt, which has no mounts of its own, starts no command of a plan with services. */
export const seatbeltOpensNone = 'the sandbox of macOS opens no single port, socket or device';
/** What a person can do instead. */
export const openedOtherwise =
  'Write "execution.network": true in the plan, or run without a sandbox, then approve it again.';
