import assert from 'node:assert/strict';
import { denialTexts } from '../../../src/core/view/mission/recoveryView';
import { missionView } from '../../../src/core/view/mission/missionView';
import { play } from '../../scenarios/play';

const refused = (path: string): { path: string; reason: string } => ({ path, reason: 'EROFS: read-only file system' });

describe('what a task was denied and did without', () => {
  it('is shown on the task, of its worker and of its verify commands, each once', () => {
    const tool = null;
    const { entries, mission } = play({
      tasks: [{ task_id: 'T1', worker: 'command', verify: [['node', 'check.js']] }, { task_id: 'T2' }],
      world: {
        'T1#1': {
          launches: [
            { end: { denials: [refused('.git/config'), refused('.git/config')].map((one) => ({ tool, ...one })) } },
          ],
          verify_end: { denials: [{ tool, ...refused('again.txt') }] },
        },
      },
    });
    const [first, second] = missionView(mission, entries, new Map(), true).tasks;
    assert.equal(first?.status, 'done');
    assert.deepEqual(first.denied, [
      'a write to .git/config: EROFS: read-only file system (2 times)',
      'a write to again.txt: EROFS: read-only file system',
    ]);
    assert.equal(second?.denied, undefined);
  });

  it('names at most twenty, and how many more', () => {
    const denials = Array.from({ length: 50 }, (_, index) => ({ tool: 'Write', ...refused(`f${index}`) }));
    const texts = denialTexts(denials);
    assert.equal(texts.length, 20);
    assert.equal(texts[0], 'Write on f0: EROFS: read-only file system');
    assert.equal(texts[19], 'and 31 more, which its evidence tells');
  });
});
