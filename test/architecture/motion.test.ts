import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** They carry out effects, or find one of them. Another file that asks whether something is due forgets the waits. */
const performers = ['core/mission/effects.ts', 'engine/mission/engine.ts'];

/** The files that read what is due, in place of asking `motionOf` whether the mission stands still. */
function readersOfEffects(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].flatMap(([file, text]) =>
    /\bpendingEffects\b/.test(text) && !performers.some((one) => file.endsWith(one)) ? [file] : [],
  );
}

describe('whether a mission stands still', () => {
  const files = new Map(
    globSync('src/**/*.ts').map((file) => [file.split(path.sep).join('/'), readFileSync(file, 'utf8')]),
  );

  it('is asked of motionOf, which knows effects and waits for a time', () => {
    assert.deepEqual(readersOfEffects(files), []);
    for (const one of performers)
      assert.ok(
        [...files.keys()].some((file) => file.endsWith(one)),
        `${one} has moved`,
      );
  });

  it('is not read out of the effects alone', () => {
    const reader = ['src/core/mission/start.ts', 'const waits = pendingEffects(mission).length === 0;'] as const;
    assert.deepEqual(readersOfEffects(new Map([...files, reader])), [reader[0]]);
  });
});
