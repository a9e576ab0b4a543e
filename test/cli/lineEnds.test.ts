import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'prettier';
import { CliBed, cliFile, start, type Ended } from './cliBed';

interface Hinted {
  readonly severity: string;
  readonly code: string;
  readonly file: string;
  readonly hint?: string;
}

/** Line ends and the byte-order mark, as git and editors convert them. */
const windows = (text: string): string => text.replaceAll('\n', '\r\n');
const marked = (text: string): string => `\ufeff${text}`;

describe('line ends are not tampering', function () {
  this.timeout(300_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const convert = (file: string, form: (text: string) => string): void =>
    writeFileSync(bed.at(file), form(readFileSync(bed.at(file), 'utf8')));
  const verify = async (plan: string): Promise<{ code: number | null; errors: readonly Hinted[] }> => {
    const { code, json } = await bed.mission('evidence', 'verify', plan);
    const findings = json.findings as unknown as readonly Hinted[];
    return { code, errors: findings.filter(({ severity }) => severity === 'error') };
  };
  const namesLines = (text: string): void => {
    assert.match(text, /[Oo]nly line ends or the byte-order mark/);
    assert.ok(text.includes('docs/plans/*.json -text') && text.includes('docs/ops/executions/** -text'), text);
  };
  const refusedWith = (ended: Ended, code: string): void => {
    assert.deepEqual([ended.code, ended.json.code], [2, code], ended.stdout);
    namesLines(ended.json.reason);
  };

  it('evidence of a mission: verify says what explains each digest, and says nothing where more changed', async () => {
    const plan = bed.plan('ended', [{ script: `${start}fs.writeFileSync('docs/out/a', 'a\\n');` }]);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 0, run.stdout);
    const folder = 'docs/ops/executions/ended';
    const files = readdirSync(bed.at(folder)).map((name) => `${folder}/${name}`);
    const originals = [...files, plan].map((file) => [file, readFileSync(bed.at(file))] as const);
    const restore = (): void => originals.forEach(([file, bytes]) => writeFileSync(bed.at(file), bytes));

    for (const form of [windows, marked]) {
      for (const [file] of originals) convert(file, form);
      const { code, errors } = await verify('ended');
      assert.equal(code, 1);
      const told = new Set(errors.map(({ code: one, file: name }) => `${one} ${name}`));
      for (const expected of [
        'HEADER_SEAL_BROKEN EXECUTION_HEADER.json',
        'PLAN_HASH_MISMATCH PLAN.locked.json',
        'TASK_DIGEST_MISMATCH TASK_T1.json',
        'SUMMARY_DIGEST_MISMATCH EXECUTION_SUMMARY.md',
      ])
        assert.ok(told.has(expected), `${expected} in ${[...told].join('\n')}`);
      for (const { hint, code: one, file } of errors) {
        assert.ok(hint !== undefined, `${one} ${file}`);
        namesLines(hint);
      }
      const again = await bed.mission('run', plan);
      refusedWith(again, 'PLAN_ID_REUSED');
      restore();
    }
    convert(`${folder}/EXECUTION_SUMMARY.md`, (text) => windows(`${text}and more\n`));
    const { errors } = await verify('ended');
    assert.ok(errors.length > 0 && errors.every(({ hint }) => hint === undefined), JSON.stringify(errors));
    restore();
    assert.equal((await verify('ended')).code, 0);
  });

  it('evidence of a mission that Prettier rewrote: verify says that the content is the same', async () => {
    const plan = bed.plan('ended', [{ script: `${start}fs.writeFileSync('docs/out/a', 'a\\n');` }]);
    assert.equal((await bed.mission('run', plan)).code, 0);
    const folder = 'docs/ops/executions/ended';
    const files = readdirSync(bed.at(folder)).map((name) => `${folder}/${name}`);
    const rewritten: string[] = [];
    for (const file of files) {
      const parser = file.endsWith('.md') ? 'markdown' : 'json';
      const [before, after] = [bed.read(file), await format(bed.read(file), { parser })];
      if (before !== after) rewritten.push(path.basename(file));
      bed.write(file, after);
    }
    assert.ok(rewritten.includes('TASK_T1.json') && rewritten.includes('EXECUTION_SUMMARY.md'), rewritten.join());
    const { code, errors } = await verify('ended');
    assert.equal(code, 1);
    assert.deepEqual([...new Set(errors.map(({ file }) => file))].sort(), rewritten.sort());
    for (const { hint, code: one, file } of errors) {
      assert.match(
        hint ?? '',
        /^Only the format differs, such as blanks: a formatter or an editor may have written it\. The (recorded digest|seal of the header) /,
        `${one} ${file}`,
      );
      assert.ok(hint?.includes('"docs/ops/executions/" into .prettierignore'), hint);
    }
    const { stdout } = await bed.spawn(process.execPath, [cliFile, 'evidence', 'verify', 'ended']).ended;
    assert.match(
      stdout,
      / {4}Only the format differs, .*\n {4}next: Where `git diff .*git restore -- docs\/ops\/executions\/ended/,
    );
    assert.doesNotMatch(stdout, /Find out who/);
  });

  it('evidence for another executor: each call explains the digest by line ends', async () => {
    const plan = bed.plan('orch', [{ script: start }, { script: start }]);
    const task = (): Promise<Ended> => bed.mission('orch', 'task', '--plan', plan, '--task', 'T1', '--phase', 'START');
    assert.equal((await bed.mission('orch', 'start', '--plan', plan)).code, 0);
    const header = 'docs/ops/executions/orch/EXECUTION_HEADER.json';
    for (const [file, code] of [
      [plan, 'PLAN_HASH_MISMATCH'],
      [header, 'EVIDENCE_INVALID'],
      ['docs/ops/executions/orch/PLAN.locked.json', 'EVIDENCE_INVALID'],
    ] as const) {
      const original = readFileSync(bed.at(file));
      convert(file, windows);
      refusedWith(await task(), code);
      if (file === plan) refusedWith(await bed.mission('orch', 'start', '--plan', plan), 'PLAN_ID_REUSED');
      writeFileSync(bed.at(file), original);
    }
    const original = readFileSync(bed.at(header), 'utf8');
    bed.write(header, `${JSON.stringify(JSON.parse(original), null, 4)}\n`);
    const reformatted = await task();
    assert.deepEqual([reformatted.code, reformatted.json.code], [2, 'EVIDENCE_INVALID']);
    assert.match(
      reformatted.json.reason,
      /Only the format differs, such as blanks: a formatter or an editor may have written it\. The seal of the header holds /,
    );
    bed.write(header, original);
    assert.equal((await task()).code, 0);
  });
});
