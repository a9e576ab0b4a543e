import assert from 'node:assert/strict';
import type { FleetOrder } from '../../../src/contracts/fleet';
import { labelsOfAgent, readOrder, whyItWaits } from '../../../src/engine/fleet/order';
import type { FleetSeals } from '../../../src/engine/ports/fleet';
import { sealedTextSchema } from '../../../src/contracts/fleetMirror';

/** Seals of a user whose key is known. */
const seals: FleetSeals = {
  seal: ({ kind }, text) => Promise.resolve({ ok: true, value: { text, seal: sealOf(kind) } }),
  open({ kind }, value) {
    const read = sealedTextSchema.safeParse(value);
    const holds = read.success && read.data.seal === sealOf(kind);
    return Promise.resolve({ ok: true, value: holds ? { text: read.data.text, signer: null } : null });
  },
};
const sealOf = (kind: string): string => (kind === 'order' ? 'A' : 'B').repeat(64);

const order: FleetOrder = {
  schema_version: '1.0.0',
  order_id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  plan_id: 'hello',
  plan_sha256: 'C'.repeat(64),
  plan: 'e30=',
  risk_level: 2,
  repository: 'https://example.com/ada/project.git',
  commit: 'c'.repeat(40),
  needs: ['claude'],
  push: false,
  approved: { by: 'Ada', at: '2026-01-01T00:00:00.000Z', nonce: 'd'.repeat(32) },
};
const soon = '2026-01-01T01:00:00.000Z';

async function refusalOf(value: unknown, now = soon, by = seals): Promise<string | null> {
  const read = await readOrder(value, by, now, ['https://example.com/ada', 'git@example.com:ada/']);
  return read.ok ? null : read.refusal.code;
}
function sealed(change: object): unknown {
  return { text: JSON.stringify({ ...order, ...change }), seal: sealOf('order') };
}

describe('an order of a fleet', () => {
  it('counts with its seal and a fresh approval', async () => {
    assert.equal(await refusalOf(sealed({})), null);
    assert.equal(await refusalOf(sealed({}), '2026-01-02T01:00:00.000Z'), 'APPROVAL_RECORD_REQUIRED');
    assert.equal(await refusalOf(sealed({ risk_level: 1 }), '2026-02-01T00:00:00.000Z'), null);
  });

  it('names a folder only with the seal of this user, and with another one only what the owner allows', async () => {
    const ofAda: FleetSeals = {
      ...seals,
      async open(about, value) {
        const opened = await seals.open(about, value);
        return opened.ok && opened.value ? { ok: true, value: { ...opened.value, signer: 'ada@example.com' } } : opened;
      },
    };
    const folder = sealed({ repository: 'file:///home/ada/project' });
    assert.equal(await refusalOf(folder), null);
    assert.equal(await refusalOf(folder, soon, ofAda), 'FLEET_ORDER_REFUSED');
    const named = (repository: string): Promise<string | null> => refusalOf(sealed({ repository }), soon, ofAda);
    for (const one of ['https://example.com/ada', 'https://example.com/ada/x.git', 'git@example.com:ada/x.git'])
      assert.equal(await named(one), null, one);
    for (const one of [
      ...['https://example.com/adam/x', 'https://example.com/', 'https://example.org/ada/x', 'git@example.com:adam/x'],
      ...['https://example.com/ada/../eve/x', 'https://example.com/ada/%2E./eve', 'https://example.com/ada%2f..%2Feve'],
      ...['git@example.com:ada/../eve', 'ssh://git@example.com/ada/x'],
    ])
      assert.equal(await named(one), 'FLEET_ORDER_REFUSED', one);
  });

  it('is refused whatever else a row holds, and whatever a sealed one could name', async () => {
    const { text } = sealed({}) as { readonly text: string };
    const rows: readonly unknown[] = [
      ...[null, undefined, 1, 'text', [], {}, { text }, { text, seal: 'A' }],
      ...[
        { text, seal: sealOf('export') },
        { text, seal: sealOf('order'), more: 1 },
        { text: '{', seal: sealOf('order') },
      ],
      ...['../outside', '', 'a/b', '-a', 'a\n'].map((plan_id) => sealed({ plan_id })),
      ...['HEAD', '--upload-pack=x', 'C'.repeat(40), 'c'.repeat(39)].map((commit) => sealed({ commit })),
      ...[
        'ext::sh -c x',
        '--upload-pack=x',
        '/etc',
        '../x',
        'https://a:b@example.com/x',
        'fd::17',
        'http://example.com/x',
      ].map((repository) => sealed({ repository })),
      ...['ssh://-oProxyCommand=x/y', 'ada@-oProxyCommand=x:y', 'ada@host:-x'].map((repository) =>
        sealed({ repository }),
      ),
      sealed({ approved: { ...order.approved, nonce: '../x' } }),
      sealed({ plan: 'no base64' }),
      sealed({ more: 1 }),
    ];
    for (const row of rows) assert.equal(await refusalOf(row), 'FLEET_ORDER_REFUSED', JSON.stringify(row));
    assert.equal(await refusalOf(sealed({ approved: { ...order.approved, by: 'auto' } })), 'APPROVAL_RECORD_REQUIRED');
  });
});

describe('why a mission waits', () => {
  const hosts = [
    { host: 'one', labels: labelsOfAgent('codex', '1.2.3') },
    { host: 'two', labels: ['gpu', ...labelsOfAgent('codex', null)] },
  ];

  it('names what each host lacks, or who else has its turn', () => {
    assert.match(whyItWaits([], [], false), /No host whose key counts here/);
    assert.equal(
      whyItWaits(['codex-1.2', 'gpu'], hosts, false),
      'No host has what it needs: one lacks gpu; two lacks codex-1.2.',
    );
    assert.match(whyItWaits(['codex-1.2'], hosts, false), /takes it next: one\.$/);
    assert.match(whyItWaits(['codex'], hosts, true), /one of its repository runs/);
    assert.match(whyItWaits(['codex-1.20'], hosts, false), /one lacks codex-1\.20/);
  });
});
