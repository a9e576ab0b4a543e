import { done, refused, type Outcome } from '../../../base/outcome';
import type { SandboxLine } from '../../../engine/ports/sandbox';
import { inside, type PlaceFacts, type Mount } from '../facts/facts';
import { refusedHardLinks } from '../links/hardLinks';
import { layOut } from '../bubblewrap/mounts';

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
    const reason = `A sandbox around these paths needs a command line of ${length} characters; macOS takes about ${mostCharacters} for it.`;
    return refused('CONFINEMENT_UNAVAILABLE', reason, 'Approve folders instead of single files, or fewer paths.');
  }
  return done({ means: 'seatbelt', argv, coarser, unheld, heldLinks, ...(reach && { reach }) });
}

interface ProfileOptions {
  readonly network: boolean;
  /** The folder of the run that its worker may write; it wins over every other rule. */
  readonly work: string;
  /** Sealed paths that are not there yet. */
  readonly absent: readonly string[];
}

/**
 * Everything that no rule allows is forbidden. The later of two rules for one path counts, so places come in the order
 * of mounts: a folder before its content, and `work` last.
 */
function seatbeltProfile(mounts: readonly Mount[], options: ProfileOptions) {
  /** One argument each. The text names paths by these alone, so no path can break it. */
  const parameters: string[] = [];
  const placed = mounts.filter(({ at, kind }) => at !== '/' && ['read', 'write', 'held', 'private'].includes(kind));
  const own = placed.filter(({ at }) => inside(at, options.work));
  const parameterFor = (at: string): string => {
    const name = `P${parameters.length}`;
    parameters.push(`-D${name}=${at}`);
    return `(param "${name}")`;
  };
  const rules = ({ at, kind }: Mount): readonly string[] =>
    rulesOf(kind === 'write' || kind === 'private', parameterFor(at));
  const lines = [
    ...everyLaunch,
    ...(options.network ? launchWithNetwork : []),
    ...placed.filter((mount) => !own.includes(mount)).flatMap(rules),
    ...sealedNames(placed.filter(({ kind }) => kind === 'write').map(({ at }) => at)),
    ...fixedAbove(placed).map((at) => `(deny file-write-unlink (literal ${parameterFor(at)}))`),
    ...options.absent.map((at) => sealedPattern(`^${inEveryCase(at)}`)),
    ...own.flatMap(rules),
    ...ownSockets,
  ];
  return { text: `${lines.join('\n')}\n`, parameters: [...parameters, `-DWORK=${options.work}`] };
}

/**
 * Forbids renaming or removing the place itself, because the rules of its content would not follow. Forbids links,
 * because a read-only file could be written under another name.
 */
function rulesOf(writable: boolean, name: string): readonly string[] {
  return [
    `(${writable ? 'allow' : 'deny'} file-write* file-link (subpath ${name}))`,
    `(deny file-write-unlink (literal ${name}))`,
  ];
}

/** Fixes the folders around protected places, because rules do not follow a renamed folder, as a mount does. */
function fixedAbove(placed: readonly Mount[]): readonly string[] {
  const known = new Set(placed.map(({ at }) => at));
  const fixed = new Set<string>();
  for (const { at } of placed.filter(({ kind }) => kind === 'held')) {
    for (let above = dirname(at); above !== '/' && !known.has(above); above = dirname(above)) fixed.add(above);
  }
  return [...fixed];
}

function dirname(at: string): string {
  return at.slice(0, at.lastIndexOf('/')) || '/';
}

/** Seals other repositories and states at every depth, including later ones. */
function sealedNames(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    ['.git', '.mission-control'].map((name) => sealedPattern(`^${inEveryCase(folder)}/(.*/)?${inEveryCase(name)}`)),
  );
}

function sealedPattern(pattern: string): string {
  return `(deny file-write* file-link (regex #"${pattern}(/|$)"))`;
}

/**
 * A pattern for every spelling of case, because a Mac ignores case. Only letters, digits, `/`, `-`, `_` and `.` stay as
 * they are, so nothing in the path ends the text. Any other character becomes one that matches all that a name may
 * hold.
 */
