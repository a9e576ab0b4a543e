import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, decision } from './cliBed';

describe('a command that waits for an answer which cannot come', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('says so, and is no success', async () => {
    const lost = path.join(bed.scratch, 'lost.cjs');
    // Reads begin and never end, and no timer keeps a process alive.
    writeFileSync(
      lost,
      `for (const name of ['setTimeout', 'setInterval']) {
         const begun = globalThis[name];
         globalThis[name] = (...all) => begun(...all).unref();
       }
       const fs = require('node:fs');
       fs.promises.readFile = fs.promises.stat = fs.promises.open = fs.promises.realpath = () => new Promise(() => undefined);`,
    );
    const plan = bed.plan('LOST', [{ script: '' }]);
    const commands = [
      ['run', plan],
      ['resume', 'LOST'],
      ['stop', '--all'],
      ['cancel', 'LOST'],
    ];
    for (const command of commands) {
      const args = [...command, ...decision.slice(0, command[0] === 'run' ? 2 : 4), '--json'];
      const ended = await bed.spawn(process.execPath, ['--require', lost, cliFile, ...args]).ended;
      assert.deepEqual([ended.code, ended.json.code], [4, 'UNEXPECTED'], command.join(' '));
      assert.match(ended.json.reason, /without an answer/);
    }
  });
});
