import assert from 'node:assert/strict';
import { CliBed, cliFile } from './cliBed';

describe('the approval of a plan says what may change its bytes', function () {
  this.timeout(120_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const approve = async (): Promise<string> => {
    const args = [cliFile, 'plan', 'approve', bed.plan('exact', [{ script: '' }]), '--by', 'Ann', '--yes'];
    const { code, stdout, stderr } = await bed.spawn(process.execPath, args).ended;
    assert.equal(code, 0, stderr);
    return stdout;
  };

  it('git, and Prettier where the repository uses it', async () => {
    const without = await approve();
    assert.match(without, /add these lines to \.gitattributes[^\n]*\n +docs\/plans\/\*\.json -text\n/);
    assert.doesNotMatch(without, /prettier/i);
    bed.write('.prettierrc', '{}\n');
    assert.match(await approve(), /add these lines to \.prettierignore[^\n]*\n +docs\/plans\/\*\.json\n +docs\/ops\/executions\/\n/);
    assert.equal(bed.exists('.prettierignore'), false);
  });
});
