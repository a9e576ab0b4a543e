import assert from 'node:assert/strict';
import { commands as typed } from '../../../src/cli/commands';
import { paletteTitles, paletteWords } from '../../../src/base/text/palette';
import { commands } from '../../../src/extension/registry/registry';

describe('the palette commands that next steps name', () => {
  it('are commands of the palette, by commands of the terminal', () => {
    const titles: readonly string[] = Object.values(commands).map(({ title }) => title);
    for (const [verb, title] of Object.entries(paletteTitles)) {
      assert.ok(titles.includes(title), title);
      assert.ok(
        typed.some(({ name }) => name === verb.replace(/ --[a-z]+$/, '')),
        verb,
      );
    }
  });

  it('are one sentence, each once, in the order of the steps', () => {
    const cases = [
      [[], null],
      [['mission journal verify M', 'Look at it.'], null],
      [['mission resume M --by NAME --reason TEXT'], 'Mission Control: Resume'],
      [['mission resume M', 'mission cancel M'], 'Mission Control: Resume or Cancel Mission'],
      [
        ['mission retry M T1', 'mission retry M T2', 'mission packet resolve P', 'mission cancel M'],
        'Mission Control: Retry Task, Open Recovery Packet, or Cancel Mission',
      ],
    ] as const;
    for (const [steps, words] of cases) assert.equal(paletteWords(steps), words);
  });
});
