import { realpath, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { errorWords, refused, type Outcome } from '../../base/outcome';
import type { SandboxBoundary, Sandboxes, SandboxLine, SandboxStanding } from '../../engine/ports/sandbox';
import { ownAlone } from '../../base/text/words';
import { bubblewrapLine } from './bubblewrap/bubblewrap';
import { type LaunchUser, noHardLinks } from './facts/facts';
import { layerJudge } from './layers/layers';
import { look, whyNoTree, type Layering, type LookOptions } from './look';
import { seatbeltLine, type SeatbeltFacts } from './seatbelt/seatbelt';
import { lookForSeatbelt } from './seatbelt/look';
import { dropStrays } from './layers/landing';
import { findServices, refusedServices } from './places/services';
import { bubblewrapStanding, type FoundStanding } from './bubblewrap/bubblewrapCheck';
import { userStateFolder } from '../user/folder';
import os from 'node:os';
import path from 'node:path';
import { saidBy, tryOut } from './bubblewrap/tryOut';

export interface SandboxOptions extends Pick<LookOptions, 'environment' | 'secret' | 'home' | 'caches'> {
  readonly platform?: NodeJS.Platform;
  /** The program of Seatbelt; default: the system's. */
  readonly seatbelt?: string;
  /** Returns the state folders of this user's workspaces, of which a launch sees none. Absent: they are not covered. */
  readonly states?: () => Promise<readonly string[]>;
  /** A folder of this user in which layers are tried. Absent: launches have none. */
  readonly state?: string;
  /** Returns the files that run the relay of a launch: Node and our program. */
  readonly relay?: () => Promise<readonly string[]>;
  /** The user that launches run as; default: the user of this process. */
  readonly user?: LaunchUser;
}

/** The sandbox of this system: bubblewrap on Linux, Seatbelt on macOS (not tried there); elsewhere none. */
export function createSandboxes(options: SandboxOptions): Sandboxes {
  let found: Promise<FoundStanding> | null = null;
  const user = options.user ?? thisUser();
  let layering: Layering | null = null;
  const standing = async (): Promise<FoundStanding> => {
    const asked = (found ??= ask(options, user.uid === 0));
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
      layering ??= layeringOf(now, options, user.uid === 0);
      return build(boundary, now, { ...options, user, layering });
    },
  };
}

/** The standing of this machine for a workspace, with layers in this user's state folder. */
export async function sandboxHere(
  environment: SandboxOptions['environment'],
  workspace: string | null,
): Promise<SandboxStanding> {
  const state = userStateFolder();
  const user = thisUser();
  const options = { environment, ...(state.ok && { state: state.value }) };
  const standing = await ask(options, user.uid === 0);
  if (standing.kind === 'unavailable' || workspace === null || standing.means !== 'bubblewrap') return standing;
  const layering = layeringOf(standing, options, user.uid === 0);
  const no_tree =
    layering.means === null
      ? layering.why
      : await realpath(workspace)
          .then((real) =>
            whyNoTree({ workspace: real, open: [], user, state: state.ok ? state.value : '' }, layering.whyNot),
          )
          .catch(errorWords);
  return { ...standing, no_tree };
}

