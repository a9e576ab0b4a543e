import assert from 'node:assert/strict';
import type { OutcomeView } from '../../../src/contracts/missionView';
import { blockChoices } from '../../../src/extension/views/blockChoices';
import { blockView, missionView } from '../sampleViews';

const { offers } = missionView();
const outcome = (name: OutcomeView['outcome'], reason?: string): OutcomeView => ({
  outcome: name,
  label: `Do ${name}`,
  description: 'What it does.',
  safe_when: 'it is safe.',
  ...(reason !== undefined && { refused: { reason, next: [] } }),
});

describe('what a person can choose about a block', () => {
  const block = blockView({ outcomes: [outcome('resume', 'Nothing stopped it.'), outcome('retry-repair')] });

  it('begins with what is possible now, and ends with what is not and why', () => {
    const choices = blockChoices(block, { offers: { ...offers, SkipTask: ['T2'], CancelMission: true } });
    assert.deepEqual(
      choices.map(({ label }) => label),
      ['Do retry-repair', 'Skip Task', 'Open Recovery Packet', 'Cancel Mission', 'Do resume'],
    );
    assert.equal(choices[0]?.detail, 'What it does. Safe when: it is safe.');
    assert.deepEqual(
      [choices.at(-1)?.description, choices.at(-1)?.detail],
      ['resume, not possible now', 'Nothing stopped it.'],
    );
  });

  it('has a command for what the block itself asks, denies or lists, and for nothing of another task', () => {
    const question = { text: 'Which?', choices: [], asked_by: { kind: 'worker', name: 'claude' } as const, asked: 1 };
    const asking = blockView({ question, acceptable: [{ name: 'README.md', why: 'is tracked by git' }] });
    const labels = blockChoices(asking, { offers: { ...offers, SkipTask: ['T1'], ReviseMetadata: ['T1'] } }).map(
      ({ label }) => label,
    );
    assert.deepEqual(labels, ['Answer Question', 'Accept Change…', 'Open Recovery Packet']);
  });
});
