import assert from 'node:assert/strict';
import { inFolder, missionName } from '../../../src/extension/folder/missionsHere';
import { here, missionView } from '../sampleViews';

describe('what sentences call a mission', () => {
  it('is its plan alone, in the only folder of a window', () => {
    assert.equal(missionName(here(missionView())).toString(), 'p');
    assert.equal(inFolder(null).toString(), '');
  });

  it('is its plan and its folder, where the window has another one', () => {
    assert.equal(missionName(here(missionView(), { workspace: 'copy/app' })).toString(), 'p in copy/app');
    assert.equal(inFolder('copy/app').toString(), ' in copy/app');
  });

  it('shows what a folder is called as text and nothing else', () => {
    assert.equal(inFolder('a\u202eb\nc').toString(), String.raw` in a\u202eb\nc`);
  });
});
