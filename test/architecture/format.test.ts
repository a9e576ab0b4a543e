import assert from 'node:assert/strict';
import prettier from 'prettier';

describe('the format gate', () => {
  const isRead = async (file: string): Promise<boolean> =>
    !(await prettier.getFileInfo(file, { ignorePath: ['.gitignore', '.prettierignore'] })).ignored;

  it('does not read the lock of an installation, which is gone a moment later', async () => {
    assert.equal(await isRead('test/tools/vscode.lock/pid'), false);
    assert.equal(await isRead('test/tools/agents.lock/pid'), false);
    assert.equal(await isRead('src/core/mission/guards.ts'), true);
  });
});