function inEveryCase(path: string): string {
  return path
    .replace(/[^A-Za-z0-9/_.-]+/g, '*')
    .replace(/[A-Za-z]/g, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)
    .replaceAll('.', '[.]')
    .replaceAll('*', '[^/]*');
}

/** Sockets that the launch makes for itself; who listens on such paths elsewhere is unknown. */
const ownSockets = [
  '(allow system-socket (socket-domain AF_UNIX))',
  '(allow network-bind network-inbound (local unix-socket (subpath (param "WORK"))))',
  '(allow network-outbound (remote unix-socket (subpath (param "WORK"))))',
];

/**
 * Rules that every program needs to start at all. Written from public descriptions of the language and from other
 * profiles; NOT TRIED on macOS.
 */
const everyLaunch: readonly string[] = [
  '(version 1)',
  '(deny default)',
  '(allow process-exec process-fork)',
  // Allows signals within its own tree only, so it can end and inspect nothing outside.
  '(allow signal process-info* mach-priv-task-port (target same-sandbox))',
  '(allow file-read*)',
  '(allow user-preference-read)',
  '(allow ipc-posix-sem ipc-posix-shm)',
  // Names and versions of the machine; does not show arguments and environments of other processes.
  `(allow sysctl-read ${listed('sysctl-name-prefix', ['hw.', 'machdep.cpu.', 'net.routetable.', 'kern.proc.pid.'])})`,
  `(allow sysctl-read ${listed('sysctl-name', [
    ...['kern.argmax', 'kern.boottime', 'kern.hostname', 'kern.iossupportversion', 'kern.maxfiles'],
    ...['kern.maxfilesperproc', 'kern.maxproc', 'kern.ngroups', 'kern.osproductversion', 'kern.osrelease'],
    ...['kern.ostype', 'kern.osvariant_status', 'kern.osversion', 'kern.secure_kernel', 'kern.usrstack64'],
    ...['kern.version', 'sysctl.proc_cputype', 'vm.loadavg'],
  ])})`,
  // Users and groups, the log, notifications, temporary folders. None of these starts a program or writes a file on
  // request, as LaunchServices and launchd would.
  `(allow mach-lookup ${listed('global-name', [
    ...['com.apple.system.opendirectoryd.libinfo', 'com.apple.system.opendirectoryd.membership'],
    ...['com.apple.logd', 'com.apple.system.logger', 'com.apple.system.notification_center'],
    ...['com.apple.bsd.dirhelper', 'com.apple.PowerManagement.control'],
  ])})`,
  '(allow iokit-open (iokit-registry-entry-class "RootDomainUserClient"))',
  '(allow iokit-get-properties)',
  `(allow file-write-data file-ioctl ${listed('literal', ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper'])})`,
  '(allow file-write-data (literal "/dev/stdout") (literal "/dev/stderr") (regex #"^/dev/fd/[0-9]+$"))',
  // Allows terminals that it opens itself, because writing into a person's terminal would be typing there.
  '(allow pseudo-tty)',
  '(allow file-write* file-ioctl (literal "/dev/ptmx"))',
  '(allow file-write* file-ioctl (require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty")))',
];

/** Allows the network, names, certificates and the keychain with a CLI's sign-in. */
const launchWithNetwork: readonly string[] = [
  '(allow network-outbound (remote tcp) (remote udp) (literal "/private/var/run/mDNSResponder"))',
  '(allow network-bind network-inbound (local tcp) (local udp))',
  '(allow system-socket (socket-domain AF_ROUTE))',
  '(allow system-socket (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))',
  `(allow mach-lookup ${listed('global-name', [
    ...['com.apple.SystemConfiguration.DNSConfiguration', 'com.apple.SystemConfiguration.configd'],
    ...['com.apple.networkd', 'com.apple.dnssd.service', 'com.apple.trustd', 'com.apple.trustd.agent'],
    ...['com.apple.ocspd', 'com.apple.SecurityServer', 'com.apple.securityd.xpc'],
  ])})`,
];

function listed(filter: string, names: readonly string[]): string {
  return names.map((name) => `(${filter} "${name}")`).join(' ');
}
