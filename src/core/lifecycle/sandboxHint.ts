import { says } from '../../base/quotedError';
import { refusedWrite } from '../../base/refusedWrite';
import { withoutColours } from '../../base/text/colours';
import { mendHardLinks } from '../../base/text/hardLinks';
import { servicePorts } from '../../contracts/vocabulary/services';
import type { PreparedSandbox, LaunchEnd } from '../model/facts';
import type { Attempt } from '../model/attempt';
import { hiddenIn, isReadOnlyIn } from './sandboxMounts';

/** What a failed command may have met in its sandbox. What a program prints proves nothing, so all of it is a hint. */
export type Met =
  | RefusedPlace
  /** A hard link to a file outside, which its sandbox keeps read-only. */
  | { readonly what: 'link'; readonly path: string }
  /** An approved folder itself, which is a mount. */
  | { readonly what: 'folder'; readonly path: string }
  /** A rename from one mount to another. */
  | { readonly what: 'rename' }
  | { readonly what: 'socket' | 'device'; readonly path: string; readonly in_workspace: boolean }
  | { readonly what: 'port'; readonly port: number | null }
  | { readonly what: 'keyring' }
  | { readonly what: 'network' };

export interface RefusedPlace {
  readonly what: 'write';
  /** Relative to the workspace, absolute, or where it ran as the program named it; null: no line names it whole. */
  readonly path: string | null;
  readonly place: 'workspace' | 'outside' | 'where_it_ran';
  /** Its own error on standard error names the path, and the mounts keep that read-only. */
  readonly certain: boolean;
}

/** What is known of the output of a command that failed. */
type Printed = Pick<LaunchEnd, 'stderr_tail' | 'own_error'>;

/** @param tail the end of its whole output */
export function metBy(
  { launches }: Pick<Attempt, 'launches'>,
  run_dir: string,
  end: Printed,
  tail = '',
): readonly Met[] {
  const prepared = launches.find((launch) => launch.run_dir === run_dir)?.prepared;
  const sandbox = prepared?.sandbox;
  if (!sandbox) return [];
  const lines = linesOf([...(end.own_error ?? []), end.stderr_tail, tail]);
  const link = linkIn(lines, sandbox.held ?? []);
  const service = serviceIn(lines, prepared.argv, sandbox);
  if (link) return [...service, link];
  const mount = mountIn(lines, sandbox);
  if (mount) return [mount, ...service];
  const write = writeIn(lines, linesOf([end.stderr_tail]), sandbox);
  // What it wrote in the workspace is known without its words.
  if (write && (!isLayered(sandbox) || write.place === 'outside')) return [write, ...service];
  const network = !sandbox.network && lines.some((line) => says(line, noNetwork));
  return [...(network ? [{ what: 'network' as const }] : []), ...service];
}

/** Says it to the person who decides. `unpassed`: variables that are set here and were not passed. */
export function metWords(met: Met, unpassed: readonly string[] = []): string {
  switch (met.what) {
    case 'write':
      return `It ${met.certain ? 'met' : 'may have met'} the edge of its sandbox: ${wayOut(met, unpassed)}`;
    case 'link':
      return `It may have met ${met.path}, which its sandbox keeps read-only, because it is a hard link to a file outside. ${mendHardLinks(met.path)}`;
    case 'folder':
      return `It may have removed or replaced ${met.path} itself, which its sandbox keeps, because an approved folder is a mount. Let it empty the folder, for instance by \`rm -rf ${met.path}/*\`, or approve the folder around it.`;
    case 'rename':
      return 'It may have moved something out of an approved folder by a rename, which fails in its sandbox (EXDEV), because each approved folder is a mount. Let it copy and remove, or approve the folder around both.';
    case 'socket':
    case 'device': {
      const entry =
        met.what === 'socket' ? `"execution.network": ["unix:${met.path}"]` : `"execution.devices": ["${met.path}"]`;
      return `It may have missed the ${met.what} ${met.path}, which its sandbox hides. ${met.in_workspace ? 'No line of the plan opens one in the workspace: let the service listen elsewhere.' : `${entry} in the plan opens it.`}`;
    }
    case 'port': {
      const { port } = met;
      const name = port === null ? 'a service on localhost' : `localhost:${port}`;
      const opens =
        port === null ? '["localhost:PORT"], with its port,' : port < servicePorts.min ? 'true' : `["${name}"]`;
      return `It may have missed ${name} of this machine, because its sandbox has a loopback of its own. "execution.network": ${opens} in the plan opens it.`;
    }
    case 'keyring':
      return 'It may have missed the keyring of the desktop, because its sandbox hides the session bus. Pass the secret by a variable, which execution.env of the plan names: the bus itself would open the whole desktop.';
    case 'network':
      return 'It may have missed a network, which its sandbox has only with execution.network in the plan.';
  }
}

