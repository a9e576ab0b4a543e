import assert from 'node:assert/strict';
import type { MemoryRecord, ProposedMemory } from '../../../src/contracts/memory';
import { memoryLimits } from '../../../src/contracts/vocabulary/memory';
import { forbiddenContent, readProposals } from '../../../src/core/memory/proposed';
import { restoredFrom, tooMuch } from '../../../src/core/memory/restore';

const entry = (rationale: string): ProposedMemory => ({
  domain: 'architecture',
  key: 'store',
  decision: 'files, no database',
  rationale,
});

describe('core: what may be remembered', () => {
  it('is no transcript, no log of a tool and no trace of reasoning', () => {
    for (const [rationale, kind] of [
      ['User: files?\nAssistant: yes.', 'a transcript'],
      ['**Human**: files?\n**AI**: yes.', 'a transcript'],
      ['<|im_start|>user', 'a transcript'],
      ['$ ls\nsrc\n$ cat src/a', 'the log of a tool'],
      ['{"type":"tool_result","tool_use_id":"1"}', 'the log of a tool'],
      ['stdout: a\nstderr: b', 'the log of a tool'],
      ['<thinking>files are simpler</thinking>', 'a trace of reasoning'],
      ['Let me think.\nWait, files are simpler.', 'a trace of reasoning'],
    ] as const)
      assert.equal(forbiddenContent(entry(rationale)), kind, rationale);
  });

  it('is what people write down: reasons, lists, a word about users, a command', () => {
    for (const rationale of [
      'The user asked for it: files are simple.',
      'System: Linux only. Users see one folder.',
      'Rejected:\n- a database: too heavy\n- a cloud: the customers say no',
      'Run `npm test` before a release; it prints stdout: nothing.',
      'Actually, a database was tried and was slower.',
      'We think in terms of tasks; reasoning about time is left out.',
    ])
      assert.equal(forbiddenContent(entry(rationale)), null, rationale);
  });

  it('is read from a packet of any shape, and nothing strange becomes an entry', () => {
    for (const nothing of [null, 1, 'x', [], {}, { x_memory: null }, { x_memory: [] }])
      assert.deepEqual(readProposals(nothing), { ok: true, entries: [] });
    const packets: readonly unknown[] = ['text', { 0: entry('x') }, [null], [[]], [{ ...entry('x'), more: 1 }]];
    for (const x_memory of packets) assert.equal(readProposals({ x_memory }).ok, false, JSON.stringify(x_memory));
    for (const key of ['', '.', '..', 'a/b', 'a\\b', 'A', 'a..b', '-a', 'a\n', 'a'.repeat(81)])
      assert.equal(readProposals({ x_memory: [{ ...entry('x'), key }] }).ok, false, key);
  });
});

describe('core: what a task is given of the memory', () => {
  const record = (number: number, more: Partial<MemoryRecord> = {}): MemoryRecord => ({
    ...{ schema_version: '1.0.0', number, domain: 'decision_history', key: `k${number}`, version: 1 },
    ...{
      decision: 'so',
      rationale: 'because',
      supersedes: null,
      plan_id: 'P',
      mission_id: 'M',
      task_id: 'T',
      attempt: 1,
    },
    ...{ seal_sha256: '0'.repeat(64), confirmed_by: 'Ada', confirmed_at: '2026-01-01T00:00:00Z', reason: 'yes' },
    previous_sha256: '0'.repeat(64),
    ...more,
  });

  it('is the newest version of each decision, in the order of the contract', () => {
    const restored = restoredFrom([
      record(1),
      record(2, { domain: 'domain_schema', key: 'a' }),
      record(3, { domain: 'architecture', key: 'a' }),
      record(4, { domain: 'constraints', key: 'a' }),
      record(5, { domain: 'architecture', key: 'a', version: 2, decision: 'other' }),
    ]);
    assert.ok(restored.ok);
    assert.deepEqual(
      restored.entries.map(({ domain, key, version }) => `${domain}/${key} ${version}`),
      ['architecture/a 2', 'constraints/a 1', 'domain_schema/a 1', 'decision_history/k1 1'],
    );
  });

  it('is all of it or nothing, and a person cannot confirm more than that', () => {
    const many = Array.from({ length: memoryLimits.restored_entries }, (_, index) => record(index + 1));
    assert.equal(restoredFrom(many).ok, true);
    assert.equal(restoredFrom([...many, record(many.length + 1)]).ok, false);
    assert.equal(tooMuch([], many), null);
    assert.notEqual(tooMuch([entry('because')], many), null);
    assert.equal(tooMuch([{ ...entry('because'), domain: 'decision_history', key: 'k1' }], many), null);
    assert.equal(restoredFrom([record(1, { decision: 'x'.repeat(memoryLimits.restored_characters) })]).ok, false);
  });
});
