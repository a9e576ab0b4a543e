import assert from 'node:assert/strict';
import { cellOf, instead, refreshed, reportOf, rowsIn, rowsOf, type Row, type Visited } from './report';

const visited = (name: string, seen: string, expected = seen): Visited => ({
  name,
  skipped: null,
  visits: [{ what: 'sample', seen, expected, problem: seen === expected ? null : 'other', seconds: 1.25 }],
});

describe('the report of habitats', () => {
  const names = ['first', 'a | b', 'third'].map(cellOf);

  it('is read back outcome by outcome, whatever it holds', () => {
    const rows = [
      ...rowsOf(visited('first', 'exit 0 completed'), '2026-01-01'),
      ...rowsOf(visited('a | b', 'exit 1 | two<br>of\nlines', 'exit 0'), '2026-01-02'),
      ...rowsOf({ name: 'third', skipped: 'no mounts', visits: [] }, '2026-01-03'),
    ];
    const report = reportOf(names, rows);
    assert.deepEqual(rowsIn(report), rows);
    assert.match(
      report,
      /habitats: 3, of which 1 were skipped where this was written, with the reason, and 0 were not/,
    );
    assert.match(report, /outcomes: 2, of which 1 are not as expected/);
    assert.match(report, /^\| third \| skipped: no mounts \|/m);
  });

  it('names in the line of a habitat only what is not usually seen', () => {
    const ofOne = (name: string, sample: string): readonly Row[] => {
      const visit = { expected: sample, problem: null, seconds: 1 };
      const visits = [
        { ...visit, what: 'made', seen: 'made', expected: 'made' },
        { ...visit, what: 'sample', seen: sample },
      ];
      return rowsOf({ name, skipped: null, visits }, '2026-01-01');
    };
    const rows = [...ofOne('first', 'exit 0'), ...ofOne('third', 'exit 0'), ...ofOne('a | b', 'exit 4')];
    const report = reportOf(names, rows);
    assert.match(report, /^\| first \| {2}\| 2026-01-01: made, sample \|$/m);
    assert.match(report, /^\| a \\\| b \| sample: exit 4 \| 2026-01-01: made, sample \|$/m);
    assert.deepEqual(
      new Set(rowsIn(report).map((row) => JSON.stringify(row))),
      new Set(rows.map((row) => JSON.stringify(row))),
    );
  });

  it('keeps the outcomes of habitats that a run did not visit, in the order of the habitats', () => {
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

  it('keeps the other outcomes of a habitat where a run played one scenario', () => {
    const visit = { what: 'sample', seen: 'exit 0', expected: 'exit 0', problem: null, seconds: 1 };
    const both = { name: 'first', skipped: null, visits: [visit, { ...visit, what: 'block' }] };
    const earlier = instead([], 'first', rowsOf(both, '2026-01-01'));
    const rows = refreshed(earlier, rowsOf({ ...both, visits: [{ ...visit, what: 'block' }] }, '2026-01-02'));
    assert.deepEqual(
      rowsIn(reportOf(names, rows)).map(({ scenario, day }) => [scenario, day]),
      [
        ['sample', '2026-01-01'],
        ['block', '2026-01-02'],
      ],
    );
  });

  it('has the order of a visit, whichever part was looked at last, and names what is missing', () => {
    const visit = { seen: 'exit 0', expected: 'exit 0', problem: null, seconds: 1 };
    const both = { name: 'first', skipped: null, visits: ['block', 'made'].map((what) => ({ ...visit, what })) };
    const report = reportOf(names, rowsOf(both, '2026-01-01'));
    assert.match(report, /^\| first \| {2}\| 2026-01-01: made, block \|$/m);
    assert.match(report, /^- not looked at yet: a \\\| b; third$/m);
  });

  it('loses the outcomes of removed habitats', () => {
    assert.deepEqual(rowsIn(reportOf(names, rowsOf(visited('gone', 'exit 0'), '2026-01-01'))), []);
  });
});
