import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256Of } from '../../../src/adapters/files/bytes/sha256';
import { runner } from '../../../src/contracts/vocabulary/actors';
import { startRealMission, until } from '../realMission';

/** Works until the file of its argument is there. */
const works = `const fs = require('fs'); fs.mkdirSync('src', { recursive: true }); fs.writeFileSync('src/work', '');
setInterval(() => fs.existsSync(process.argv[1]) && process.exit(0), 10);`;

describe('engine: a save in the moment in which the worker ends', () => {
  it('is recorded as the person’s, however late the window reports it', async () => {
    const scratch = await mkdtemp(path.join(tmpdir(), 'mission-save-'));
    const go = path.join(scratch, 'go');
    const bytes = 'a person wrote this\n';
    let told: () => Promise<void> = () => Promise.resolve();
    const real = await startRealMission(
      [{ task_id: 'T1', paths: ['src/'], command: [process.execPath, '-e', works, go] }],
      { savesReported: () => told() },
    );
    try {
      const { engine, ports, dir } = real;
      await until(engine, ({ mission }) => mission?.lanes[0]?.stage.at === 'running');
      told = () =>
        engine.submit(
          {
            type: 'DocumentWasSaved',
            save: { path: 'notes.md', sha256: sha256Of(Buffer.from(bytes)), at: ports.clock.now() },
          },
          runner,
        );
      await writeFile(path.join(dir, 'notes.md'), bytes);
      await writeFile(go, '');
      await until(engine, ({ mission }) => mission?.lanes.length === 0);
      await engine.settled();
      const row = engine.mission?.rows[0];
      assert.deepEqual([row?.status, row?.code], ['done', null]);
    } finally {
      await real.dispose();
      await rm(scratch, { recursive: true });
    }
  });
});
