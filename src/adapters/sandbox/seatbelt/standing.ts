import { mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { errorWords } from '../../../base/outcome';
import type { SandboxStanding } from '../../../engine/ports/sandbox';
import { seatbeltLine, type SeatbeltFacts } from './seatbelt';
import { noHardLinks } from '../facts/facts';
import { saidBy, tryOut } from '../bubblewrap/tryOut';

/** Not searched on PATH, because another program of that name could come first. */
export const seatbeltProgram = '/usr/bin/sandbox-exec';

/**
 * Starts a small sandbox that has to write one file and must not write another. Then a profile that this macOS does not
 * understand or enforce is never used.
 */
export async function seatbeltStanding(program: string): Promise<SandboxStanding> {
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
