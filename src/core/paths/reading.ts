import { privatePlaces, type PrivatePlace, type SecretsSeen } from '../../contracts/vocabulary/files/privatePlaces';
import type { Services } from './services';

/**
 * Says which secrets of the person a launch in the sandbox sees. A command sees all of them if its plan opens the whole
 * network or a socket. Git, package managers and Docker sign in there by them. Else it sees none, because it could use
 * none. An agent chooses its commands itself, so it sees only what its provider may take.
 */
export function secretsSeen(
  by: 'agent' | 'command',
  { network, services }: { readonly network?: boolean; readonly services?: Services | undefined },
): SecretsSeen {
  if (by === 'agent') return 'provider';
  return network === true || (services?.sockets.length ?? 0) > 0 ? 'all' : 'none';
}

/** Says what such a launch may read, as the end of a sentence after its subject. */
export function readingWords(seen: SecretsSeen): string {
  const all = 'may read all that this user may read';
  const hidden = `${all}, apart from known places of secrets such as ${named('secrets')}, and closed files that hold a key`;
  switch (seen) {
    case 'all':
      return all;
    case 'provider':
      return `${hidden}; those of providers stay, such as ${named('provider')}`;
    case 'none':
      return hidden;
  }
}

function named(kind: PrivatePlace['kind']): string {
  const places = privatePlaces.filter((one) => one.kind === kind).map(({ below }) => `~/${below}`);
  return places.slice(0, 2).join(' and ');
}
