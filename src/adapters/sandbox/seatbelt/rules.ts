/**
 * Rules that every program needs to start at all. Written from public descriptions of the language and from other
 * profiles; NOT TRIED on macOS.
 */
export const everyLaunch: readonly string[] = [
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
export const launchWithNetwork: readonly string[] = [
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
