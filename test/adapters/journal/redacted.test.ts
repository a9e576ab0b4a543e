import assert from 'node:assert/strict';
import { redactedJournal } from '../../../src/adapters/journal/redacted';
import type { Actor } from '../../../src/contracts/vocabulary/actors';
import type { MissionEvent } from '../../../src/core/model/events';
import type { PreparedLaunch } from '../../../src/core/model/facts';
import { createMemoryJournal, type MemoryJournal } from '../../support/memoryJournal';

const key = `sk-ant-${'a1'.repeat(20)}`;
const ada = { kind: 'human', name: 'ada' } as const;
const decision = {
  actor: ada,
  reason: `the key is ${key} and the door opens with tulips-4711`,
  at: '2026-01-01T00:00:00.000Z',
};

describe('the journal redacts what people and workers say', () => {
  let raw: MemoryJournal<MissionEvent>;
  const append = async (
    event: MissionEvent,
    environment = {},
    actor: Actor = ada,
  ): Promise<MissionEvent | undefined> => {
    raw = createMemoryJournal<MissionEvent>();
    const fence = await raw.raiseFence(ada);
    assert.ok(fence.ok);
    const journal = redactedJournal<MissionEvent, MemoryJournal<MissionEvent>>(raw, environment);
    const entry = { run_id: 'r', at: '2026-01-01T00:00:00.000Z', actor, event };
    const appended = await journal.append('M', 0, fence.value.fence, [entry]);
    assert.ok(appended.ok);
    const [stored] = await raw.read('M');
    assert.deepEqual(appended.entries[0]?.event, stored?.event, 'what is folded is what is stored');
    return stored?.event;
  };

  it('secrets by their shape and by their value in the environment', async () => {
    const stored = await append({ type: 'PauseRequested', decision }, { DOOR_TOKEN: 'tulips-4711', PATH: '/usr/bin' });
    assert.deepEqual(stored, {
      type: 'PauseRequested',
      decision: {
        ...decision,
        reason: 'the key is [redacted:anthropic] and the door opens with [redacted:environment]',
      },
    });
  });

  it('argv of what was prepared, and not the identifiers beside it', async () => {
    const id = 'sk-refactor-everything-20260101T000000Z-abc123.p1';
    const event: MissionEvent = { type: 'PacketSuperseded', packet_id: id, reason: `Bearer ${'x1'.repeat(20)}` };
    assert.deepEqual(await append(event), {
      type: 'PacketSuperseded',
      packet_id: id,
      reason: 'Bearer [redacted:authorization]',
    });
    const prepared: PreparedLaunch = {
      worker: 'command',
      cli_version: null,
      version_tested: null,
      argv: ['curl', '-H', `x-api-key: ${key}`],
      confinement: 'none',
      confinement_detail: '',
      env_names: ['DOOR_TOKEN'],
      model: null,
      prompt_sha256: 'A'.repeat(64),
    };
    const stored = await append({ type: 'LaunchPrepared', launch_id: 'l', prepared });
    assert.equal(JSON.stringify(stored).includes(key), false);
    assert.equal(stored?.type === 'LaunchPrepared' && stored.prepared.env_names[0], 'DOOR_TOKEN');
  });

  it('passed values, and in no order of plans one that a plan says: its files keep their names', async () => {
    const plans = {
      says: { plan_sha256: 'A', plan: { env_names: ['DB_NAME'], paths: ['src/orders/'] } },
      passes: { plan_sha256: 'B', plan: { env_names: ['DB_NAME', 'LOGIN'] } },
    };
    for (const order of [
      ['says', 'passes'],
      ['passes', 'says'],
    ] as const) {
      const passed = (names: readonly string[]): readonly { readonly name: string; readonly value: string }[] =>
        names.map((name) => ({ name, value: name === 'LOGIN' ? 'zebra-quartz' : 'orders' }));
      const journal = redactedJournal<MissionEvent, MemoryJournal<MissionEvent>>(raw, {}, passed);
      for (const plan of order)
        journal.stored?.({ type: 'MissionReceived', ...plans[plan] } as unknown as MissionEvent);
      assert.equal(journal.storedName('src/orders/x.ts'), 'src/orders/x.ts');
      assert.match(journal.storedName('zebra-quartz'), /^\[redacted:LOGIN\]~/);
    }
  });

  it('passed values, and not in the places of a sandbox, from which its work lands', async () => {
    const places = { folder: '/home/graceh/.local/state/l', lands: [{ name: 'graceh' }] };
    const event = { type: 'LaunchPrepared', prepared: { sandbox: { argv: ['bwrap', 'graceh'], layers: places } } };
    for (const inTexts of [false, true] as const) {
      const passed = [{ name: 'LOGIN', value: 'graceh', ...(inTexts && { inTexts }) }];
      const journal = redactedJournal<MissionEvent, MemoryJournal<MissionEvent>>(raw, {}, () => passed);
      const stored = journal.stored?.(event as unknown as MissionEvent);
      const { sandbox } = (stored as unknown as typeof event).prepared;
      assert.deepEqual(sandbox, { argv: ['bwrap', inTexts ? 'graceh' : '[redacted:LOGIN]'], layers: places });
    }
  });

  it('values that settings pass, in texts and in no list of names', async () => {
    const passed = [{ name: 'PROJECT', value: 'orders-api', inTexts: true as const }];
    const journal = redactedJournal<MissionEvent, MemoryJournal<MissionEvent>>(raw, {}, () => passed);
    const event = {
      ...{ type: 'ChangesObserved', touched: ['src/orders-api/b.ts'], reason: 'orders-api fails' },
      claim: { decisions: ['chose orders-api'], structured: { source: 'orders-api', path: 'src/orders-api' } },
    };
    assert.deepEqual(journal.stored?.(event as unknown as MissionEvent), {
      ...{ ...event, reason: '[redacted:PROJECT] fails' },
      claim: {
        decisions: ['chose [redacted:PROJECT]'],
        structured: { source: '[redacted:PROJECT]', path: 'src/orders-api' },
      },
    });
  });

  it('passed values are asked for once after many missions were read, because each plan is looked through then', async () => {
    raw = createMemoryJournal<MissionEvent>();
    const fence = await raw.raiseFence(ada);
    assert.ok(fence.ok);
    for (const name of ['A', 'B', 'C']) {
      const event = {
        type: 'MissionReceived',
        plan_sha256: name,
        plan: { env_names: [name] },
      } as unknown as MissionEvent;
      const entry = { run_id: 'r', at: '2026-01-01T00:00:00.000Z', actor: ada, event };
      assert.ok((await raw.append(name, 0, fence.value.fence, [entry])).ok);
    }
    const asked: (readonly string[])[] = [];
    const journal = redactedJournal<MissionEvent, MemoryJournal<MissionEvent>>(raw, {}, (names) => {
      asked.push(names);
      return [];
    });
    for (const name of ['A', 'B', 'C']) await journal.read(name);
    assert.deepEqual(asked, []);
    assert.deepEqual(journal.secretsIn('x'), []);
    assert.equal(journal.storedName('x'), 'x');
    assert.deepEqual(asked, [['A', 'B', 'C']]);
  });

  it('events without a secret are stored as they are', async () => {
    const event: MissionEvent = { type: 'LockTaken', task_id: 'T1', resources: ['src/token/secret.ts'] };
    assert.deepEqual(await append(event), event);
  });

  it('names of people and of files; files that differ stay different', async () => {
    const mallory = { kind: 'human', name: `Mallory ${key}` } as const;
    const stored = await append({ type: 'PauseRequested', decision: { ...decision, actor: mallory } }, {}, mallory);
    assert.doesNotMatch(JSON.stringify([stored, await raw.read('M')]), /a1a1/);
    const changed = await append({
      type: 'ScopeBreachSeen',
      launch_id: 'l',
      path: `out/${key}.txt`,
    });
    const path = changed?.type === 'ScopeBreachSeen' ? changed.path : '';
    assert.match(path, /^out\/\[redacted:anthropic\].*~[0-9a-f]{12}$/);
    const { storedName } = redactedJournal<MissionEvent, MemoryJournal<MissionEvent>>(raw, {});
    assert.equal(path, storedName(`out/${key}.txt`));
    assert.notEqual(path, storedName(`out/${key}b.txt`));
  });
});
