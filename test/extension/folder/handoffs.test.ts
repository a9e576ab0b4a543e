import assert from 'node:assert/strict';
import type { Handoff } from '../../../src/core/model/handoffFacts';
import { HandoffChecks } from '../../../src/engine/handoff/checks';
import { exported, notResumed } from '../../../src/extension/folder/answers';
import { handoffPage } from '../../../src/extension/pages/handoff';

const asked = {
  ...({ n: 3, why: 'asked', command_id: 'c', move: null, state: { kind: 'pending' } } satisfies Handoff),
  left_behind: ' A layer holds the rest.',
};
const ada = { actor: { kind: 'human', name: 'ada' }, reason: 'elsewhere', at: '2026-01-01T00:00:00Z' } as const;
const written = { kind: 'written', path: '.mission-control/missions/m/handoff/3', sha256: 'A'.repeat(64) } as const;

describe('a handoff that a person asked for', () => {
  it('is shown where it was written, and says when the run has ended here', () => {
    const bundle = '.mission-control/missions/m/handoff/3/bundle.json';
    const answer = { accepted: true, code: 'OK', reason: 'Handoff 3 is written. A layer holds the rest.', next: [] };
    assert.deepEqual(exported({ ...asked, state: written }), { answer, bundle });
    assert.match(exported({ ...asked, move: ada, state: written }).answer.reason, /given away .* has ended here/);
  });

  it('is refused with the code and the file, or still to come', () => {
    const state = { kind: 'refused', code: 'UNTRUSTED_CONTEXT_BLOCK', file: 'a.txt', reason: 'a key.' } as const;
    const refused = exported({ ...asked, state });
    assert.deepEqual([refused.bundle, refused.answer.accepted, refused.answer.code], [null, false, state.code]);
    assert.equal(refused.answer.reason, 'Handoff 3 was not written because of a.txt: a key.');
    assert.deepEqual([exported(null).answer.code, exported(null).bundle], ['LEASE_HELD', null]);
  });
});

describe('the page about a handoff that is resumed', () => {
  it('has every item of both lists in their order, passed, failed or not reached', () => {
    const checks = new HandoffChecks();
    checks.pass('minimal_start', 0, 'run r');
    checks.fail('session_reset', 1, 'SCHEMA_INVALID', 'bundle.json: no rows');
    const answer = { accepted: false, code: 'SCHEMA_INVALID', reason: 'No rows.', next: ['Export again.'] };
    const page = handoffPage('/h', { answer, checks: checks.all, notes: [], plan_id: null, lacks: null }).toString();
    const items = page.split('\n').filter((line) => /^- \[.\] /.test(line));
    assert.equal(items.length, 10);
    assert.match(items[0] ?? '', /^- \[ \] Clear prior assumptions.*: not reached$/);
    assert.match(items[1] ?? '', /^- \[ \] Load handoff bundle.* \*\*SCHEMA\\_INVALID\*\*: bundle.json: no rows$/);
    assert.equal(items[5], '- [x] handoff bundle loaded: run r');
    assert.match(page, /\n\nThe items are quoted from a contract for agents\. .*\n\n## Session reset protocol\n/);
    assert.match(page, /\*\*Refused \(SCHEMA\\_INVALID\).\*\* No rows.\n\n- Export again.\n$/);
  });

  it('has no lists when nothing was looked at', () => {
    const page = handoffPage('/h', notResumed({ code: 'LEASE_HELD', reason: 'Somebody owns.', next: [] })).toString();
    assert.equal(page.includes('Session reset protocol'), false);
    assert.match(page, /Refused \(LEASE\\_HELD\)/);
  });

  it('shows texts of a bundle as texts', () => {
    const reason = '![x](http://127.0.0.1/p.png)\n# Title <img src=x> [link](command:workbench.action.quit)';
    const answer = { accepted: false, code: 'X', reason, next: [] };
    const page = handoffPage('/h', { answer, checks: [], notes: [], plan_id: null, lacks: null }).toString();
    assert.equal(/(^|[^\\])[<[]/.test(page), false, page);
    assert.equal(page.split('\n').filter((line) => line.startsWith('#')).length, 2);
  });
});
