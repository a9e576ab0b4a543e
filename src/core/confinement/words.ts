import { untried } from '../../base/text/words';
import type { SandboxMeans } from '../../contracts/vocabulary/confinement';
import { readingWords, secretsSeen } from '../paths/reading';
import { serviceNames, type Services } from '../paths/services';

export interface HeldCommand {
  readonly means: SandboxMeans;
  readonly network: boolean;
  readonly services: Services | undefined;
  /** Why its sandbox has no layers; null: it has. */
  readonly noLayers: string | null;
}

/** Says what confines a command of the plan. `readsShown`: another line says what it may read. */
export function heldBack({ means, network, services, noLayers }: HeldCommand, readsShown = false): string {
  const reached = services ? ` It reaches ${serviceNames(services).join(', ')} of this machine.` : '';
  const reads =
    means === 'bubblewrap' && !readsShown
      ? ` It ${readingWords(secretsSeen('command', { network, ...(services && { services }) }))}.`
      : '';
  return `A sandbox around the approved paths of its task holds it back (${means})${network ? '' : ', without a network'}.${reached}${reads} ${layerWords(noLayers)}${untried(means)}`;
}

/** Says what becomes of what a command writes into caches of tools. `noLayers`: why no layer is used; null: layers are. */
function layerWords(noLayers: string | null): string {
  return noLayers === null
    ? 'It writes into layers above the caches of tools in HOME; new files there are kept for commands of its mission, and no check sees them.'
    : `Caches of tools begin empty, because no layer can be mounted here: ${noLayers}.`;
}

/** Says what becomes of what a launch writes outside its paths. `why`: why no layer takes it; absent: not looked at. */
export function straysWords(why: string | null | undefined): string {
  if (why === undefined) return '';
  return why === null
    ? ' What it writes elsewhere in the workspace goes into a layer: it is listed and not kept.'
    : ` What it writes elsewhere in the workspace is refused, and no layer takes it: ${why}.`;
}

/** `reason`: one sentence. `own`: the CLI has a sandbox of its own around the approved folders. */
export function notHeldBack(reason: string, own: boolean): string {
  return own
    ? `It is the only sandbox around it: ${reason}`
    : `No sandbox around the approved paths of its task holds it back: ${reason}`;
}

/** Says what an agent reaches, as a sentence with a blank in front. `hosts` null: nothing can hold its network here. */
export function providerNetwork(hosts: readonly string[] | null): string {
  return hosts === null
    ? ' Its network is open: nothing here holds it to the hosts of its provider.'
    : ` Its network: only hosts of its provider (${hosts.map((host) => host.replace(/:443$/, '')).join(', ')}).`;
}

/** Says what of the approved paths cannot be written because it is a file elsewhere as well; with a blank in front. */
export function readOnlyLinks(heldLinks: readonly string[]): string {
  if (heldLinks.length === 0) return '';
  const more = heldLinks.length - namedLinks;
  const names = heldLinks.slice(0, namedLinks).join(', ');
  return ` Read-only in it, because of hard links to files outside: ${names}${more > 0 ? ` and ${more} more` : ''}.`;
}

const namedLinks = 5;

/** Says what a read-only launch may write, as a sentence with a blank in front. */
export function onlyReads(isConfined: boolean): string {
  return isConfined
    ? ' Its task only reads: the approved paths cannot be written either.'
    : ' Its task only reads: what it changes of the approved paths fails it, too.';
}
