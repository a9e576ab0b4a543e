import assert from 'node:assert/strict';
import { CliBed, cliFile } from './cliBed';

describe('the example of mission --help', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const inShell = async (line: string): Promise<string> => {
    const mission = `mission() { '${process.execPath}' '${cliFile}' "$@"; }`;
    const { code, stdout, stderr } = await bed.spawn('/bin/sh', ['-c', `${mission}\n${line}`]).ended;
    assert.equal(code, 0, `${line}: ${stdout}${stderr}`);
    return stdout;
  };

  it('is followed line by line to evidence that holds, and the help speaks of no later version', async () => {
    const help = await inShell('mission --help');
    assert.doesNotMatch(help, /later version|not yet|coming/i);
    const [, example = ''] = /\nExample: .*\n((?: {2}mission .*\n)+)/.exec(help) ?? [];
    const lines = example
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    assert.equal(lines.length, 4);
    let last = '';
    // Without a terminal no person can be asked.
    for (const line of lines) last = await inShell(line.includes(' plan approve ') ? `${line} --yes` : line);
    assert.match(last, /holds/);
  });
});
