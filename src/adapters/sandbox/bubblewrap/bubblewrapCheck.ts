import { succeeds } from '../../../base/outcome';
import { readFile, stat } from 'node:fs/promises';
import type { SandboxStanding } from '../../../engine/ports/sandbox';
import { findExecutable } from '../../processes/commandLine';
import { baseArguments } from './bubblewrap';
import type { LayerMeans, Environment } from '../facts/facts';
import { findLayerMeans } from '../layers/layers';
import { saidBy, tryOut, type Tried } from './tryOut';

export type FoundStanding = SandboxStanding & { readonly file?: string; readonly layering?: LayerMeans };

/**
 * Finds bubblewrap and starts a small sandbox with it, and one with a layer.
 *
 * @param folder where layers will lie; undefined: launches get no layers
 */
export async function bubblewrapStanding(
  environment: Environment,
  root: boolean,
  folder: string | undefined,
): Promise<FoundStanding> {
  const file = await findExecutable('bwrap', environment);
  if (file === null) return { kind: 'unavailable', ...whyNot(null, await machineFacts(root)) };
  const tried = await tryOut(file, [
    ...baseArguments({ root, network: false, namespaces: false }),
    ...[...small, '--tmpfs', '/run'],
    ...['--', file, '--version'],
  ]);
  const version = /^bubblewrap (\d[\w.-]*)\s*$/.exec(tried.stdout)?.[1];
  if (tried.code === 0 && version !== undefined) {
    const found =
      folder === undefined
        ? { why: 'there is no folder for them' }
        : await findLayerMeans({ bwrap: file, root, environment, folder });
    return {
      ...({ kind: 'available', means: 'bubblewrap', version, file } as const),
      not_nested: await whyNotNested(file, root),
      no_layers: 'why' in found ? found.why : null,
      ...(!('why' in found) && { layering: found }),
    };
  }
  return { kind: 'unavailable', ...whyNot({ file, ...tried }, await machineFacts(root)) };
}

async function whyNotNested(file: string, root: boolean): Promise<string | null> {
  const around = [...baseArguments({ root, network: true, namespaces: true }), ...small, '--'];
  // Tries the arguments with which a CLI starts its own sandbox where it may not mount /proc.
  const places = ['--ro-bind', '/', '/', '--dev', '/dev'];
  const inner = ['--unshare-user', '--unshare-pid', '--unshare-net', ...places, '--', file, '--version'];
  const tried = await tryOut(file, [...around, file, ...inner]);
  return tried.code === 0 ? null : `A sandbox inside it cannot be built here: ${saidBy(tried)}.`;
}

const small = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

async function machineFacts(root: boolean): Promise<MachineFacts> {
  const text = (file: string): Promise<string> =>
    readFile(file, 'utf8').then(
      (read) => read.trim(),
      () => '',
    );
  const there = (file: string): Promise<boolean> => succeeds(stat(file));
  return {
    root,
    osRelease: await text('/etc/os-release'),
    kernel: await text('/proc/sys/kernel/osrelease'),
    container: (await there('/.dockerenv')) || (await there('/run/.containerenv')),
    usersForbidden: (await text('/proc/sys/kernel/unprivileged_userns_clone')) === '0',
    noUserNamespaces: (await text('/proc/sys/user/max_user_namespaces')) === '0',
    apparmor: (await text('/proc/sys/kernel/apparmor_restrict_unprivileged_userns')) === '1',
  };
}

/** Facts that explain why a sandbox does not start. */
export interface MachineFacts {
  readonly root: boolean;
  /** Text of /etc/os-release. */
  readonly osRelease: string;
  readonly kernel: string;
  /** The process runs in a container that can make no namespaces. */
  readonly container: boolean;
  /** Debian's and Arch's own switch for user namespaces of unprivileged users is off. */
  readonly usersForbidden: boolean;
  readonly noUserNamespaces: boolean;
  /** Ubuntu from 23.10 on: user namespaces only for programs with a profile. */
  readonly apparmor: boolean;
}

/** How bubblewrap ended; null without bubblewrap. */
type Failure = ({ readonly file: string } & Pick<Tried, 'stderr' | 'code'>) | null;

/** Says why in words, with the one command that mends it. */
export function whyNot(failure: Failure, machine: MachineFacts): { readonly reason: string; readonly next: string } {
  if (/Microsoft/.test(machine.kernel) && !/WSL2/i.test(machine.kernel)) {
    return {
      reason: 'WSL 1 has no namespaces, so no sandbox can be built.',
      next: 'Convert the distribution in PowerShell: `wsl --set-version <distribution> 2`.',
    };
  }
  if (failure === null) {
    return {
      reason: 'bubblewrap (the program bwrap) is not on PATH outside the workspace, so no sandbox can be built.',
      next: `Install it: \`${installCommand(machine.osRelease)}\`.`,
    };
  }
  if (machine.container) {
    return {
      reason: `This container forbids the namespaces a sandbox is made of: ${saidBy(failure)}.`,
      next: 'Start the container with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined`, and with `--cap-add SYS_ADMIN` where it runs as root.',
    };
  }
  if (!machine.root && machine.noUserNamespaces) {
    return {
      reason: 'This system allows no user namespaces (user.max_user_namespaces is 0), so no sandbox can be built.',
      next: 'Allow them: `sudo sysctl -w user.max_user_namespaces=15000`.',
    };
  }
  if (!machine.root && machine.usersForbidden) {
    return {
      reason:
        'This system forbids user namespaces to unprivileged users (kernel.unprivileged_userns_clone is 0), so no sandbox can be built.',
      next: 'Allow them: `sudo sysctl -w kernel.unprivileged_userns_clone=1`.',
    };
  }
  if (!machine.root && machine.apparmor) {
    return {
      reason: 'AppArmor keeps bubblewrap from making user namespaces, so no sandbox can be built.',
      next: `Give it a profile: \`${profileCommand(failure.file)}\`.`,
    };
  }
  return {
    reason: `bubblewrap (${failure.file}) cannot build a sandbox here: ${saidBy(failure)}.`,
    next: `Try it by hand: \`${failure.file} --ro-bind / / --unshare-user --unshare-pid true\`.`,
  };
}

function installCommand(osRelease: string): string {
  const known = /^ID(?:_LIKE)?=(.*)$/gm;
  const names = [...osRelease.matchAll(known)].flatMap(([, value = '']) => value.replaceAll('"', '').split(' '));
  const found = installers.find(({ systems }) => systems.some((name) => names.includes(name)));
  return found?.command ?? 'sudo apt-get install bubblewrap';
}

const installers = [
  { systems: ['debian', 'ubuntu'], command: 'sudo apt-get install bubblewrap' },
  { systems: ['fedora', 'rhel', 'centos'], command: 'sudo dnf install bubblewrap' },
  { systems: ['arch'], command: 'sudo pacman -S bubblewrap' },
  { systems: ['suse', 'opensuse'], command: 'sudo zypper install bubblewrap' },
  { systems: ['alpine'], command: 'sudo apk add bubblewrap' },
  { systems: ['nixos'], command: 'nix-env -iA nixos.bubblewrap' },
];

function profileCommand(file: string): string {
  const profile = `abi <abi/4.0>, include <tunables/global> profile bwrap ${file} flags=(unconfined) { userns, }`;
  return `echo '${profile}' | sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap`;
}
