import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { contractCodes } from '../../../src/contracts/vocabulary/codes/codes';
import { assignmentSchema, ledgerRowSchema } from '../../../src/contracts/freshContext';
import { handoffSchema } from '../../../src/contracts/handoff';
import { contractsMarkdown, errorCodesMarkdown } from '../../../src/core/freshContext/docs';

const schema = (name: string): object => JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8')) as object;

describe('documents of a handoff', () => {
  const names = ['handoff', 'assignment', 'result', 'orchestrator-output', 'task-event'];
  const contracts = contractsMarkdown(names.map((name) => ({ name, schema: schema(name) }))).toString();

  it('name every field of every document, with type, need and rules', () => {
    for (const name of names) assert.ok(contracts.includes(`\n## ${name}\n`), name);
    for (const field of Object.keys(handoffSchema.shape)) assert.ok(contracts.includes(`\`${field}`), field);
    for (const field of Object.keys(ledgerRowSchema.shape)) assert.ok(contracts.includes(`\`ledger[].${field}`), field);
    for (const field of Object.keys(assignmentSchema.shape.task.shape))
      assert.ok(contracts.includes(`\`task.${field}`), field);
    assert.match(contracts, /^\| `ledger\[\]\.timeout_seconds` \| integer \| yes \| .*at least 30; \|$/m);
    assert.match(
      contracts,
      /^\| `ledger\[\]\.last_heartbeat_at` \| string or null \| yes \| .*null when the task has not started\./m,
    );
    assert.match(
      contracts,
      /^\| `task\.lock_scope\[\]` \| list of string \| yes \| .*entries at least 1; each: not empty; \|$/m,
    );
    assert.match(contracts, /^\| `packet_type` \| string \| yes \| always `assignment`; \|$/m);
    assert.match(contracts, /^\| `acceptance_check\[\]\.status` \| string \| yes \| one of `pass`, `fail`; \|$/m);
    assert.doesNotMatch(contracts, /undefined|\[object|NaN/);
  });

  it('are tables whose rows have as many cells as their heads', () => {
    const cells = (line: string): number => line.split(/(?<!\\)\|/).length;
    for (const block of `${contracts}\n${errorCodesMarkdown().toString()}`.split('\n\n')) {
      const lines = block.trim().split('\n');
      if (block.startsWith('|')) for (const line of lines) assert.equal(cells(line), cells(lines[0] ?? ''), line);
    }
  });

  it('say where a task can go', () => {
    assert.match(contracts, /^\| `todo` \| `in_progress`, `blocked`, `failed`, `canceled` \|$/m);
    assert.match(contracts, /^\| `done` \| none; .*replay/m);
  });

  it('list the 14 codes', () => {
    const codes = errorCodesMarkdown().toString();
    for (const code of contractCodes)
      assert.match(codes, new RegExp(`^\\| \`${code}\` \\| \\w+ \\| .+ \\| .+ \\|$`, 'm'));
    assert.equal(codes.split('\n').filter((line) => line.startsWith('| `')).length, 14);
  });

  it('describe any schema', () => {
    assert.equal(
      contractsMarkdown([{ name: 'none', schema: {} }])
        .toString()
        .includes('## none'),
      true,
    );
    assert.doesNotThrow(() =>
      contractsMarkdown([{ name: 'odd', schema: { properties: { a: 7, b: { items: {} }, c: { anyOf: [{}] } } } }]),
    );
  });
});
