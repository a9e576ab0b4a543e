import { withoutColours } from '../../../base/text/marked/colours';
import { mendHardLinks } from '../../../base/text/hardLinks';
import type { HeldBack, LaunchEnd, PreparedSandbox } from '../../model/facts';
import type { Attempt } from '../../model/attempt';
import { within } from '../../paths/compare';
import { says } from './ownError';

/** What a failed command may have met in its sandbox. What a program prints proves nothing, so all of it is a hint. */
export interface Met {
  readonly words: string;
  /** What its block offers. Absent: nothing follows. */
  readonly held_back?: HeldBack;
  /** The right that a revision would open, as `Missed` names it. Absent: none. */
  readonly missed?: string | null;
}

/** @param tail the end of its whole output */
export function metBy(
  { launches }: Pick<Attempt, 'launches'>,
  run_dir: string,
  { own_error = [], stderr_tail }: Pick<LaunchEnd, 'stderr_tail' | 'own_error'>,
  tail = '',
): readonly Met[] {
  const prepared = launches.find((launch) => launch.run_dir === run_dir)?.prepared;
  if (!prepared?.sandbox) return [];
  const { sandbox, argv } = prepared;
  const lines = withoutColours([...own_error, stderr_tail, tail].join('\n')).split('\n');
  const refused = lines.filter((line) => says(line, refusal));
  const named = (paths: readonly string[] = []): string | undefined =>
    paths
      .toSorted((one, other) => other.length - one.length)
      .find((path) => refused.some((line) => line.includes(path)));
  const [link, kept] = [named(sandbox.held), named(sandbox.reach?.read_only)];
  const met =
    link !== undefined
      ? [
          {
            words: `It may have met ${link}, which its sandbox keeps read-only, because it is a hard link to a file outside. ${mendHardLinks(link)}`,
            held_back: 'link' as const,
          },
        ]
      : kept !== undefined
        ? [
            {
              words: `It may have met ${kept}, which its sandbox keeps read-only. What lies beside an approved file stays as it is, and so does what is forbidden or belongs to another task. Approve the folder in place of the file, where it has to write there.`,
              held_back: 'write' as const,
            },
          ]
        : rows.filter(({ sign, when }) => lines.some((line) => says(line, sign) && when(sandbox, line)));
  return [
    ...met.map((one) => withPort(one, lines)),
    ...hiddenIn([...lines.filter((line) => says(line, /^/)), ...argv].join('\n'), sandbox),
  ];
}

/** No language translates the name and the number of an error. Of sentences only the system's English one counts. */
function signOf(name: string, number: number, sentence: string): RegExp {
  return new RegExp(`\\b${name}\\b|\\[Errno ${number}\\]|\\(os error ${number}\\)|${sentence}`, 'i');
}

const refusal = /\b(?:EBUSY|EROFS|EPERM)\b|resource busy|read-only file ?system|operation not permitted/i;
const readOnly = signOf('EROFS', 30, 'read-only file ?system');
const notPermitted = signOf('EPERM', 1, 'operation not permitted');
const crossDevice = signOf('EXDEV', 18, 'invalid cross-device link');
const noNetwork =
  /\bE(?:NETUNREACH|AI_AGAIN|NOTFOUND)\b|network is unreachable|could not resolve host|name resolution/i;
const refusedConnection =
  /\bE(?:CONNREFUSED|ADDRNOTAVAIL)\b|\b(?:errno[ =:]*|os error )(?:111|99)\b|connection refused|cannot assign requested address|\bcurl: \(7\)/i;

interface Row extends Met {
  readonly sign: RegExp;
  readonly when: (sandbox: PreparedSandbox, line: string) => boolean;
}

const edge: Met = {
  words:
    'It may have met the edge of its sandbox, which refuses writes outside the approved paths, and keeps an approved folder itself. Let it write below $TMPDIR or ~/.cache, which are its own, and empty a folder instead of removing it. What it has to write in the workspace belongs to the paths of its task, or to execution.scratch where git ignores it.',
  held_back: 'write',
};

const noService: Row = {
  sign: refusedConnection,
  when: ({ means, network }) => means === 'bubblewrap' && !network,
  words:
    'It may have missed a service on localhost of this machine, because its sandbox has a loopback of its own. "execution.network": ["localhost:PORT"], with its port, in the plan opens it.',
};

