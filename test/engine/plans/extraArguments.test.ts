import assert from 'node:assert/strict';
import { refusalOfExtraArguments } from '../../../src/engine/plans/extraArguments';

describe('extra arguments of a worker CLI', () => {
  it('name no model: the model policy would select one and another would run', () => {
    for (const args of [
      ['--model', 'haiku'],
      ['--model=haiku'],
      ['-m', 'o4-mini'],
      ['-mo4-mini'],
      ['-c', 'model=o4-mini'],
      ['-cmodel=o4-mini'],
      ['--config=model="o4-mini"'],
      ['--fallback-model', 'haiku'],
    ]) {
      const refusal = refusalOfExtraArguments('codex', args);
      assert.equal(refusal?.code, 'NON_COMPLIANT', args.join(' '));
      assert.match(`${refusal.reason} ${refusal.next.join(' ')}`, /name a model.*--cli-model codex=MODEL/);
    }
    assert.match(refusalOfExtraArguments('claude', ['-m'], 'editor')?.next[0] ?? '', /missionControl\.claude\.model/);
  });

  it('are else the person’s own', () => {
    for (const args of [
      ['-c', 'model_provider=mock'],
      ['--mcp-config', 'x.json'],
      ['-c', 'model_reasoning_effort=high'],
      ['--model-name-in-title'],
    ])
      assert.equal(refusalOfExtraArguments('codex', args), null, args.join(' '));
  });
});
