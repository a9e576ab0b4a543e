import type { Launch } from '../../model/attempt';
import { denialLines } from '../parts/recoverable';

/**
 * Says why an agent may not find a sign-in that is there outside: what its sandbox hides, and the hosts that it kept
 * back. Empty: no sandbox of ours held it.
 */
export function signInHint({ prepared, end }: Pick<Launch, 'prepared' | 'end'>): readonly string[] {
  const sandbox = prepared?.sandbox;
  if (!sandbox) return [];
  const { hidden = [] } = sandbox;
  const named = hidden.slice(0, mostNamed).join(', ');
  const more = hidden.length > mostNamed ? ` and ${hidden.length - mostNamed} more places` : '';
  const kept = (end?.denials ?? []).filter(({ source }) => source === 'network');
  return [
    `Its sandbox hides sockets and keyrings of this machine${named === '' ? '' : `, and what lies in ${named}${more}`}.`,
    'A sign-in that is kept there is not found inside. Its own file in the folder of the CLI, or a key that is passed, is.',
    `Try the CLI outside: if it is signed in there, keep the sign-in in that file, or give it a key with --cli-env ${prepared.worker}=VARIABLE.`,
    ...(kept.length === 0
      ? []
      : [
          ...denialLines({ denials: kept }),
          'If it signs in there, name the host on this machine (--cli-host, or the hosts in the settings of the CLI).',
        ]),
  ];
}

/** The launch line in the evidence has all of them. */
const mostNamed = 6;
