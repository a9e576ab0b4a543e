import assert from 'node:assert/strict';
import type { Span, TaskRowView } from '../../src/contracts/page/panelView';
import { axisOf } from '../../webview-ui/src/tasks/axis';

const began = Date.parse('2026-01-01T10:00:00Z');
const after = (seconds: number): number => began + seconds * 1000;
const span = (kind: Span['kind'], from: number, to: number | null): Span => ({
  ...{ kind, attempt: 1, outcome: 'passed', text: '' },
  from: new Date(after(from)).toISOString(),
  to: to === null ? null : new Date(after(to)).toISOString(),
});
const row = (...spans: readonly Span[]): TaskRowView => ({
  ...{ task_id: 'T', waits_for: [], in_scope: null, claim: null },
  spans,
});

describe('the time axis', () => {
  it('folds the half hour in which a person was asked, so that an attempt of 8 s is seen', () => {
    const rows = [row(span('worker', 0, 8), span('block', 8, 1808), span('worker', 1808, 1820))];
    const axis = axisOf(began, after(1820), 6, rows);
    assert.equal(axis.folds.length, 1);
    assert.equal(axis.folds[0]?.text, 'Nothing worked for 30:00');
    assert.ok(axis.at(after(8)) > 30, `${axis.at(after(8))} % for the first attempt`);
    assert.ok(axis.at(after(1808)) < 50, `${axis.at(after(1808))} %`);
    assert.equal(axis.at(after(1820)), 100);
    const texts = axis.ticks.map(({ text }) => text);
    assert.ok(texts.includes('0:00') && texts.some((text) => text.startsWith('30:')), texts.join());
    const places = axis.ticks.map(({ percent }) => percent);
    assert.ok(
      places.every((place, index) => index === 0 || place - (places[index - 1] ?? 0) >= 10),
      places.join(),
    );
  });

  it('folds a wait that goes on, up to now', () => {
    const axis = axisOf(began, after(7208), 6, [row(span('worker', 0, 8), span('block', 8, null))]);
    assert.equal(axis.folds.length, 1);
    assert.ok(axis.at(after(8)) > 90);
    assert.equal(axis.at(after(7208)), 100);
  });

  it('folds nothing while any task works, or where the pause is short', () => {
    const beside = [row(span('worker', 0, 8), span('block', 8, 1800)), row(span('verify', 5, 1800))];
    assert.deepEqual(axisOf(began, after(1800), 6, beside).folds, []);
    const short = axisOf(began, after(60), 6, [
      row(span('worker', 0, 10), span('wait', 10, 50), span('worker', 50, 60)),
    ]);
    assert.deepEqual([short.folds, short.at(after(30))], [[], 50]);
    assert.deepEqual(axisOf(began, after(1800), 6, [row()]).folds, []);
  });
});