function thisUser(): LaunchUser {
  return { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
}

async function build(
  boundary: SandboxBoundary,
  { means, file = 'bwrap' }: Extract<FoundStanding, { kind: 'available' }>,
  options: SandboxOptions & Pick<LookOptions, 'user' | 'layering'>,
): Promise<Outcome<SandboxLine>> {
  try {
    const opened = means === 'bubblewrap' ? await findServices(boundary, options.secret) : refusedServices(boundary);
    if (!opened.ok) return opened;
    const hidden = boundary.work ? await dropStrays(boundary.work) : null;
    if (hidden !== null)
      return refused(
        'WORK_HIDES',
        `The worker removed the folder around ${hidden} and made it anew, which hides it from the checks. So nothing was started.`,
        'Let the task keep it, or approve the folder.',
      );
    switch (means) {
      case 'bubblewrap':
        return bubblewrapLine(
          await look(await withOwn(boundary, options), {
            ...options,
            ...{ bwrap: file, opened: opened.value, states: (await options.states?.()) ?? [] },
          }),
        );
      case 'seatbelt':
        return seatbeltLine(
          await lookForSeatbelt(boundary, { ...options, program: options.seatbelt ?? seatbeltProgram }),
        );
    }
  } catch (error) {
    const reason = `The sandbox of this launch cannot be put together: ${errorWords(error)}.`;
    return refused('CONFINEMENT_UNAVAILABLE', reason, 'Correct what is named, then retry.');
  }
}

function layeringOf(
  standing: Extract<FoundStanding, { kind: 'available' }>,
  { environment, state }: SandboxOptions,
  root: boolean,
): Layering {
  const { file, layering, no_layers } = standing;
  if (file === undefined || layering === undefined || state === undefined) return { means: null, why: no_layers ?? '' };
  return { means: layering, whyNot: layerJudge({ bwrap: file, root, environment, folder: state }, layering) };
}

/** Adds our own Node, to which a `node` on PATH may lead, and the files of the relay. */
async function withOwn(boundary: SandboxBoundary, { relay }: SandboxOptions): Promise<SandboxBoundary> {
  const own = [...(boundary.own ?? []), process.execPath];
  if (boundary.relayed !== true) return { ...boundary, own };
  if (relay === undefined) throw new Error('nothing here can be its relay');
  return { ...boundary, own: [...own, ...(await relay())] };
}

function ask(
  { environment, seatbelt = seatbeltProgram, platform = process.platform, state }: SandboxOptions,
  root: boolean,
): Promise<FoundStanding> {
  switch (platform) {
    case 'linux':
      return bubblewrapStanding(environment, root, state);
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

/** Not searched on PATH, because another program of that name could come first. */
const seatbeltProgram = '/usr/bin/sandbox-exec';

/**
 * Starts a small sandbox that has to write one file and must not write another. Then a profile that this macOS does not
 * understand or enforce is never used.
 */
async function seatbeltStanding(program: string): Promise<SandboxStanding> {
  if (!(await stat(program).catch(() => null))?.isFile()) {
    return unavailable(`There is no ${program}, so no sandbox can be built.`, program);
  }
  let place: string | null = null;
  try {
    place = await realpath(await mkdtemp(path.join(os.tmpdir(), 'mission-seatbelt-')));
    const [inner, outer] = [path.posix.join(place, 'run/work/inner'), path.posix.join(place, 'outer')];
    await mkdir(path.dirname(inner), { recursive: true });
    const line = seatbeltLine(smallest(program, place));
    if (!line.ok) return unavailable(line.refusal.reason, program);
    const script = 'echo x > "$1" && ! (echo x > "$2") 2>/dev/null';
    const [file, ...args] = [...line.value.argv, '/bin/sh', '-c', script, 'sh', inner, outer];
    const tried = await tryOut(file, args);
    const made = await readdir(place);
    if (made.includes('outer'))
      return unavailable('A small sandbox of Seatbelt let a file be written that it must not let.', program);
    if (tried.code === 0 && (await stat(inner).catch(() => null)) !== null)
      return { kind: 'available', means: 'seatbelt', version: `of Darwin ${os.release()}`, not_nested, no_layers };
    return unavailable(`Seatbelt cannot build a sandbox here: ${saidBy(tried)}.`, program);
  } catch (error) {
    return unavailable(`Seatbelt could not be tried: ${errorWords(error)}.`, program);
  } finally {
    if (place !== null) await rm(place, { recursive: true, force: true }).catch(() => undefined); // recognised by its name
  }
}

const no_layers = 'macOS mounts none';
const not_nested = 'No sandbox can be built inside one of Seatbelt.';

function unavailable(reason: string, program: string): SandboxStanding {
  return {
    kind: 'unavailable',
    reason,
    next: `Try it by hand: \`${program} -p "(version 1)(allow default)" /usr/bin/true\`.`,
  };
}

function smallest(program: string, place: string): SeatbeltFacts {
  return {
    program,
    network: false,
    variables: {},
    unset: [],
    places: {
      ...{ tmp: null, emptied: [], visible: [], links: [], sockets: [], kernel: [] },
      ...{ writable: [], sealed: [], absent: [], granted: [], home: [], notes: [], hardLinks: noHardLinks },
      workspace: place,
      run: path.posix.join(place, 'run'),
    },
  };
}
