import { errorMessage, refused, type Outcome } from '../../base/outcome';
import type { SandboxBoundary, Sandboxes, SandboxLine, SandboxStanding } from '../../engine/ports/sandbox';
import { ownAlone } from '../../base/text/words';
import { bubblewrapLine } from './bubblewrap';
import { look } from './look';
import { seatbeltLine } from './seatbelt';
import { lookForSeatbelt } from './seatbeltLook';
import { seatbeltProgram, seatbeltStanding } from './seatbeltStanding';
import { findServices, refusedServices } from './services';
import { bubblewrapStanding } from './standing';

export interface SandboxOptions {
  /** The environment in which programs are searched and sockets are named, without folders that a worker can write. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  /** The program of Seatbelt; default: the system's. */
  readonly seatbelt?: string;
  /** Folders that no process in a sandbox may read. */
  readonly secret?: readonly string[];
  /** The person's home; default: this user's. */
  readonly home?: string;
  /** Returns the folder with the private caches of a workspace. */
  readonly caches?: (workspace: string) => string;
  /** Returns the files that run the relay of a launch: Node and our program. */
  readonly relay?: () => Promise<readonly string[]>;
  /** The launch runs as root; default: if this process does. */
  readonly root?: boolean;
}

type Standing = SandboxStanding & { readonly file?: string };

/** The sandbox of this system: bubblewrap on Linux, Seatbelt on macOS (not tried there); elsewhere none. */
export function createSandboxes(options: SandboxOptions): Sandboxes {
  let found: Promise<Standing> | null = null;
  const root = options.root ?? process.geteuid?.() === 0;
  const standing = async (): Promise<Standing> => {
    const asked = (found ??= ask(options, root));
    const answer = await asked;
    // Asks again next time, because a person may mend it meanwhile.
    if (answer.kind === 'unavailable' && found === asked) found = null;
    return answer;
  };
  return {
    standing,
    async line(boundary) {
      const now = await standing();
      if (now.kind === 'unavailable') return refused('CONFINEMENT_UNAVAILABLE', now.reason, now.next);
      if (boundary.namespaces === true && now.not_nested !== null)
        return refused('CONFINEMENT_UNAVAILABLE', now.not_nested, ownAlone);
      return build(boundary, now, options);
    },
  };
}

async function build(
  boundary: SandboxBoundary,
  { means, file = 'bwrap' }: Extract<Standing, { kind: 'available' }>,
  options: SandboxOptions,
): Promise<Outcome<SandboxLine>> {
  try {
    const opened = means === 'bubblewrap' ? await findServices(boundary, options.secret) : refusedServices(boundary);
    if (!opened.ok) return opened;
    switch (means) {
      case 'bubblewrap':
        return bubblewrapLine(
          await look(await withOwn(boundary, options), { ...options, bwrap: file, opened: opened.value }),
        );
      case 'seatbelt':
        return seatbeltLine(
          await lookForSeatbelt(boundary, { ...options, program: options.seatbelt ?? seatbeltProgram }),
        );
    }
  } catch (error) {
    return refused(
      'CONFINEMENT_UNAVAILABLE',
      `The sandbox of this launch cannot be put together: ${errorMessage(error)}.`,
      'Correct what is named, then retry.',
    );
  }
}

/** Adds our own Node, to which a `node` on PATH may lead, and the files of the relay. */
async function withOwn(boundary: SandboxBoundary, { relay }: SandboxOptions): Promise<SandboxBoundary> {
  const own = [...(boundary.own ?? []), process.execPath];
  if (boundary.relayed !== true) return { ...boundary, own };
  if (relay === undefined) throw new Error('nothing here can be its relay');
  return { ...boundary, own: [...own, ...(await relay())] };
}

function ask(
  { environment, seatbelt = seatbeltProgram, platform = process.platform }: SandboxOptions,
  root: boolean,
): Promise<Standing> {
  switch (platform) {
    case 'linux':
      return bubblewrapStanding(environment, root);
    case 'darwin':
      return seatbeltStanding(seatbelt);
    default:
      return Promise.resolve({
        kind: 'unavailable',
        reason: `There is no sandbox for workers on ${platform}.`,
        next: 'Use Linux, or WSL 2 on Windows.',
      });
  }
}
