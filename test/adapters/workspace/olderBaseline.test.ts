import assert from 'node:assert/strict';
import type { GitFact } from '../../../src/adapters/git/files';
import { emptyFacts, type Manifest } from '../../../src/adapters/workspace/manifest/manifest';
import { comparableFacts, factsVersion } from '../../../src/adapters/workspace/manifest/olderBaseline';

const fact = (path: string, says: string): GitFact => ({
  path,
  says,
  sha256: says,
  changed_at: '2026-01-01T00:00:00Z',
});
const byPath = (...facts: readonly GitFact[]): Map<string, GitFact> => new Map(facts.map((one) => [one.path, one]));

function baseline(version: number | undefined, ...facts: readonly GitFact[]): Manifest {
  const header = { schema_version: '2.0.0', started_ms: 0, git: true, head: null, index: true } as const;
  return {
    header: { ...header, ...(version !== undefined && { facts_version: version }) },
    entries: new Map(),
    facts: { ...emptyFacts(), git: byPath(...facts) },
  };
}

describe('facts that a baseline is compared with', () => {
  const stub = fact('.git/HEAD', 'ref: refs/heads/.invalid');
  const now = byPath(
    fact('.git/HEAD', 'ref: refs/heads/main'),
    fact('.git/excludes at /home/ada/.config/git/ignore', 'build/'),
    fact('.git/modules/sub/excludes at /home/ada/more', 'out/'),
    fact('.git/hooks/post-merge', 'planted'),
  );

  it('leave out what an older version did not read, and nothing else', () => {
    const compared = comparableFacts(baseline(undefined, stub), now);
    assert.deepEqual([...compared.keys()], ['.git/HEAD', '.git/hooks/post-merge']);
    assert.equal(compared.get('.git/HEAD'), stub);
  });

  it('hold another HEAD of an older baseline that was no stub', () => {
    const compared = comparableFacts(baseline(undefined, fact('.git/HEAD', 'ref: refs/heads/other')), now);
    assert.equal(compared.get('.git/HEAD')?.says, 'ref: refs/heads/main');
  });

  it('are all facts for a baseline of this version', () => {
    assert.deepEqual(comparableFacts(baseline(factsVersion, stub), now), now);
  });
});
