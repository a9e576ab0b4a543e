import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mcpFileBeside, missionTools, programsFolder } from '../../../src/adapters/user/programCopy';
import { removeScratch, scratch } from '../scratch';

const built = mcpFileBeside(path.resolve('dist/supervisor.cjs'));
const node = async (): Promise<string> => process.execPath;

describe('the server of the mission tools', () => {
  afterEach(removeScratch);

  it('is started from its own copy in the user’s state folder, and a changed copy is put back', async () => {
    const state = await scratch();
    const start = async (): Promise<string> => {
      const found = await missionTools({ mcpFile: built, toolVersion: '1.2.3' }, state, node);
      assert.ok(found.ok, JSON.stringify(found));
      assert.equal(found.value.command, process.execPath);
      assert.equal(found.value.environment, undefined, 'this is no Electron');
      return found.value.args[0] ?? '';
    };
    const file = await start();
    assert.equal(path.dirname(file), programsFolder(state));
    assert.match(path.basename(file), /^mcp-1\.2\.3-[0-9a-f]{16}\.cjs$/);
    await writeFile(await start(), 'planted', { mode: 0o600 }).catch(() => undefined);
    assert.ok((await readFile(await start())).equals(await readFile(built)));
  });

  it('is refused where it is not the one that was built', async () => {
    const folder = await scratch();
    const planted = path.join(folder, 'mcp.js');
    await writeFile(planted, 'planted');
    const found = await missionTools({ mcpFile: planted, toolVersion: '1.2.3' }, path.join(folder, 'state'), node);
    assert.ok(!found.ok && found.refusal.code === 'PROGRAM_CHANGED', JSON.stringify(found));
    assert.match(found.refusal.reason, /not the server of the mission tools/);
  });

  it('is refused where the Node that runs it was changed', async () => {
    const changed = async (): Promise<string> => {
      throw new Error('PROGRAM_CHANGED: node');
    };
    const found = await missionTools({ mcpFile: built, toolVersion: '1.2.3' }, await scratch(), changed);
    assert.ok(!found.ok && found.refusal.code === 'PROGRAM_CHANGED', JSON.stringify(found));
  });
});
