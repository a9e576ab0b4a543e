import assert from 'node:assert/strict';
import { signInHint } from '../../../../src/core/lifecycle/judge/judgeRecovery';
import type { Launch } from '../../../../src/core/model/attempt';
import { end } from '../../../scenarios/world';

type Denials = NonNullable<Launch['end']>['denials'];

/** An agent in bubblewrap, whose sandbox hides these places. */
function launch(hidden: readonly string[] | null, denials: Denials = []): Pick<Launch, 'prepared' | 'end'> {
  const sandbox = {
    means: 'bubblewrap',
    argv: ['bwrap', '--'],
    hidden,
    coarser: [],
    network: true,
    folders: [],
  };
  const prepared = { worker: 'claude', ...(hidden && { sandbox }) } as unknown as NonNullable<Launch['prepared']>;
  return { prepared, end: end({ denials }, false, () => '2026-01-01T00:00:00.000Z') };
}

describe('an agent that is not signed in', () => {
  it('names no place where the launch has no sandbox', () => assert.deepEqual(signInHint(launch(null)), []));

  it('names the places that its sandbox hides, where a sign-in may lie', () => {
    const [hides = '', ...more] = signInHint(launch(['/run', '/home/u/.keys/agent']));
    assert.match(
      hides,
      /hides sockets and keyrings of this machine, and what lies in \/run, \/home\/u\/\.keys\/agent\.$/,
    );
    assert.match(more.join(' '), /not found inside\..*--cli-env claude=VARIABLE/);
  });

  it('names as many places as a person reads', () => {
    const many = Array.from({ length: 9 }, (_, index) => `/hidden/${index}`);
    assert.match(signInHint(launch(many))[0] ?? '', /\/hidden\/5 and 3 more places\.$/);
  });

  it('names the hosts that its sandbox kept back, where it may sign in', () => {
    const reason = 'auth.example.com:443 is none of its hosts';
    const lines = signInHint(launch([], [{ tool: null, path: null, reason, source: 'network' }]));
    assert.ok(lines.some((line) => line.includes('auth.example.com:443')));
    assert.match(lines.at(-1) ?? '', /name the host on this machine/);
  });
});
