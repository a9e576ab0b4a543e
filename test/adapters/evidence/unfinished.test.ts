import assert from 'node:assert/strict';
import { evidenceReader } from '../../../src/adapters/evidence/reader';
import type { MissionEvent } from '../../../src/core/model/events';
import { evidenceSentence } from '../../../src/core/view/evidence/evidenceAnswer';
import { verifyEvidence } from '../../../src/engine/evidence/verify';
import { removeScratch } from '../scratch';
import { evidenceSample, history, journalOf, planId } from './sample';

describe('evidence verify of evidence that the runner could not write', () => {
  afterEach(removeScratch);

  it('says of an end that was not written why that is, and accuses no person of a change', async () => {
    const open = history('RECEIVED', 'VALIDATED', 'LOCKED', 'EXECUTING');
    const running = {
      outcome: null,
      status: 'running',
      ended_at: null,
      state: 'EXECUTING',
      state_history: open,
    } as const;
    const sample = await evidenceSample({ header: (facts) => ({ ...facts, ...running }) });
    const whole = sample.journal.entries.map(({ event }) => event).slice(0, 5);
    const failed = (effect: string): MissionEvent => ({
      ...{ type: 'EffectFailed', effect, code: 'EVIDENCE_UNWRITABLE', reason: 'The disk is full.', next: [] },
    });
    const found = async (...events: readonly MissionEvent[]): Promise<readonly (readonly [string, string])[]> => {
      const { findings } = await verifyEvidence(evidenceReader(sample.root, planId), journalOf(events));
      assert.match(evidenceSentence(planId, { valid: false, findings }), /^The evidence of P1 is not complete, so/);
      return findings.flatMap(({ severity, code, message }) =>
        severity === 'error' ? [[code, message] as const] : [],
      );
    };
    const killed = 'The mission has ended, as the journal says, and the runner stopped before it wrote this end.';
    const full = 'The runner stopped before it wrote what the journal knows: The disk is full.';
    assert.deepEqual(await found(...whole), [['EVIDENCE_UNFINISHED', killed]]);
    assert.deepEqual(await found(...whole, failed('writeReport')), [['EVIDENCE_UNFINISHED', full]]);
    const begun = whole.slice(0, 4);
    assert.deepEqual(await found(...begun, failed('writeTaskEvidence:T2')), [['EVIDENCE_UNFINISHED', full]]);
    assert.deepEqual(await found(...begun, failed('takeBaseline:T2')), []);
  });
});
