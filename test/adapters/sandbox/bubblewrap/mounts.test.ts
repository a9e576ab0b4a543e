import assert from 'node:assert/strict';
import { noHardLinks, type PlaceFacts } from '../../../../src/adapters/sandbox/facts/facts';
import { layOut } from '../../../../src/adapters/sandbox/bubblewrap/mounts';

/** HOME with a workspace and a hidden folder directly in it; a missing cache gives it a stand-in. */
const facts: PlaceFacts = {
  ...{ tmp: null, visible: [], links: [], sockets: [], kernel: [], sealed: [], absent: [], granted: [], notes: [] },
  workspace: '/home/ada/work',
  run: '/home/ada/work/.mission-control/runs/1',
  emptied: ['/home/ada/.secrets'],
  writable: [{ kind: 'folder', path: '/home/ada/work' }],
  home: [
    { at: '/home/ada', kind: 'read', from: '/run/stand-in' },
    ...['work', '.secrets', 'notes'].map((name) => ({
      ...{ at: `/home/ada/${name}`, from: `/home/ada/${name}` },
      kind: 'held' as const,
    })),
  ],
  hardLinks: noHardLinks,
};

describe('a stand-in of HOME', () => {
  it('takes nothing back that is writable, and shows nothing that is hidden', () => {
    const kinds = new Map(layOut(facts).mounts.map(({ at, kind }) => [at, kind]));
    assert.equal(kinds.get('/home/ada/work'), 'write');
    assert.equal(kinds.get('/home/ada/.secrets'), 'empty');
    assert.equal(kinds.get('/home/ada/notes'), 'held');
  });
});
