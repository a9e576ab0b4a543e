import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { ServedWorkspace } from '../../../src/cli/serve/workspace';
import { CliBed } from '../cliBed';

describe('a served workspace', function () {
  this.timeout(120_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  // Only Linux says which files a process has open.
  const isTold = process.platform === 'linux';
  const openJournals = (): number => {
    const links = isTold ? readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`)) : [];
    return links.filter((link) => link === bed.at('.mission-control/state.db')).length;
  };

  it('opens its journal once, however many ask for a look at once, and never after its end', async () => {
    await bed.mission('run', bed.plan('one', [{ script: '', verify: [['true']] }]));
    const served = new ServedWorkspace(bed.root, (problem) => assert.fail(problem));
    await Promise.all(Array.from({ length: 20 }, () => served.look()));
    assert.equal(openJournals(), isTold ? 1 : 0);
    const late = served.look();
    await served.close();
    await late;
    await served.look();
    assert.equal(openJournals(), 0);
  });
});

function linkOf(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null; // closed meanwhile
  }
}
