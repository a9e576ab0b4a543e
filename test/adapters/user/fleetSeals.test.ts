import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fleetSeals } from '../../../src/adapters/user/fleet';
import type { SealedText } from '../../../src/contracts/fleetMirror';
import type { FleetSeals, Sealed } from '../../../src/engine/ports/fleet';
import { removeScratch, scratch } from '../scratch';

const order = { kind: 'order' } as const;
const exported = (order_id: string): Sealed => ({ kind: 'export', order_id });

/** Real keys of OpenSSH. */
describe('signatures of a fleet', () => {
  after(removeScratch);
  let folder: string;
  let signers: string;
  beforeEach(async () => {
    folder = await scratch();
    signers = path.join(folder, 'signers');
  });

  function keyOf(name: string): { readonly file: string; readonly listed: string } {
    const file = path.join(folder, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file]);
    return { file, listed: readFileSync(`${file}.pub`, 'utf8').trim() };
  }
  const list = (...lines: readonly string[]): void => writeFileSync(signers, `${lines.join('\n')}\n`);
  async function signed(key: string, about: Sealed = order, text = 'the text'): Promise<SealedText> {
    const made = await fleetSeals({ signsWith: key, signers: null }).seal(about, text);
    assert(made.ok, JSON.stringify(made));
    return made.value;
  }
  async function opened(value: unknown, about: Sealed = order): Promise<Awaited<ReturnType<FleetSeals['open']>>> {
    return fleetSeals({ signsWith: null, signers }).open(about, value);
  }
  const nothing = { ok: true, value: null };

  it('count by a listed key, with the name that the list gives it', async () => {
    const ada = keyOf('ada');
    list('# approvers', `ada@example.com ${ada.listed}`);
    const value = { text: 'the text', signer: 'ada@example.com' };
    assert.deepEqual(await opened(await signed(ada.file)), { ok: true, value });
    list(`eve@example.com,ada@example.com ${ada.listed}`);
    assert.deepEqual(await opened(await signed(ada.file)), {
      ok: true,
      value: { ...value, signer: 'eve@example.com' },
    });
  });

  it('count for nothing else: another text, kind or order, no list, another key', async () => {
    const [ada, eve] = [keyOf('ada'), keyOf('eve')];
    list(`ada@example.com ${ada.listed}`);
    const good = await signed(ada.file);
    assert.deepEqual(await opened({ ...good, text: 'the texT' }), nothing);
    assert.deepEqual(await opened(good, exported('one')), nothing);
    assert.deepEqual(await opened(await signed(ada.file, exported('one')), exported('two')), nothing);
    assert.deepEqual(await opened(await signed(eve.file)), nothing);
    assert.deepEqual(await opened({ ...good, seal: `${good.seal.slice(0, 60)}AAAA${good.seal.slice(64)}` }), nothing);
    assert.deepEqual(await opened({ ...good, seal: '-----BEGIN SSH SIGNATURE-----\n' }), nothing);
    assert.deepEqual(await fleetSeals({ signsWith: null, signers: null }).open(order, good), nothing);
    assert.deepEqual(
      await fleetSeals({ signsWith: null, signers: path.join(folder, 'none') }).open(order, good),
      nothing,
    );
  });

  it('keep to what the list says of a key: its use, its time and a name of one person', async () => {
    const host = keyOf('host');
    const value = { text: 'the text', signer: 'host' };
    list(`host namespaces="mission-control-export" ${host.listed}`);
    assert.deepEqual(await opened(await signed(host.file)), nothing);
    assert.deepEqual(await opened(await signed(host.file, exported('one')), exported('one')), { ok: true, value });
    list(`host valid-before="20200101" ${host.listed}`);
    assert.deepEqual(await opened(await signed(host.file)), nothing);
    list(`*@example.com ${host.listed}`);
    assert.deepEqual(await opened(await signed(host.file)), nothing);
  });

  it('are refused in words of ssh-keygen where a key cannot sign', async () => {
    for (const key of [path.join(folder, 'none'), folder]) {
      const made = await fleetSeals({ signsWith: key, signers: null }).seal(order, 'text');
      assert(!made.ok);
      assert.equal(made.refusal.code, 'FLEET_UNSIGNED');
      assert.match(made.refusal.reason, /signs nothing: \S+/);
    }
  });
});
