import type { SandboxMeans } from '../../contracts/vocabulary/confinement';

/** What programs say of a write that the sandbox did not let them make. Seatbelt's word means other things as well. */
const words: { readonly [M in SandboxMeans]: RegExp } = {
  bubblewrap: /\bEROFS\b|\bread-only file ?system\b/i,
  seatbelt: /\bEPERM\b|\boperation not permitted\b/i,
};

/** Whether a line of standard error tells of such a write, and of which file where it says so in a usual way. */
export function refusedWrite(line: string, means: SandboxMeans): { readonly path: string | null } | null {
  if (!words[means].test(line)) return null;
  // touch: cannot touch 'F': …, [Errno 30] …: 'F', EROFS: …, open 'F'; sh: cannot create F: …; open F: …
  const quoted = /['"‘]([^'"’]+)['"’]/.exec(line)?.[1];
  const bare = /\b(?:cannot create|open|mkdir|unlink|rename|create|remove|write) ([^\s:]+):/.exec(line)?.[1];
  return { path: quoted ?? bare ?? null };
}
