import { servicePorts } from '../../contracts/vocabulary/services';
import type { SandboxFacts } from '../evidence/facts';
import type { Attempt } from '../model/attempt';
import { printedBy, type Printed } from './printed';
import { workspaceOf } from './sandboxHint';
import { hiddenIn } from './sandboxMounts';

/**
 * Returns what of the machine a command may have missed in its sandbox, as a detail of its block.
 * The detail also names the line of the plan that opens it, if there is one. Empty: nothing points
 * there. What it printed points there, and its own words, which may name a socket.
 */
export function serviceHint(
  { launches }: Pick<Attempt, 'launches'>,
  run_dir: string,
  end: Printed,
  tail = '',
): readonly string[] {
  const prepared = launches.find((launch) => launch.run_dir === run_dir)?.prepared;
  const said = printedBy(end, tail).join('\n');
  const missed = prepared?.sandbox ? missedIn(said, prepared.argv, prepared.sandbox) : null;
  return missed === null ? [] : [missed];
}

function missedIn(
  said: string,
  workerArgv: readonly string[],
  { means, argv, network }: Pick<SandboxFacts, 'means' | 'argv' | 'network'>,
): string | null {
  // Only of bubblewrap does the command line say what is hidden.
  if (means !== 'bubblewrap') return null;
  const place = hiddenService(`${said}\n${workerArgv.join('\n')}`, argv);
  if (place !== null)
    return `It may have missed ${place.name}, which its sandbox hides. ${opens(place.entry, workspaceOf(argv))}`;
  if (keyring.test(said) && argv.includes('DBUS_SESSION_BUS_ADDRESS'))
    return `It may have missed the keyring of the desktop, because its sandbox hides the session bus. ${secretInstead}`;
  if (network || !refusedConnection.test(said)) return null;
  const port = loopbackPortIn(said);
  const name = port === null ? 'a service on localhost' : `localhost:${port}`;
  const line = port === null ? '["localhost:PORT"], with its port,' : port < servicePorts.min ? 'true' : `["${name}"]`;
  return `It may have missed ${name} of this machine, because its sandbox has a loopback of its own. "execution.network": ${line} in the plan opens it.`;
}

const secretInstead =
  'Pass the secret by a variable, which execution.env of the plan names: the bus itself would open the whole desktop.';

interface HiddenService {
  readonly name: string;
  readonly entry: readonly [field: 'network' | 'devices', value: string, path: string];
}

function opens([field, value, path]: HiddenService['entry'], workspace: string | null): string {
  if (workspace !== null && path.startsWith(`${workspace}/`))
    return 'No line of the plan opens one in the workspace: let the service listen elsewhere.';
  return `"execution.${field}": [${JSON.stringify(value)}] in the plan opens it.`;
}

/** The first socket or device that is named and hidden. */
function hiddenService(text: string, argv: readonly string[]): HiddenService | null {
  for (const [, scheme, written = ''] of text.matchAll(/(\bunix:(?:path=)?(?:\/\/)?)?(\/[^\s'"`,;:()<>[\]]+)/g)) {
    // `/var/run` leads to `/run` everywhere.
    const at = written
      .slice(0, longest)
      .replace(/\.+$/, '')
      .replace(/^\/{2,}/, '/')
      .replace(/^\/var\/run\//, '/run/');
    const hidden = hiddenIn(argv, at);
    if (hidden === null || ownDevices.test(at)) continue;
    if (at.startsWith('/dev/')) return { name: `the device ${at}`, entry: ['devices', at, at] };
    if (hidden === 'covered' || scheme !== undefined || socketNames.test(at))
      return { name: `the socket ${at}`, entry: ['network', `unix:${at}`, at] };
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

/** The number of the error, its name, curl's own number, and the system's sentence in languages of the C library. */
const refusedConnection = new RegExp(
  [
    ...['\\bECONNREFUSED\\b', '\\bEADDRNOTAVAIL\\b', '\\berrno[ =:]*(?:111|99)\\b', '\\bos error (?:111|99)\\b'],
    ...['\\bcurl: \\(7\\)', '\\bconnection refused\\b', '\\bcannot assign requested address\\b'],
    ...['Verbindungsaufbau abgelehnt', 'Connexion refus[ée]e', 'Conexi[óo]n rehusada', 'Connessione rifiutata'],
    ...[
      'Conex[ãa]o recusada',
      'Połączenie odrzucone',
      'В соединении отказано',
      '接続を拒否',
      '연결이 거부',
      '拒绝连接',
      '连接被拒绝',
    ],
  ].join('|'),
  'iu',
);

/** The port on loopback that is named; a sandbox without a network has no other address that refuses. */
function loopbackPortIn(said: string): number | null {
  const named =
    /\b(?:localhost|127(?:\.\d{1,3}){3})\b(?:[^\n\d]{0,20}?(?::| port )|\/)(\d{2,5})\b|\[?::1\]?(?::| port )(\d{2,5})\b/i;
  const [, ofFour, ofSix] = named.exec(said) ?? [];
  const port = Number(ofFour ?? ofSix);
  return port > 0 && port <= servicePorts.max ? port : null;
}
