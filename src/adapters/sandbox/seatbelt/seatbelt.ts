import { done, refused, type Outcome } from '../../../base/outcome';
import type { SandboxLine } from '../../../engine/ports/sandbox';
import type { PlaceFacts } from '../facts/facts';
import { refusedHardLinks } from '../links/hardLinkWords';
import { layOut } from '../bubblewrap/mounts';
import { seatbeltProfile } from './profile';

/** Facts for the command line of Seatbelt. It has no mounts, so every path is the same as outside. */
export interface SeatbeltFacts {
  /** The program sandbox-exec. */
  readonly program: string;
  /** Without folders to hide and without sockets, because only a named socket is reachable. */
  readonly places: PlaceFacts;
  readonly network: boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly unset: readonly string[];
}

/** macOS takes a mebibyte including the environment, and the worker's own command line is added. */
const mostCharacters = 500_000;

/**
 * The command line of sandbox-exec, up to the worker's own. NOT TRIED on macOS: tests cover the text, and the machine
 * itself tries it before the first launch (`seatbeltStanding`).
 */
export function seatbeltLine(facts: SeatbeltFacts): Outcome<SandboxLine> {
  const { program, places, network, variables, unset } = facts;
  if (places.hardLinks.kind === 'too_many') return refusedHardLinks(places.hardLinks, places.workspace);
  // Seals paths that do not exist yet as well, because nothing has to be mounted on them.
  const absent = places.absent.map(({ path }) => path);
  const { mounts, coarser, unheld, heldLinks, reach } = layOut({
    ...places,
    sealed: [...places.sealed, ...absent],
    absent: [],
  });
  const { text, parameters } = seatbeltProfile(mounts, { network, work: `${places.run}/work`, absent });
  const argv = [
    '/usr/bin/env',
    ...unset.flatMap((name) => ['-u', name]),
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    ...[program, '-p', text, ...parameters, '--'],
  ];
  const length = argv.join(' ').length;
  if (length > mostCharacters) {
    return refused(
      'CONFINEMENT_UNAVAILABLE',
      `A sandbox around these paths needs a command line of ${length} characters; macOS takes about ${mostCharacters} for it.`,
      'Approve folders instead of single files, or fewer paths.',
    );
  }
  return done({ means: 'seatbelt', argv, coarser, unheld, heldLinks, ...(reach && { reach }) });
}