/** Finds the write that certainly was held back. */
export function heldBack(met: readonly Met[]): string | null {
  return (
    met.map((one) => (one.what === 'write' && one.certain ? one.path : null)).find((path) => path !== null) ?? null
  );
}

/**
 * The file that an agent was denied, as its own stream says, and that its sandbox keeps read-only. Relative to the
 * workspace if it lies below it. Null: its stream names no such file. Whether its work failed by that, it does not say.
 */
export function heldBackOf(
  { launches }: Pick<Attempt, 'launches'>,
  run_dir: string,
  { denials }: Pick<LaunchEnd, 'denials'>,
): string | null {
  const sandbox = launches.find((launch) => launch.run_dir === run_dir)?.prepared?.sandbox;
  if (sandbox?.means !== 'bubblewrap') return null;
  for (const { path, reason, source } of denials) {
    const refused = source === 'event' ? refusedWrite(reason, sandbox.means) : null;
    const place = refused && (path ?? refused.path);
    const shown = place ? heldIn(place, sandbox.argv) : null;
    if (shown !== null && (!isLayered(sandbox) || shown.startsWith('/'))) return shown;
  }
  return null;
}

function isLayered({ layers }: Pick<PreparedSandbox, 'layers'>): boolean {
  return layers?.tree !== undefined;
}

type Mounts = Pick<PreparedSandbox, 'means' | 'argv'>;

function linesOf(texts: readonly string[]): readonly string[] {
  return withoutColours(texts.join('\n'))
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

/** Certain is what stands on standard error, because a program prints to standard output what it has read, too. */
function writeIn(all: readonly string[], stderr: readonly string[], { means, argv }: Mounts): RefusedPlace | null {
  const named = (lines: readonly string[]): readonly string[] =>
    lines.flatMap((line) => refusedWrite(line, means)?.path ?? []);
  const held = means === 'bubblewrap' ? named(stderr).find((path) => heldIn(path, argv) !== null) : undefined;
  // Node says of folders that it makes with those around them that they are not found.
  const unmade =
    means === 'bubblewrap'
      ? all.flatMap((line) => unmadeFolder.exec(line)?.[1] ?? []).find((path) => heldIn(path, argv) !== null)
      : undefined;
  const path = held ?? named(all)[0];
  if (path !== undefined) return placeOf(path, argv, held !== undefined);
  if (all.some((line) => refusedWrite(line, means)))
    return { what: 'write', path: null, place: 'where_it_ran', certain: false };
  return unmade === undefined ? null : placeOf(unmade, argv, false);
}

const unmadeFolder = /\bENOENT: no such file or directory, mkdir '([^'\n]+)'/;

/** A relative path is no path of the plan, because a program may have changed its folder. */
function placeOf(path: string, argv: readonly string[], certain: boolean): RefusedPlace {
  const workspace = workspaceOf(argv);
  const below = workspace === null || !path.startsWith('/') ? null : under(workspace, resolved(path));
  const found = { what: 'write', certain } as const;
  if (below !== null) return { ...found, path: below, place: 'workspace' };
  return { ...found, path, place: /^[/~]/.test(path) ? 'outside' : 'where_it_ran' };
}

