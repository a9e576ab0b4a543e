import assert from 'node:assert/strict';
import { approvedHosts, refusalOfChangedHost, speaksToWords } from '../../../src/engine/plans/providerHosts';

const standing = (...hosts: string[]) =>
  ({ ok: true, value: { hosts, from: 'default', args: [], alone: false } }) as const;
const unusable = {
  ok: false,
  refusal: { code: 'PROVIDER_UNUSABLE', reason: 'It is lost.', next: ['Move it.'] },
} as const;

describe('the hosts that a person approves', () => {
  it('are those of the agents of the plan, once each', () => {
    const providers = { codex: standing('b:443', 'a:443'), claude: standing('c:443'), gemini: unusable };
    assert.deepEqual(approvedHosts(['codex', 'command', 'codex', 'gemini'], providers), [
      'codex=a:443',
      'codex=b:443',
      'gemini=no host',
    ]);
    assert.equal(approvedHosts(['codex'], undefined), undefined);
  });

  it('are shown with what says so, and a refusal with its way out', () => {
    assert.equal(speaksToWords(standing('a:443')), 'a:443 (default)');
    assert.equal(speaksToWords(unusable), 'REFUSED HERE: It is lost. Move it.');
  });

  it('are compared as a set, and another host refuses the start', () => {
    const refusal = (hosts: readonly string[] | undefined, approved: readonly string[] | undefined): string | null =>
      refusalOfChangedHost('codex', hosts, approved, 'Approve again.')?.code ?? null;
    const approved = ['claude=c:443', 'codex=a:443', 'codex=b:443'];
    assert.equal(refusal(['b:443', 'a:443'], approved), null);
    assert.equal(refusal(['a:443'], approved), 'PROVIDER_CHANGED');
    assert.equal(refusal(['x:443'], ['codex=no host']), 'PROVIDER_CHANGED');
    assert.equal(refusal(['x:443'], undefined), null, 'no approval counts');
    assert.equal(refusal(['x:443'], ['claude=c:443']), null, 'an agent of which nothing was shown');
  });
});
