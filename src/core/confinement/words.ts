import { untried } from '../../base/text/words';
import type { SandboxMeans } from '../../contracts/vocabulary/confinement';

/** The words of `confinementWords`, as a sentence. */
export function heldBack(means: SandboxMeans, network: boolean): string {
  return `A sandbox around the approved paths of its task holds it back (${means})${network ? '' : ', without a network'}.${untried(means)}`;
}

/** `reason`: one sentence. */
export function notHeldBack(reason: string): string {
  return `No sandbox around the approved paths of its task holds it back: ${reason}`;
}