const rows: readonly Row[] = [
  { sign: readOnly, when: ({ means, layers }) => means === 'bubblewrap' && layers?.tree === undefined, ...edge },
  {
    sign: readOnly,
    // A layer takes every other write in the workspace, so this is what is left.
    when: ({ layers }) => layers?.tree !== undefined,
    words:
      'It may have met a place that its sandbox keeps read-only: .git, plans and evidence in the workspace, or a place outside of it. Let it write below $TMPDIR or ~/.cache, which are its own. Commit its work yourself when the mission has ended.',
    held_back: 'sealed',
  },
  { sign: notPermitted, when: ({ means }) => means === 'seatbelt', ...edge },
  {
    sign: notPermitted,
    // The launch of root drops the capability without which no process maps the users of a new namespace.
    when: ({ means, argv }) => means === 'bubblewrap' && argv.includes('--cap-drop') && !argv.includes('CAP_SETFCAP'),
    words:
      'It may have made a sandbox or a namespace of its own (EPERM), which no command of root can in its sandbox. Let it do without, such as a browser with --no-sandbox, because it is held already; or run Mission Control as another user.',
  },
  {
    sign: signOf('EOVERFLOW', 75, 'value too large for defined data type'),
    when: ({ layers }) => layers?.tree !== undefined,
    words:
      'It may have written what has another owner or group than you, which the layer over the workspace cannot keep (EOVERFLOW). Give it your own owner and group with chown and chgrp.',
  },
  {
    sign: crossDevice,
    when: (sandbox, line) => movedIn(sandbox, line) === 'apart',
    words:
      'It may have moved something by a rename between places that lie apart in its sandbox (EXDEV), such as $TMPDIR and the workspace. Let it make the temporary file beside its target, or copy and remove.',
    held_back: 'apart',
  },
  {
    sign: crossDevice,
    when: (sandbox, line) => movedIn(sandbox, line) === 'unapproved',
    words:
      'It may have moved something out of its approved paths by a rename, which fails in its sandbox (EXDEV). Name in its paths what it has to write, and let it copy and remove.',
    held_back: 'write',
  },
  ...[true, false].flatMap((isLayered): readonly Row[] => {
    const when = (sandbox: PreparedSandbox, line: string): boolean =>
      sandbox.means === 'bubblewrap' &&
      (sandbox.layers?.tree !== undefined) === isLayered &&
      !isAllLayered(sandbox) &&
      movedIn(sandbox, line) === null;
    const around = (what: string): string =>
      isLayered
        ? '"execution.layers": "all" in the plan makes it no mount.'
        : `approve the folder around ${what}, where that is not the whole workspace.`;
    const held_back = isLayered ? 'mount' : 'folder';
    return [
      {
        held_back,
        sign: signOf('EBUSY', 16, 'resource busy'),
        when,
        words: `It may have removed or replaced an approved folder itself, which its sandbox keeps (EBUSY), because each is a mount. Let it empty the folder, or ${around('it')}`,
      },
      {
        held_back,
        sign: crossDevice,
        when,
        words: `It may have moved something out of an approved folder by a rename, which fails in its sandbox (EXDEV), because each approved folder is a mount. Let it copy and remove, or ${around('both')}`,
      },
    ];
  }),
  {
    sign: noNetwork,
    when: ({ network }) => !network,
    words: 'It may have missed a network, which its sandbox has only with execution.network in the plan.',
    missed: null,
  },
  noService,
];

/** Returns whether the plan has layers over its folders already, so that no approved folder is a mount. */
function isAllLayered({ layers }: PreparedSandbox): boolean {
  return (layers?.tree?.waits ?? layers?.tree?.below) !== undefined;
}

/** Reads the two paths of a failed rename; null: nothing but the mounts of approved folders lies between them. */
function movedIn(sandbox: PreparedSandbox, line: string): 'apart' | 'unapproved' | null {
  const { layers, reach } = sandbox;
  if (!layers?.tree || !says(line, crossDevice)) return null;
  const root = layers.tree.at;
  const paths = line.split(/[\s'"`,;:()<>[\]]+/).filter((word) => word.includes('/'));
  const inside = paths.slice(-2).map((path) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path));
  if (inside.some((path) => path.startsWith('/')) || isAllLayered(sandbox)) return 'apart';
  return reach && inside.some((path) => !within(path, reach.writable)) ? 'unapproved' : null;
}

/** The port of a service that did not answer; unchanged where no line names one. */
function withPort(met: Met, lines: readonly string[]): Met {
  if (met !== noService) return met;
  const [port] = lines.flatMap((line) => (says(line, refusedConnection) ? portsIn(line) : []));
  return port === undefined ? met : { ...met, missed: `localhost:${port}` };
}

function portsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:localhost|127\.0\.0\.1|::1)\D{1,40}?([1-9]\d{3,4})\b/g)].map(([, port = '']) => port);
}

export function namesRight(argv: readonly string[], entry: string): boolean {
  const text = argv
    .join('\n')
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll('/var/run/', '/run/');
  if (entry.startsWith('localhost:')) return portsIn(text).includes(entry.slice('localhost:'.length));
  const [, ...after] = ` ${text}`.split(entry.replace(/^unix:/, ''));
  return after.some((rest) => !/^[\w.-]/.test(rest));
}

/** Finds the first place that is named and hidden. Its own command line may name a socket as well. */
function hiddenIn(text: string, { means, hidden = [], layers }: PreparedSandbox): readonly Met[] {
  if (means !== 'bubblewrap') return [];
  const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
  for (const [written] of text.matchAll(/(?<![\w.-])\/[^\s'"`,;:()<>[\]]{1,200}/g)) {
    // `/var/run` leads to `/run` everywhere.
    const path = written
      .replace(/\.+$/, '')
      .replace(/^\/{2,}/, '/')
      .replace(/^\/var\/run\//, '/run/');
    const isDevice = path.startsWith('/dev/') && !ownDevices.test(path);
    // No socket of a layer answers.
    const isClosed = typeof layers?.home === 'string' && isIn(path, layers.home) && /\.sock(?:et)?$/.test(path);
    if (!isDevice && !isClosed && !hidden.some((one) => isIn(path, one))) continue;
    const opens = isDevice
      ? `"execution.devices": ["${path}"] in the plan opens it.`
      : `If that is a socket, "execution.network": ["unix:${path}"] in the plan opens it.`;
    const isSocket = path.startsWith('/run/') || /\.sock(?:et)?$/.test(path);
    const missed = isDevice ? path : isSocket ? `unix:${path}` : undefined;
    return [
      {
        words: `It may have missed ${path}, which its sandbox hides. ${opens}`,
        ...(missed !== undefined && { missed }),
      },
    ];
  }
  return [];
}

/** What bubblewrap puts into each /dev, our own way out, and what bash calls a connection. */
const ownDevices =
  /^\/dev\/(?:null|zero|full|random|urandom|tty|console|ptmx|core|fd|std(?:in|out|err)|shm|pts|mqueue|tcp|udp|mission-[\w-]+)(?:\/|$)/;
