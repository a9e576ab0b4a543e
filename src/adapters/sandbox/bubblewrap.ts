import { done, refused, type Outcome } from '../../base/outcome';
import type { SandboxLine } from '../../engine/ports/sandbox';
import { baseArguments } from './baseArguments';
import type { DiskFacts, Mount } from './facts';
import { layOut } from './mounts';

/** bubblewrap takes 9,000, and the worker's own command line comes on top. */
const mostArguments = 8_000;

/** The command line of bubblewrap up to where that of the worker begins. */
export function bubblewrapLine(facts: DiskFacts): Outcome<SandboxLine> {
  const { mounts, coarser, unheld } = layOut(facts);
  const argv = [
    facts.bwrap,
    ...baseArguments(facts),
    ...mounts.flatMap(argumentsOf),
    ...facts.unset.flatMap((name) => ['--unsetenv', name]),
    '--',
  ];
  if (argv.length > mostArguments) {
    return refused(
      'CONFINEMENT_UNAVAILABLE',
      `A sandbox around these paths needs ${argv.length} arguments; bubblewrap takes ${mostArguments} at most.`,
      'Approve folders instead of single files, or fewer paths.',
    );
  }
  return done({ means: 'bubblewrap', argv, coarser, unheld });
}

function argumentsOf(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case 'read':
      return ['--ro-bind', mount.from, mount.at];
    case 'write':
      return ['--bind', mount.from, mount.at];
    case 'empty':
      return ['--tmpfs', mount.at];
    case 'masked':
      return ['--ro-bind', '/dev/null', mount.at];
    case 'dev':
      return ['--dev', mount.at];
    case 'proc':
      return ['--proc', mount.at];
    case 'link':
      return ['--symlink', mount.target, mount.at];
  }
}
