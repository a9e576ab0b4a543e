import { untried } from '../../base/text/words';
import type { SandboxMeans } from '../../contracts/vocabulary/confinement';

/** The words of `confinementWords`, as a sentence. */
export function heldBack(means: SandboxMeans, network: boolean): string {
  return `A sandbox around the approved paths of its task holds it back (${means})${network ? '' : ', without a network'}.${untried(means)}`;
}

/** `reason`: one sentence. `own`: the CLI has a sandbox of its own around the approved folders. */
export function notHeldBack(reason: string, own: boolean): string {
  return own
    ? `It is the only sandbox around it: ${reason}`
    : `No sandbox around the approved paths of its task holds it back: ${reason}`;
}
