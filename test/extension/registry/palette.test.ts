import assert from 'node:assert/strict';
import { commandLines } from '../../../src/cli/commands';
import { paletteWords } from '../../../src/base/text/steps';
import { commandEntries } from '../../../src/contracts/vocabulary/commands';
import type { Step } from '../../../src/contracts/vocabulary/steps';
import { commands } from '../../../src/extension/registry/registry';
import { commandOfStep } from '../../../src/extension/views/blockChoices';

describe('the palette commands that next steps name', () => {
  it('are commands of the palette, by commands of the terminal', () => {
    for (const [, { line }] of commandEntries) assert.ok(commandLines.includes(line), line);
    const { title } = commands[commandOfStep('context new') ?? 'doctor'];
    assert.equal(paletteWords([{ command: 'context new', args: {} }]), `Mission Control: ${title}`);
  });

  it('are one sentence, each once, in the order of the steps', () => {
    const of = { mission: 'M' };
    const retry = (task: string): Step => ({ command: 'retry', args: { ...of, task } });
    const cancel: Step = { command: 'cancel', args: of };
    const cases: readonly (readonly [readonly Step[], string | null])[] = [
      [[], null],
      [
        [
          { command: 'journal verify', args: of },
          { command: 'mend', args: { what: 'Look at it.' } },
        ],
        null,
      ],
      [[{ command: 'resume', args: of }], 'Mission Control: Resume'],
      [[{ command: 'resume', args: of }, cancel], 'Mission Control: Resume or Cancel Mission'],
      [
        [
          retry('T1'),
          retry('T2'),
          { command: 'packet resolve', args: { packet: 'P', outcome: 'leave-blocked' } },
          cancel,
        ],
        'Mission Control: Retry Task, Resolve Blocker, or Cancel Mission',
      ],
    ];
    for (const [steps, words] of cases) assert.equal(paletteWords(steps), words);
  });
});