/**
 * The place of a path that the mounts keep read-only. A relative one counts where it lies in the
 * workspace, seen from its top: a program that changed its folder may mean another one there.
 */
function heldIn(path: string, argv: readonly string[]): string | null {
  const workspace = workspaceOf(argv);
  if (workspace === null) return null;
  const absolute = resolved(path.startsWith('/') ? path : `${workspace}/${path}`);
  const below = under(workspace, absolute);
  return (below !== null || path.startsWith('/')) && isReadOnlyIn(argv, absolute) ? (below ?? absolute) : null;
}

function under(folder: string, absolute: string): string | null {
  return absolute.startsWith(`${folder}/`) ? absolute.slice(folder.length + 1) : null;
}

/** The same place without `.` and `..`. */
function resolved(absolute: string): string {
  const parts: string[] = [];
  for (const part of absolute.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Says which step helps, by where the file lies, because no path of a plan leads out of the workspace. */
function wayOut({ path, place }: RefusedPlace, unpassed: readonly string[]): string {
  const elsewhere =
    'Let it write below $TMPDIR or ~/.cache instead, which are its own, for instance by `env NAME=/tmp/x COMMAND`.';
  const scratch = 'or, where git ignores it, to execution.scratch';
  if (path === null)
    return `writes outside the approved paths are refused there. Add what it has to write in the workspace to them, ${scratch} of the plan. ${elsewhere}`;
  const homes = unpassed.filter((name) => name.endsWith('_HOME'));
  // `variableHint` says how a person passes them.
  const missed = `It may look there because ${homes.join(' and ')} ${homes.length === 1 ? 'is' : 'are'} set here and not passed to it.`;
  switch (place) {
    case 'where_it_ran':
      return `it may not write ${path}, named from the folder where it ran.`;
    case 'workspace':
      return `it may not write ${path}.`;
    case 'outside':
      return `it may not write ${path}, which no path of a plan and no grant can open to a command. ${homes.length > 0 ? missed : elsewhere}`;
  }
}

/** Finds the workspace in a sandbox's command line: the run directory of the launch lies in it. */
function workspaceOf(argv: readonly string[]): string | null {
  const run = argv.map((one) => /^(?:-DWORK=)?(\/.*)\/\.mission-control\/missions\/[^/]+\/runs\//.exec(one)?.[1]);
  return run.find((one) => one !== undefined) ?? null;
}

function linkIn(lines: readonly string[], held: readonly string[]): Met | null {
  const refused = lines.filter((line) => says(line, refusedLink));
  const path = held.find((one) => refused.some((line) => line.includes(one)));
  return path === undefined ? null : { what: 'link', path };
}

const refusedLink = /\b(?:EBUSY|EROFS|EPERM)\b|resource busy|read-only file ?system|operation not permitted/i;

/** Finds what only a mount refuses: to remove or replace it, and a rename across it. The folder is named as the plan does. */
function mountIn(
  lines: readonly string[],
  { means, argv, reach }: Mounts & Pick<PreparedSandbox, 'reach'>,
): Met | null {
  if (means !== 'bubblewrap') return null;
  const workspace = workspaceOf(argv) ?? '';
  const kept = lines.filter((line) => says(line, keptMount));
  const path = reach?.writable.find((one) =>
    [one, `${workspace}/${one}`].some((name) =>
      kept.some((line) => new RegExp(`['"\`‘ ]${escaped(name)}/?['"\`’:]`).test(line)),
    ),
  );
  if (path !== undefined) return { what: 'folder', path };
  return lines.some((line) => says(line, otherMount)) ? { what: 'rename' } : null;
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Names and numbers of the errors, and the system's English sentences. */
const keptMount = /\bEBUSY\b|\[Errno 16\]|\(os error 16\)|resource busy/i;
const otherMount = /\bEXDEV\b|\[Errno 18\]|\(os error 18\)|invalid cross-device link/i;

const noNetwork =
  /\bE(?:NETUNREACH|AI_AGAIN|NOTFOUND)\b|network is unreachable|could not resolve host|name resolution/i;

/** Finds the part of the machine that it may have missed. Its own command line may name a socket as well. */
function serviceIn(
  lines: readonly string[],
  workerArgv: readonly string[],
  { means, argv, network }: Pick<PreparedSandbox, 'means' | 'argv' | 'network'>,
): readonly Met[] {
  // Only of bubblewrap does the command line say what is hidden.
  if (means !== 'bubblewrap') return [];
  const place = hiddenService([...lines.filter((line) => says(line, /^/)), ...workerArgv].join('\n'), argv);
  if (place) return [place];
  if (lines.some((line) => says(line, keyring)) && argv.includes('DBUS_SESSION_BUS_ADDRESS'))
    return [{ what: 'keyring' }];
  if (network || !lines.some((line) => says(line, refusedConnection))) return [];
  return [{ what: 'port', port: loopbackPortIn(lines.join('\n')) }];
}

/** The first socket or device that is named and hidden. */
function hiddenService(text: string, argv: readonly string[]): Met | null {
  const workspace = workspaceOf(argv);
  for (const [, scheme, written = ''] of text.matchAll(/(\bunix:(?:path=)?(?:\/\/)?)?(\/[^\s'"`,;:()<>[\]]+)/g)) {
    // `/var/run` leads to `/run` everywhere.
    const path = written
      .slice(0, longest)
      .replace(/\.+$/, '')
      .replace(/^\/{2,}/, '/')
      .replace(/^\/var\/run\//, '/run/');
    const hidden = hiddenIn(argv, path);
    if (hidden === null || ownDevices.test(path)) continue;
    const in_workspace = workspace !== null && under(workspace, path) !== null;
    if (path.startsWith('/dev/')) return { what: 'device', path, in_workspace };
    if (hidden === 'covered' || scheme !== undefined || socketNames.test(path))
      return { what: 'socket', path, in_workspace };
  }
  return null;
}

const longest = 200;

/** What bubblewrap puts into each /dev, our own way out, and what bash calls a connection. */
const ownDevices =
  /^\/dev\/(?:null|zero|full|random|urandom|tty|console|ptmx|core|fd|std(?:in|out|err)|shm|pts|mqueue|tcp|udp|mission-[\w-]+)(?:\/|$)/;

/** What services call theirs: Docker, MySQL, PostgreSQL, GnuPG, the session bus, OpenSSH. */
const socketNames = /\.sock(?:et)?$|\/\.s\.PGSQL\.\d+$|\/S\.[\w.-]+$|\/bus$|\/agent\.\d+$/;

/** Names of the bus, of its errors and of libraries, which no language translates. */
const keyring =
  /\borg\.freedesktop\.(?:secrets|Secret|DBus\.Error)\b|\bDBUS_SESSION_BUS_ADDRESS\b|\bNoKeyringError\b|\blibsecret\b/i;

/** Numbers and names of the error, curl's own number, and the system's English sentence. */
const refusedConnection =
  /\b(?:ECONNREFUSED|EADDRNOTAVAIL|(?:errno[ =:]*|os error )(?:111|99)|connection refused|cannot assign requested address)\b|\bcurl: \(7\)/i;

/** The port on loopback that is named; a sandbox without a network has no other address that refuses. */
function loopbackPortIn(said: string): number | null {
  const named =
    /\b(?:localhost|127(?:\.\d{1,3}){3})\b(?:[^\n\d]{0,20}?(?::| port )|\/)(\d{2,5})\b|\[?::1\]?(?::| port )(\d{2,5})\b/i;
  const [, ofFour, ofSix] = named.exec(said) ?? [];
  const port = Number(ofFour ?? ofSix);
  return port > 0 && port <= servicePorts.max ? port : null;
}
