import assert from 'node:assert/strict';
import type { WayView } from '../../../src/contracts/page/blockView';
import { blockChoices } from '../../../src/extension/views/blockChoices';
import { blockView, missionView } from '../sampleViews';

const { offers } = missionView();
const args = { mission: 'm', task: 'T2' };
const ways: readonly WayView[] = [
  {
    step: { command: 'rerun-validation', args },
    label: 'Validate again',
    does: 'Mend what the check found first. It is judged once more.',
    ...{ outcome: 'rerun-validation', safe_when: 'it is safe.', helps: true, recommended: true },
  },
  { step: { command: 'skip', args }, label: 'Skip it', does: 'The mission goes on without it.' },
  {
    step: { command: 'packet resolve', args: { packet: 'p', outcome: 'resume' } },
    ...{ label: 'Resume the mission', does: 'It goes on.', outcome: 'resume', safe_when: 'it is safe.' },
    refused: { reason: 'Nothing stopped it.', next: [] },
  },
];

describe('what a person can choose about a block', () => {
  it('begins with the recommended way, and ends with what is not possible and why', () => {
    const choices = blockChoices(blockView({ ways }), { offers });
    assert.deepEqual(
      choices.map(({ label, description }) => [label, description]),
      [
        ['Validate again', 'recommended, rerun-validation'],
        ['Skip it', ''],
        ['Open Recovery Packet', ''],
        ['Resume the mission', 'resume, not possible now'],
      ],
    );
    assert.equal(choices[0]?.detail, 'Mend what the check found first. It is judged once more. Safe when: it is safe.');
    assert.equal(choices.at(-1)?.detail, 'Nothing stopped it.');
  });

  it('has its metadata to revise where they can be, and nothing of another task', () => {
    const labels = (ReviseMetadata: readonly string[]): readonly string[] =>
      blockChoices(blockView({ ways }), { offers: { ...offers, ReviseMetadata } }).map(({ label }) => label);
    assert.ok(labels(['T2']).includes('Revise Task…'));
    assert.equal(labels(['T1']).includes('Revise Task…'), false);
  });
});
