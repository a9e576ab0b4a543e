import assert from 'node:assert/strict';
import { explainMismatch, type PlanBytes } from '../../../src/core/plan/mismatch';

const bytesOf = (bytes: Uint8Array): PlanBytes => ({ bytes, canonical_sha256: null });
const plan = (text: string): PlanBytes => bytesOf(new TextEncoder().encode(text));
const explained = (locked: string, observed: string): string => explainMismatch(plan(locked), plan(observed));
const changed = 'The content of the plan changed.';

describe('why a plan is not the approved one', () => {
  it('shows the first line that differs, as it was approved and as it is', () => {
    assert.equal(
      explained('{\n  "a": 1,\n  "b": 2\n}\n', '{\n  "a": 1,\n  "b": 3\n}\n'),
      `${changed} In line 3 \`"b": 2\` was approved, and \`"b": 3\` is there now.`,
    );
    assert.equal(explained('[1]', '[2]'), `${changed} In line 1 \`[1]\` was approved, and \`[2]\` is there now.`);
    assert.equal(
      explained('[\n"ü"\n]', '[\n"ö"\n]'),
      `${changed} In line 2 \`"ü"\` was approved, and \`"ö"\` is there now.`,
    );
  });

  it('shows where one text ends and the other goes on', () => {
    assert.equal(explained('[]\n', '[]\nx'), `${changed} In line 2 \`\` was approved, and \`x\` is there now.`);
    assert.equal(explained('[]\n', '['), `${changed} In line 1 \`[]\` was approved, and \`[\` is there now.`);
    assert.equal(explained('[]', ''), `${changed} In line 1 \`[]\` was approved, and \`\` is there now.`);
  });

  it('shows no line that is too long or no text, and none without the approved text', () => {
    assert.equal(explained(`["${'a'.repeat(300)}"]`, '[]'), changed);
    assert.equal(explainMismatch(bytesOf(new Uint8Array([0xff, 0xfe])), plan('[]')), changed);
    assert.equal(explainMismatch({ bytes: null, canonical_sha256: null }, plan('[]')), changed);
    assert.equal(
      explainMismatch(plan('[]'), { bytes: null, canonical_sha256: null }),
      'The plan can no longer be read.',
    );
  });
});
