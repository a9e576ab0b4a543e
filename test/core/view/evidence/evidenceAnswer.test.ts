import assert from 'node:assert/strict';
import { evidenceAnswer, evidenceSentence, evidenceVerdict } from '../../../../src/core/view/evidence/evidenceAnswer';
import { formatHint, lineEndsHint } from '../../../../src/contracts/vocabulary/files/evidenceFiles';

const files = [
  ...['EXECUTION_HEADER.json', 'PLAN.locked.json', 'EXECUTION_SUMMARY.md', 'archive'],
  ...['TASK_a.json', 'TASK_b.json', 'MILESTONE_m.json', 'notes.txt'],
];
const absent = { code: 'JOURNAL_ABSENT', severity: 'info', file: '', message: 'No journal.', next: 'Nothing.' };
const wrong = {
  code: 'DIGEST_MISMATCH',
  severity: 'error',
  file: 'TASK_a.json',
  message: 'It has other bytes.',
  hint: 'Only line ends differ.',
  next: 'Take the committed file back.',
};

describe('the answer of Verify Evidence', () => {
  it('says that evidence holds, and what was checked for that', () => {
    assert.deepEqual(evidenceAnswer('p', files, { valid: true, findings: [] }), {
      holds: true,
      text: 'The evidence of p holds. Checked: the header, the locked plan, the summary, 2 tasks, 1 milestone, the archive. The journal of this machine says the same.',
      lines: [],
    });
  });

  it('says where no journal was there to check it against', () => {
    const { text, lines } = evidenceAnswer('p', ['TASK_a.json'], { valid: true, findings: [absent] });
    assert.equal(
      text,
      'The evidence of p holds. 1 finding. Checked: 1 task. No journal here knows this mission, so the files were compared with each other alone.',
    );
    assert.deepEqual(lines, ['info JOURNAL_ABSENT', '    No journal.']);
  });

  it('says of what is not there, or may not be read, that nothing was verified', () => {
    const sentence = (code: string, file = ''): string =>
      evidenceSentence('p', { valid: false, findings: [{ ...wrong, code, file }] });
    assert.equal(sentence('EVIDENCE_NONE'), 'There is no evidence of p to verify.');
    const unread = 'The evidence of p could not be read, so nothing was verified.';
    assert.equal(sentence('EVIDENCE_UNREADABLE'), unread);
    assert.equal(sentence('EVIDENCE_UNREADABLE', 'TASK_a.json'), 'The evidence of p does not hold.');
    assert.equal(sentence('EVIDENCE_MISSING'), 'The evidence of p does not hold.');
    const finding = { ...wrong, code: 'EVIDENCE_UNREADABLE', file: '' };
    assert.ok(evidenceAnswer('p', [], { valid: false, findings: [finding] }).text.startsWith(unread));
    assert.equal(evidenceVerdict({ valid: false, findings: [finding] }, 'd', null).text, 'Evidence could not be read');
    assert.match(evidenceVerdict({ valid: false, findings: [wrong] }, 'd', null).text, /does not hold: 1 finding$/);
  });

  it('names the first error and every finding with what a person can do', () => {
    const { holds, text, lines } = evidenceAnswer('p', [], { valid: false, findings: [absent, wrong] });
    assert.equal(holds, false);
    assert.match(
      text,
      /^The evidence of p does not hold\. DIGEST_MISMATCH TASK_a\.json: It has other bytes\. Only line ends differ\. 1 more finding\./,
    );
    assert.ok(text.endsWith('Checked: nothing, because no file is there.'), text);
    assert.deepEqual(lines.slice(2), [
      'error DIGEST_MISMATCH TASK_a.json',
      '    It has other bytes.',
      '    Only line ends differ.',
      '    Next: Take the committed file back.',
    ]);
  });

  for (const [hint, said] of [
    [formatHint, 'Only the format differs, such as blanks: a formatter or an editor may have written it.'],
    [
      lineEndsHint,
      'Only line ends or the byte-order mark differ: git or an editor may have converted them, and the content is the same.',
    ],
  ] as const)
    it(`says in the message itself: ${said.slice(0, 25)}`, () => {
      const { text, lines } = evidenceAnswer('p', [], { valid: false, findings: [{ ...wrong, hint }] });
      assert.ok(text.includes(` It has other bytes. ${said} Checked:`), text);
      assert.ok(lines.includes(`    ${hint}`), lines.join('\n'));
    });
});
