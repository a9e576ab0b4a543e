import assert from 'node:assert/strict';
import { worseRatios } from '../../scripts/worse.mjs';

const report = [
  '| name | ours | limit | the limit is | ratio | aim | met |',
  '| --- | --- | --- | --- | --- | --- | --- |',
  '| reading | 220 ms | 175 ms | JSON.parse | 1.26 | <= 500 ms | yes |',
  '| appends | 5746 appends/s | 6540 appends/s | inserts | 0.88 | >= 0.8 | yes |',
  '| memory | 165 MB | - | (resident) | - | <= 100 MB | no |',
].join('\n');

const run = (reading: string, appends: string): readonly string[] =>
  worseRatios(report, [
    ['reading', '1 ms', '1 ms', 'JSON.parse', reading, '<= 500 ms', 'yes'],
    ['appends', '1 appends/s', '1 appends/s', 'inserts', appends, '>= 0.8', 'yes'],
    ['memory', '999 MB', '-', '(resident)', '-', '<= 100 MB', 'no'],
    ['new', '1 ms', '1 ms', 'nothing before', '9.00', '-', ''],
  ]);

describe('ratios that are worse than in an earlier report', () => {
  it('are named from 15 % on: larger for a time, smaller for an amount a second', () => {
    assert.deepEqual(run('1.40', '0.80'), []);
    assert.deepEqual(run('1.50', '0.70'), ['reading: ratio 1.50, 1.26 before', 'appends: ratio 0.70, 0.88 before']);
    assert.deepEqual(run('0.50', '1.90'), []);
  });
});
