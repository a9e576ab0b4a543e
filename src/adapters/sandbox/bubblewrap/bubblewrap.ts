import path from 'node:path';
import { done, refused, type Outcome } from '../../../base/outcome';
import type { SandboxLine } from '../../../engine/ports/sandbox';
import { inside, type DiskFacts, type Mount } from '../facts/facts';
import { refusedHardLinks } from '../links/hardLinks';
import { aroundLayers, layerArguments } from '../layers/layers';
import { layOut } from './mounts';
import { filterDescriptor } from './systemCalls';

/** bubblewrap takes 9,000, and the worker's own command line is added. */
const mostArguments = 8_000;

/** The command line of bubblewrap, up to the worker's own. */
export function bubblewrapLine(facts: DiskFacts): Outcome<SandboxLine> {
  if (facts.hardLinks.kind === 'too_many') return refusedHardLinks(facts.hardLinks, facts.workspace);
  const { mounts, coarser, unheld, heldLinks, reach } = layOut(facts);
  const unseen = hiddenProgram(facts, mounts);
  if (unseen !== null) return hides(unseen);
  const layers = mounts.filter((mount) => mount.kind === 'layer');
  const root = facts.user.uid === 0;
  const around = aroundLayers(layers, { bwrap: facts.bwrap, means: facts.layerMeans, root });
  const argv = [
    facts.bwrap,
    ...baseArguments({ ...facts, root }),
    // In the bubblewrap around it this user is root.
    ...(root || around.length === 0 ? [] : ['--uid', `${facts.user.uid}`, '--gid', `${facts.user.gid}`]),
    ...(facts.filtered ? ['--seccomp', `${filterDescriptor}`] : []),
    ...mounts.flatMap((mount) => argumentsOf(mount, facts)),
    // Last, because bubblewrap makes the places of deeper mounts in these.
    ...mounts.flatMap((mount) => (isClosed(mount) ? ['--remount-ro', mount.at] : [])),
    ...facts.unset.flatMap((name) => ['--unsetenv', name]),
    ...Object.entries(facts.variables).flatMap(([name, value]) => ['--setenv', name, value]),
    '--',
  ];
  if (argv.length > mostArguments) {
    const reason = `A sandbox around these paths needs ${argv.length} arguments; bubblewrap takes ${mostArguments} at most.`;
    return refused('CONFINEMENT_UNAVAILABLE', reason, 'Approve folders instead of single files, or fewer paths.');
  }
  return done({
    ...{ means: 'bubblewrap', argv, coarser, unheld, heldLinks, hidden: hiddenIn(mounts, facts.workspace) },
    ...(facts.layers && { layers: { ...facts.layers, ...(around.length > 0 && { around }) } }),
    ...(facts.noTree !== null && { no_tree: facts.noTree }),
    ...(reach && { reach }),
  });
}

/** Leaves out places in the workspace, because no line of a plan opens one there. */
function hiddenIn(mounts: readonly Mount[], workspace: string): readonly string[] {
  return mounts.flatMap(({ at, kind }) =>
    (kind === 'empty' || kind === 'masked') && !inside(at, workspace) && !at.startsWith('/proc/') ? [at] : [],
  );
}

function hides(file: string): Outcome<SandboxLine> {
  const reason = `The sandbox hides ${file}, which the launch needs: move it out of that folder, or name another program.`;
  return refused('CONFINEMENT_UNAVAILABLE', reason, 'Move what is named, or name another program, then retry.');
}

function isClosed(mount: Mount): boolean {
  return mount.kind === 'closed' || (mount.kind === 'layer' && mount.access === 'read');
}

function argumentsOf(mount: Mount, { layerMeans }: DiskFacts): readonly string[] {
  switch (mount.kind) {
    case 'layer':
      return layerArguments(mount, layerMeans);
    case 'read':
      return ['--ro-bind', mount.from, mount.at];
    case 'held':
      return ['--ro-bind-try', mount.from, mount.at];
    case 'write':
    case 'private':
      return ['--bind', mount.from, mount.at];
    case 'empty':
    case 'closed':
      return ['--tmpfs', mount.at];
    case 'masked':
      return ['--ro-bind', '/dev/null', mount.at];
    case 'device':
      return ['--dev-bind', mount.at, mount.at];
    case 'dev':
      return ['--dev', mount.at];
    case 'proc':
      return ['--proc', mount.at];
    case 'link':
      return ['--symlink', mount.target, mount.at];
  }
}

/** Finds the first program of the launch that no mount shows. It lies in a secret or in a state folder. */
function hiddenProgram({ named, run }: DiskFacts, mounts: readonly Mount[]): string | null {
  const isShown = (at: string): boolean => {
    // Takes the last mount, because deeper mounts come later.
    const around = mounts.findLast((mount) => inside(at, mount.at));
    if (around?.kind === 'empty' || around?.kind === 'closed' || around?.kind === 'dev') return false;
    return around?.kind !== 'write' || around.from !== path.posix.join(run, 'work/tmp');
  };
  return named.find((one) => !isShown(one)) ?? null;
}

/** Returns the first arguments of every launch, which are also tried to see whether this machine can confine. */
export function baseArguments({ root, network, namespaces }: Begin): readonly string[] {
  return [
    '--die-with-parent',
    // Root gets no user namespace, because there it could not write files of other users.
    ...(root ? rootArguments(namespaces) : ['--unshare-user']),
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...(network ? [] : ['--unshare-net']),
  ];
}

export interface Begin {
  readonly root: boolean;
  readonly network: boolean;
  /** The worker makes user namespaces of its own. */
  readonly namespaces: boolean;
}

/**
 * Root keeps what it needs to write files of other users. Not DAC_READ_SEARCH, because it opens any file of a file
 * system by number, through any writable part of it. SETFCAP only for a worker that makes namespaces. In a namespace of
 * root's, a process can mount the machine's control groups anew and write them.
 */
const kept = ['CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_CHOWN', 'CAP_SETUID', 'CAP_SETGID'];

function rootArguments(namespaces: boolean): readonly string[] {
  const names = namespaces ? [...kept, 'CAP_SETFCAP'] : kept;
  return ['--cap-drop', 'ALL', ...names.flatMap((name) => ['--cap-add', name])];
}
