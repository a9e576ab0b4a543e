import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { evidenceReader } from '../../../src/adapters/evidence/reader';
import { parseJsonText } from '../../../src/adapters/documents/json';
import { sealHeader, sha256Of } from '../../../src/adapters/files/bytes/sha256';
import { canonicalText } from '../../../src/base/json';
import {
  formatHint,
  lineEndsHint,
  mergeHint,
  pointerHint,
  sealFormatHint,
  unconfirmedHint,
} from '../../../src/contracts/vocabulary/files/evidenceFiles';
import type { EvidenceFinding } from '../../../src/contracts/vocabulary/codes/evidenceFindings';
import type { JournalFacts } from '../../../src/core/verify/facts';
import { verifyEvidence } from '../../../src/engine/evidence/verify';
import { evidenceFolder, evidenceSample, missionId, planId, put, type EvidenceSample } from './sample';
import { removeScratch } from '../scratch';

const again = (text: string, indent: number | string): string => JSON.stringify(JSON.parse(text), null, indent);
const sorted = (text: string): string => JSON.stringify(JSON.parse(canonicalText(JSON.parse(text))), null, 2);

/** What formatters and editors make of JSON, with the same content. */
const jsonFormatters: Readonly<Record<string, (text: string) => string | Promise<string>>> = {
  'four blanks': (text) => `${again(text, 4)}\n`,
  tabs: (text) => `${again(text, '\t')}\n`,
  'one line': (text) => again(text, 0),
  'no newline at the end': (text) => text.trimEnd(),
  'two newlines at the end': (text) => `${text}\n`,
  'blanks at the ends of lines': (text) => text.replaceAll('\n', '  \n'),
  'sorted keys': (text) => `${sorted(text)}\n`,
  'sorted keys, four blanks, CRLF and a byte-order mark': (text) =>
    `\ufeff${again(sorted(text), 4).replaceAll('\n', '\r\n')}\r\n`,
  'escapes for what is not ASCII': (text) =>
    text.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`) + '\n',
  Prettier: (text) => format(text, { parser: 'json', printWidth: 120 }),
};

const markdownFormatters: Readonly<Record<string, (text: string) => string | Promise<string>>> = {
  'no newline at the end': (text) => text.trimEnd(),
  'three newlines at the end': (text) => `${text}\n\n`,
  'blanks at the ends of lines': (text) => text.replaceAll('\n', ' \t\n'),
  'padded tables': (text) => text.replaceAll(' | ', '   |  ').replaceAll('| --- ', '| ------ '),
  Prettier: (text) => format(text, { parser: 'markdown' }),
};

/** Changes that a formatter does not make, however harmless they look. */
const changes: Readonly<Record<string, (text: string) => string | Buffer>> = {
  'another value': (text) => again(text.replace('"SUCCESS"', '"FAILED"'), 4),
  'a key that stands twice': (text) => text.replace('"status":', '"status": "FAILED",\n  "status":'),
  'a key that stands twice, once with an escape': (text) =>
    text.replace('"status":', '"st\\u0061tus": "FAILED",\n  "status":'),
  'a number beyond double precision': (text) => text.replace('"attempt": 1,', '"attempt": 1.00000000000000000001,'),
  'a number that no double holds': (text) => text.replace('"exit_code": 0', '"exit_code": 1e400'),
  'a member that reaches a prototype': (text) => text.replace('{', '{ "__proto__": { "status": "FAILED" },'),
  'a further member': (text) => text.replace('{', '{ "x_more": 1,'),
  'bytes that are no UTF-8': (text) => Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0x20, 0xff, 0x7d])]),
  'nested deeply': (text) => text.replace('{', `{ "x_deep": ${'['.repeat(100_000)}${']'.repeat(100_000)},`),
  'very large': (text) => text.replace('{', `{ "x_large": "${'x'.repeat(11 * 1024 * 1024)}",`),
  'very many blanks before the end': (text) => `${' '.repeat(11 * 1024 * 1024)}${text}`,
  'no JSON': (text) => text.replace('{', '{ // checked\n'),
};

const names = ['EXECUTION_HEADER.json', 'EXECUTION_SUMMARY.md', 'PLAN.locked.json', 'TASK_T1.json', 'TASK_T2.json'];

/** The next step of each file that was only reformatted, instead of a search for the person who changed it. */
const backOf = (file: string): string =>
  `Where \`git diff -- docs/ops/executions/P1\` shows nothing but format, bring the bytes back with \`git restore -- docs/ops/executions/P1\`. Where it shows nothing, look for the COMMIT before the format with \`git log -p -- FILE\`. Then \`git restore --source=COMMIT -- FILE\` brings its bytes back. Where the log shows no such commit, git has no copy. ${
    file === 'PLAN.locked.json'
      ? `Where the mission ran, \`.mission-control/missions/${missionId}/PLAN.locked.json\` has the bytes.`
      : 'Look for one in a backup.'
  }`;

async function errorsOf(sample: EvidenceSample, journal: JournalFacts | null): Promise<readonly EvidenceFinding[]> {
  const { valid, findings } = await verifyEvidence(evidenceReader(sample.root, planId), journal);
  assert.equal(valid, false);
  return findings.filter(({ severity }) => severity === 'error');
}

async function rewrite(
  sample: EvidenceSample,
  name: string,
  change: (text: string) => string | Buffer | Promise<string>,
): Promise<void> {
  await writeFile(sample.file(name), await change(await readFile(sample.file(name), 'utf8')));
}

describe('evidence that a formatter rewrote', () => {
  afterEach(removeScratch);

  for (const [formatter, change] of Object.entries(jsonFormatters))
    it(`is distinguished from a change of its content: JSON, ${formatter}`, async () => {
      const sample = await evidenceSample({ task: (facts) => ({ ...facts, description: 'Größe – 尺寸' }) });
      const json = names.filter((name) => name.endsWith('.json'));
      const before = new Map<string, string>();
      for (const name of json) {
        before.set(name, await readFile(sample.file(name), 'utf8'));
        await rewrite(sample, name, change);
      }
      const changed = new Set<string>();
      for (const name of json) if ((await readFile(sample.file(name), 'utf8')) !== before.get(name)) changed.add(name);
      const errors = await errorsOf(sample, sample.journal);
      assert.deepEqual(new Set(errors.map(({ file }) => file)), changed);
      for (const { code, file, hint, next } of errors) {
        const known = code === 'HEADER_SEAL_BROKEN' ? sealFormatHint : formatHint;
        assert.equal(hint, known, `${code} ${file}`);
        assert.equal(next, backOf(file), `${code} ${file}`);
      }
    });

  for (const [formatter, change] of Object.entries(markdownFormatters))
    it(`is distinguished from a change of its content: the summary, ${formatter}`, async () => {
      const sample = await evidenceSample();
      await rewrite(sample, 'EXECUTION_SUMMARY.md', change);
      const errors = await errorsOf(sample, sample.journal);
      assert.deepEqual(
        errors.map(({ code, hint }) => [code, hint]),
        [
          ['SUMMARY_DIGEST_MISMATCH', formatHint],
          ['JOURNAL_DISAGREES', formatHint],
        ],
      );
    });

  for (const [what, change] of Object.entries(changes))
    it(`is not what a file with ${what} is called`, async () => {
      const sample = await evidenceSample();
      await rewrite(sample, 'TASK_T1.json', change);
      const errors = await errorsOf(sample, sample.journal);
      assert.ok(errors.length > 0);
      for (const { code, hint, next } of errors) {
        assert.equal(hint, undefined, code);
        assert.notEqual(next, backOf('TASK_T1.json'), code);
      }
    });

  for (const name of ['EXECUTION_SUMMARY.md', 'PLAN.locked.json', 'TASK_T1.json'])
    it(`is not searched for a person where only the pointer of Git LFS is here: ${name}`, async () => {
      const sample = await evidenceSample();
      const pointerTo = (bytes: Buffer): string =>
        `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256Of(bytes).toLowerCase()}\nsize ${bytes.length}\n`;
      const pointer = pointerTo(await readFile(sample.file(name)));
      await writeFile(sample.file(name), pointer);
      const errors = await errorsOf(sample, sample.journal);
      assert.ok(errors.some(({ hint, next }) => hint === pointerHint && next.startsWith('Run `git lfs pull`')));
      assert.ok(
        errors.every(({ next }) => !/find out/i.test(next)),
        JSON.stringify(errors),
      );
      await writeFile(sample.file(name), pointer.replace(/oid sha256:.{8}/, 'oid sha256:00000000'));
      assert.ok((await errorsOf(sample, sample.journal)).every(({ hint }) => hint === undefined));
    });

  it('is not what a merge with conflicts is called, which is named with its line', async () => {
    const sample = await evidenceSample();
    const side = /^Bring the file of one side back with `git restore --source=COMMIT -- FILE`/;
    await rewrite(sample, 'EXECUTION_SUMMARY.md', (text) => `<<<<<<< HEAD\n${text}=======\nother\n>>>>>>> other\n`);
    const [summary] = await errorsOf(sample, sample.journal);
    assert.deepEqual([summary?.file, summary?.hint], ['EXECUTION_SUMMARY.md', mergeHint]);
    assert.match(summary?.next ?? '', side);
    for (const name of ['TASK_T1.json', 'EXECUTION_HEADER.json']) {
      await rewrite(sample, name, (text) => text.replace('{', '{\n<<<<<<< HEAD\n=======\n>>>>>>> other'));
      const errors = await errorsOf(sample, sample.journal);
      for (const { file, next } of errors) if (file === name) assert.match(next, side);
      const said = /it is no JSON\. Line 2: The conflict markers of a merge \(<<<<<<<\) stand here/;
      assert.ok(
        errors.some(({ file, message }) => file === name && said.test(message)),
        name,
      );
    }
  });

  it('is not what a pointer of Git LFS is called, which is named with the command that brings the file', async () => {
    const sample = await evidenceSample();
    const pull = 'Run `git lfs pull`, then verify again.';
    for (const name of ['TASK_T1.json', 'EXECUTION_HEADER.json']) {
      const oid = `oid sha256:${'a'.repeat(64)}`;
      await rewrite(sample, name, () => `version https://git-lfs.github.com/spec/v1\n${oid}\nsize 1234\n`);
      const errors = await errorsOf(sample, sample.journal);
      const said = /a pointer of Git LFS and not the file; `git lfs pull` brings the file/;
      assert.ok(
        errors.some(({ file, message, next }) => file === name && said.test(message) && next === pull),
        JSON.stringify(errors),
      );
    }
  });

  it('is not what a summary with another text is called', async () => {
    const sample = await evidenceSample();
    await rewrite(sample, 'EXECUTION_SUMMARY.md', (text) => `${text.replace('2 of 2', '3 of 3')}\n`);
    for (const { code, hint } of await errorsOf(sample, sample.journal)) assert.equal(hint, undefined, code);
  });

  it('names line ends where nothing but they differ', async () => {
    const sample = await evidenceSample();
    for (const name of names) await rewrite(sample, name, (text) => text.replaceAll('\n', '\r\n'));
    for (const { hint } of await errorsOf(sample, sample.journal)) assert.equal(hint, lineEndsHint);
  });

  const plan = '{"plan_id": "P1",\n   "tasks": [{"task_id": "T1"}, {"task_id": "T2"}] }';
  const hints = async (sample: EvidenceSample): Promise<readonly unknown[]> =>
    (await errorsOf(sample, sample.journal)).map(({ code, hint }) => [code, hint]);

  it('of a plan with a layout of its own, is proven by the recorded digest of its content', async () => {
    const sample = await evidenceSample({ plan });
    await rewrite(sample, 'PLAN.locked.json', (text) => `${again(sorted(text), 4)}\n`);
    await put(sample.root, 'docs/plans/PLAN_P1.json', again(plan, 2));
    assert.deepEqual(await hints(sample), [['PLAN_HASH_MISMATCH', formatHint]]);
    await rewrite(sample, 'EXECUTION_HEADER.json', (text) => again(text, 4));
    assert.deepEqual(await hints(sample), [
      ['HEADER_SEAL_BROKEN', sealFormatHint],
      ['PLAN_HASH_MISMATCH', formatHint],
      ['JOURNAL_DISAGREES', formatHint],
    ]);
  });

  it('of a plan is not what a change of one value in both files is called', async () => {
    const sample = await evidenceSample({ plan: plan.replace('"T1"', '"T1", "title": "a"') });
    const changed = plan.replace('"T1"', '"T1", "title": "b"');
    for (const file of [sample.file('PLAN.locked.json'), `${sample.root}/docs/plans/PLAN_P1.json`])
      await writeFile(file, changed);
    assert.deepEqual(await hints(sample), [['PLAN_HASH_MISMATCH', undefined]]);
  });

  it('of a plan is not proven by a header that was changed', async () => {
    const sample = await evidenceSample({ plan });
    const changed = plan.replace('"T1"', '"T1", "title": "b"');
    await writeFile(sample.file('PLAN.locked.json'), changed);
    const content = parseJsonText(Buffer.from(changed)).canonical_sha256;
    await rewrite(sample, 'EXECUTION_HEADER.json', (text) =>
      text.replace(/("plan_canonical_sha256": ")[0-9A-F]{64}/, `$1${content}`),
    );
    const found = (await errorsOf(sample, sample.journal)).map(({ code, pointer, hint }) => [code, pointer, hint]);
    assert.deepEqual(found, [
      ['HEADER_SEAL_BROKEN', '/header_sha256', undefined],
      ['PLAN_HASH_MISMATCH', '', undefined],
      ['JOURNAL_DISAGREES', '/plan_canonical_sha256', undefined],
      ['JOURNAL_DISAGREES', '', undefined],
    ]);
    await writeFile(sample.file('PLAN.locked.json'), plan);
    assert.ok((await errorsOf(sample, null)).some(({ pointer }) => pointer === '/plan_canonical_sha256'));
  });

  it('of a plan whose content has no recorded digest, is proven by a copy of its bytes', async () => {
    const sample = await evidenceSample({ plan, older: true });
    assert.equal((await verifyEvidence(evidenceReader(sample.root, planId), sample.journal)).valid, true);
    await rewrite(sample, 'PLAN.locked.json', (text) => again(text, 2));
    assert.deepEqual(
      (await errorsOf(sample, sample.journal)).map(({ code, hint }) => [code, hint]),
      [['PLAN_HASH_MISMATCH', formatHint]],
    );
    // The formatter rewrote both: nothing here has the recorded digest.
    await put(sample.root, 'docs/plans/PLAN_P1.json', again(plan, 2));
    assert.deepEqual(
      (await errorsOf(sample, sample.journal)).map(({ code, hint }) => [code, hint]),
      [['PLAN_HASH_MISMATCH', undefined]],
    );
  });

  describe('where no journal confirms the digest', () => {
    const hintsOf = async (sample: EvidenceSample, journal: JournalFacts | null): Promise<readonly unknown[]> =>
      (await errorsOf(sample, journal)).map(({ code, file, hint }) => [code, file, hint]);

    it('says that only the original digest would prove it', async () => {
      const sample = await evidenceSample({ plan });
      const form = (name: string, text: string): string =>
        name.endsWith('.md') ? `${text}\n` : `${again(text, '\t')}\n`;
      for (const name of names) await rewrite(sample, name, (text) => form(name, text));
      const found = await errorsOf(sample, null);
      assert.deepEqual(
        found.map(({ code }) => code),
        [
          'HEADER_SEAL_BROKEN',
          'PLAN_HASH_MISMATCH',
          'TASK_DIGEST_MISMATCH',
          'TASK_DIGEST_MISMATCH',
          'SUMMARY_DIGEST_MISMATCH',
        ],
      );
      for (const { hint } of found) assert.equal(hint, unconfirmedHint(formatHint));
      assert.match(unconfirmedHint(formatHint), /^Only the format differs, .* which no journal confirms\./);
      assert.doesNotMatch(unconfirmedHint(formatHint) + unconfirmedHint(lineEndsHint), /proves|content is the same/);
    });

    it('says the same of line ends', async () => {
      const sample = await evidenceSample();
      for (const name of names) await rewrite(sample, name, (text) => text.replaceAll('\n', '\r\n'));
      const broken = { ...sample.journal, chain: { valid: false, first_bad: 2 } };
      for (const journal of [null, broken])
        for (const { code, hint } of await errorsOf(sample, journal))
          assert.equal(hint, code === 'JOURNAL_CHAIN_BROKEN' ? undefined : unconfirmedHint(lineEndsHint), code);
    });

    it('says it of a header that no longer reads as one, in the folder and in the archive', async () => {
      const sample = await evidenceSample();
      await rewrite(sample, 'EXECUTION_HEADER.json', (text) =>
        again(sealHeader(text.replace('"REPORTED"', '"FORGED"')) ?? '', 4),
      );
      const archived = `archive/${missionId}/EXECUTION_HEADER.json`;
      await put(
        sample.root,
        `${evidenceFolder}/${archived}`,
        await readFile(sample.file('EXECUTION_HEADER.json'), 'utf8'),
      );
      const found = (await errorsOf(sample, sample.journal)).filter(({ code }) => code === 'HEADER_SEAL_BROKEN');
      assert.deepEqual(
        found.map(({ file, hint }) => [file, hint]),
        ['EXECUTION_HEADER.json', archived].map((file) => [file, unconfirmedHint(sealFormatHint)]),
      );
    });

    it('does not hide a change whose digest and seal were renewed', async () => {
      const sample = await evidenceSample();
      const task = await readFile(sample.file('TASK_T1.json'), 'utf8');
      const forged = task.replace('Write the file', 'Write another file');
      assert.notEqual(forged, task);
      await rewrite(
        sample,
        'EXECUTION_HEADER.json',
        (text) => sealHeader(text.replace(sha256Of(task), sha256Of(forged))) ?? '',
      );
      await writeFile(sample.file('TASK_T1.json'), again(forged, 4));
      const mismatch = ['TASK_DIGEST_MISMATCH', 'TASK_T1.json', unconfirmedHint(formatHint)];
      assert.deepEqual(await hintsOf(sample, null), [mismatch]);
      assert.deepEqual(await hintsOf(sample, sample.journal), [
        mismatch,
        ['JOURNAL_DISAGREES', 'TASK_T1.json', undefined],
        ['JOURNAL_DISAGREES', 'EXECUTION_HEADER.json', undefined],
      ]);
    });
  });

  it('finds no format alone in a plan file with a key that stands twice', async () => {
    const sample = await evidenceSample();
    await put(
      sample.root,
      'docs/plans/PLAN_P1.json',
      '{"plan_id": "P2", "plan_id": "P1", "tasks": [{"task_id": "T1"}, {"task_id": "T2"}]}',
    );
    const { findings } = await verifyEvidence(evidenceReader(sample.root, planId), sample.journal);
    assert.deepEqual(
      findings.map(({ code, message }) => [code, /its content changed/.test(message)]),
      [['PLAN_CHANGED_SINCE', true]],
    );
  });

  it('holds again with its original bytes', async () => {
    const sample = await evidenceSample();
    assert.deepEqual((await readdir(sample.file('.'))).sort(), names, evidenceFolder);
    const original = await readFile(sample.file('TASK_T1.json'), 'utf8');
    await rewrite(sample, 'TASK_T1.json', (text) => again(text, 4));
    assert.ok((await errorsOf(sample, sample.journal)).length > 0);
    await writeFile(sample.file('TASK_T1.json'), original);
    assert.equal((await verifyEvidence(evidenceReader(sample.root, planId), sample.journal)).valid, true);
  });
});
