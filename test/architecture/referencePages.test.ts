import assert from 'node:assert/strict';
import { codesPage, type ShownSection } from '../../scripts/reference/codesPage.mjs';
import { FieldMeanings } from '../../scripts/reference/fieldMeanings.mjs';
import { schemaPage } from '../../scripts/reference/schemaPage.mjs';

const schema = {
  type: 'object',
  required: ['plan_id'],
  properties: {
    plan_id: { type: 'string', description: 'From the schema.' },
    code: { type: 'string' },
    attempts: {
      type: 'array',
      items: {
        type: 'object',
        properties: { code: { type: 'string' }, reason: { type: 'string' }, at: { type: 'string' } },
      },
    },
  },
};
const comments = new Map([
  ['plan_id', 'From the comment.'],
  ['code', 'From the comment.'],
]);
const table = {
  attempts: 'The attempts.',
  code: 'By its name.',
  reason: 'By its name.',
  'sample/attempts.code': 'By its path.',
  at: 'By its name.',
};

/** The rows `field: meaning` of the page about the sample. */
function rows(meanings: FieldMeanings): readonly string[] {
  const page = schemaPage('Sample', 'About it.', [{ key: 'sample', name: 'S', schema, comments }], meanings);
  return [...page.matchAll(/^\| `(\w+)` \| .* \| (.*) \|$/gm)].map(
    ([, name, meaning]) => `${name ?? ''}: ${meaning ?? ''}`,
  );
}

describe('the reference pages', () => {
  it('show the description of a field, else its comment, else the table by its path, else by its name', () => {
    assert.deepEqual(rows(new FieldMeanings(table)), [
      'plan_id: From the schema.',
      'code: From the comment.',
      'attempts: The attempts.',
      'code: By its path.',
      'reason: By its name.',
      'at: By its name.',
    ]);
  });

  it('fail where a field has no meaning, and name each', () => {
    const { reason: _reason, attempts: _attempts, ...fewer } = table;
    assert.throws(
      () => rows(new FieldMeanings(fewer)),
      /Sample: no meaning of sample\/attempts, sample\/attempts\.reason$/,
    );
  });

  it('fail where no row takes an entry of the table', () => {
    const { code: _code, ...used } = table;
    const all = new FieldMeanings(used);
    rows(all);
    all.mustBeTaken();
    // The comment of the first `code` and the path of the second leave nothing for the name alone.
    const one = new FieldMeanings({ ...table, gone: 'Of an older field.' });
    rows(one);
    assert.throws(() => one.mustBeTaken(), /no row shows code, gone$/);
  });

  it('fail where a code that a message has lacks its meaning or its next step', () => {
    const page = (codes: ShownSection['codes']): string =>
      codesPage([{ code: 'A_CODE' }], [{ title: 'Some', shownBy: 'By a command.', of: () => true, codes }]);
    const words = { meaning: 'It <a> means that.', next: 'Do `this`.' };
    assert.match(page({ A_CODE: words, NEVER_SHOWN: {} }), /^\| `A_CODE` \| It `<a>` means that\. \| Do `this`\. \|$/m);
    assert.match(page({ A_CODE: { severity: 'error', ...words } }), /\| error: It `<a>` means that\. \|/);
    assert.throws(() => page({ A_CODE: { next: 'Do `this`.' } }), /Some: A_CODE has no meaning/);
    assert.throws(() => page({ A_CODE: { meaning: 'It means that.' } }), /Some: A_CODE has no next step/);
  });
});
