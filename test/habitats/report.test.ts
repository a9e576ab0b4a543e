import assert from 'node:assert/strict';
import { cellOf, instead, refreshed, reportOf, rowsIn, rowsOf, type Visited } from './report';

const visited = (name: string, seen: string, expected = seen): Visited => ({
  name,
  skipped: null,
  visits: [{ what: 'sample', seen, expected, problem: seen === expected ? null : 'other', seconds: 1.25 }],
});

describe('the report of habitats', () => {
  const names = ['first', 'a | b', 'third'].map(cellOf);

  it('is read back line by line, whatever it holds', () => {
    const rows = [
      ...rowsOf(visited('first', 'exit 0 completed'), '2026-01-01'),
      ...rowsOf(visited('a | b', 'exit 1 | two\nlines', 'exit 0'), '2026-01-02'),
      ...rowsOf({ name: 'third', skipped: 'no mounts', visits: [] }, '2026-01-03'),
    ];
    const report = reportOf(names, rows);
    assert.deepEqual(rowsIn(report), rows);
    assert.match(
      report,
      /habitats: 3, of which 1 were skipped where this was written, with the reason, and 0 were not/,
    );
    assert.match(report, /outcomes: 2, of which 1 are not as expected/);
  });

  it('keeps the lines of habitats that a run did not visit, in the order of the habitats', () => {
    const earlier = rowsIn(reportOf(names, rowsOf(visited('third', 'exit 0'), '2026-01-01')));
    const report = reportOf(names, [...earlier, ...rowsOf(visited('first', 'exit 0'), '2026-01-02')]);
    assert.deepEqual(
      rowsIn(report).map(({ habitat, day }) => [habitat, day]),
      [
        ['first', '2026-01-02'],
        ['third', '2026-01-01'],
      ],
    );
    assert.match(report, /and 1 were not looked at yet/);
  });

  it('keeps the other lines of a habitat where a run played one scenario', () => {
    const visit = { what: 'sample', seen: 'exit 0', expected: 'exit 0', problem: null, seconds: 1 };
    const both = { name: 'first', skipped: null, visits: [visit, { ...visit, what: 'block' }] };
    const earlier = instead([], 'first', rowsOf(both, '2026-01-01'));
    const rows = refreshed(earlier, rowsOf({ ...both, visits: [{ ...visit, what: 'block' }] }, '2026-01-02'));
    assert.deepEqual(
      rows.map(({ scenario, day }) => [scenario, day]),
      [
        ['sample', '2026-01-01'],
        ['block', '2026-01-02'],
      ],
    );
  });

  it('is read without days as well; lines of removed habitats go', () => {
    const old = '| habitat | scenario | seen | expected | seconds |\n| gone | made | made | as expected | 0.4 |\n';
    assert.deepEqual(rowsIn(old), [
      { habitat: 'gone', scenario: 'made', seen: 'made', expected: 'as expected', seconds: '0.4', day: '' },
    ]);
    assert.deepEqual(rowsIn(reportOf(names, rowsIn(old))), []);
  });
});
