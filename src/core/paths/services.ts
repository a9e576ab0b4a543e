import { utf8 } from '../../base/sha256';
import { longestSocketPath, servicePorts } from '../../contracts/vocabulary/services';

/** What of the machine the commands of a plan reach in their sandbox, which hides everything else of these kinds. */
export interface Services {
  /** Ports on the loopback of the machine. */
  readonly ports: readonly number[];
  /** Unix sockets, absolute. */
  readonly sockets: readonly string[];
  /** Below /dev. */
  readonly devices: readonly string[];
}

/** `problem` completes the sentence "NAME PROBLEM.". */
export type ReadService =
  | { readonly kind: 'port'; readonly port: number }
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'problem'; readonly problem: string };

/** An entry of `execution.network`: `localhost:PORT` or `unix:/PATH`. */
export function readNetworkService(text: string): ReadService {
  const port = /^localhost:([1-9]\d{0,4})$/.exec(text)?.[1];
  if (port !== undefined) return portOf(Number(port));
  if (!text.startsWith('unix:'))
    return problem('is neither localhost:PORT nor unix:/PATH, which are all that a sandbox opens alone');
  const path = text.slice('unix:'.length);
  const written = pathProblem(path);
  if (written !== null) return problem(written);
  if (path.split('/').some((part) => part === '.mission-control' || /^mission-(?:network|port)-/.test(part)))
    return problem('is a socket of Mission Control itself, which no task reaches');
  if (utf8(path).length > longestSocketPath)
    return problem(`is longer than the ${longestSocketPath} bytes that a system takes for a socket`);
  return { kind: 'socket', path };
}

/** Says what is wrong with an entry of `execution.devices`; null: nothing. */
export function deviceProblem(text: string): string | null {
  const written = pathProblem(text);
  if (written !== null) return written;
  return /^\/dev\/./.test(text) ? null : 'lies outside /dev, where devices are';
}

/** Returns what the lists of a valid plan open; null: nothing. */
export function servicesOf(
  network: boolean | readonly string[] | undefined,
  devices: readonly string[] | undefined,
): Services | null {
  const read = (Array.isArray(network) ? [...new Set<string>(network)] : []).map(readNetworkService);
  const found = {
    ports: read.flatMap((one) => (one.kind === 'port' ? [one.port] : [])),
    sockets: read.flatMap((one) => (one.kind === 'socket' ? [one.path] : [])),
    devices: [...new Set(devices)],
  };
  return found.ports.length + found.sockets.length + found.devices.length > 0 ? found : null;
}

export function serviceNames({ ports, sockets, devices }: Services): readonly string[] {
  return [...ports.map((port) => `localhost:${port}`), ...sockets.map((path) => `unix:${path}`), ...devices];
}

/** The same for a person who approves, each with what it leads to. */
export function serviceLines(services: Services): readonly string[] {
  return [
    ...services.ports.map((port) => `localhost:${port}`),
    ...services.sockets.map((path) => `unix:${path}, ${socketWarning(path)}`),
    ...services.devices.map((path) => `${path}${deviceWarning(path)}`),
  ];
}

function socketWarning(path: string): string {
  if (/(?:docker|containerd|crio|podman|lxd|incus|libvirt|buildkitd)/i.test(path))
    return 'which is root on this machine: what it starts may write every file';
  if (/\/(?:bus|system_bus_socket)$/.test(path)) return 'which starts programs of this user outside the sandbox';
  if (/(?:ssh|agent|S\.gpg)/i.test(path)) return 'which signs in elsewhere with the keys of this user';
  return 'and what listens there works outside the sandbox';
}

function deviceWarning(path: string): string {
  if (/^\/dev\/(?:k?mem|port)$/.test(path)) return ', which is the memory of this machine, with all that it holds';
  if (typing.test(path)) return ', which is a terminal or a keyboard: what types there acts as this user';
  return disk.test(path) ? ', which is a disk: it holds every file of it, approved or not' : '';
}

/** Not those of serial lines, such as /dev/ttyUSB0. */
const typing = /^\/dev\/(?:tty\d*|pts\/.*|console|vcs.*|input\/.*|uinput|uhid|hidraw.*)$/;

const disk =
  /^\/dev\/(?:[hsv]d[a-z]|xvd|nvme\d|mmcblk|dm-|md\d|loop\d|zram|ram\d|sr\d|sg\d|nbd|disk\/|mapper\/|block\/)/;

function portOf(port: number): ReadService {
  const { min, max } = servicePorts;
  return port >= min && port <= max
    ? { kind: 'port', port }
    : problem(`is not a port from ${min} to ${max}, the ones that a sandbox opens alone`);
}

function pathProblem(path: string): string | null {
  if (!path.startsWith('/')) return 'is no absolute path; write the whole path';
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f*?\\\p{Cs}]/u.test(path))
    return 'holds a character that no such name has; name each exactly';
  if (/\/(?:\.{0,2})(?:\/|$)/.test(path)) return 'is not the plain path, without //, /./, /../ and a slash at the end';
  return null;
}

function problem(text: string): ReadService {
  return { kind: 'problem', problem: text };
}
