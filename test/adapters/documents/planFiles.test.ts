import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { unreadableCodes } from '../../../src/contracts/vocabulary/codes/findings';
import { explainMismatch } from '../../../src/core/plan/mismatch';
import { checkPlan, checkPlanText } from '../../../src/engine/plans/check';
import { skipWithReason } from '../../support/skip';
import { fileCodes, textCases } from './textCases';

const fixture = (variant: string): string => path.resolve(`test/fixtures/plans/PLAN_RGPT-S2-B-04-001${variant}.json`);

describe('plan text', () => {
  for (const { name, content, code, line, column, pointer, says } of textCases) {
    it(`${name}: ${code}`, () => {
      const check = checkPlanText(planFiles, content(), null);
      const finding = check.findings.find(
        (one) => one.code === code && (pointer === undefined || one.pointer === pointer),
      );
      assert.ok(finding, JSON.stringify(check.findings.slice(0, 5)));
      assert.equal(check.valid, false);
      assert.equal(check.plan, null);
      if (line !== undefined) assert.equal(finding.line, line, 'line');
      if (column !== undefined) assert.equal(finding.column, column, 'column');
      if (says !== undefined) assert.match(finding.message, says);
      assert.doesNotMatch(finding.message, /Unexpected token|undefined/);
    });
  }

  it('accepts depth 64, and 1 MB', () => {
    assert.deepEqual(planFiles.parse(`${'['.repeat(64)}${']'.repeat(64)}`).findings, []);
    const big = Buffer.alloc(1 << 20, ' ');
    big.write('{}');
    assert.deepEqual(planFiles.parse(big).findings, []);
  });

  it('places each of many fields of one object, without a search of all for each', () => {
    const text = `{${Array.from({ length: 40_000 }, (_, index) => `"k${String(index)}":1`).join(',')}}`;
    const unknown = Array.from({ length: 40_000 }, (_, index) => `/k${String(index)}`);
    const findings = unknown.map(
      (pointer) => ({ code: 'FIELD_UNKNOWN', severity: 'warning', pointer, message: '' }) as const,
    );
    assert.equal(planFiles.parse(text).locate(findings).at(-1)?.column, text.lastIndexOf('"k') + 1);
  });

  it('never lets a plan reach a prototype', () => {
    const check = checkPlanText(
      planFiles,
      '{"__proto__": {"polluted": 1}, "tasks": [{"constructor": {"prototype": {"polluted": 1}}}]}',
      null,
    );
    assert.equal(check.valid, false);
    assert.equal(({} as { polluted?: number }).polluted, undefined);
    assert.equal(check.findings.filter(({ code }) => code === 'JSON_FORBIDDEN_KEY').length, 3);
  });

  it('judges a document with duplicate keys as far as it goes', () => {
    const codes = checkPlanText(
      planFiles,
      '{"status": "DRAFT", "status": "DRAFT", "risk": {"level": 5}}',
      null,
    ).findings.map(({ code }) => code);
    assert.ok(
      ['JSON_DUPLICATE_KEY', 'STATUS_NOT_APPROVED', 'RISK_TOO_HIGH', 'MISSING_REQUIRED_INPUT'].every((code) =>
        codes.includes(code),
      ),
      codes.join(),
    );
  });

  it('marks a value, a key for a block, and the nearest place for what is missing', () => {
    const text =
      '{\n  "risk": { "level": "2" },\n  "tasks": [\n    { "task_id": "T1" }\n  ],\n  "scope": { "allowed": [] }\n}';
    const { findings } = checkPlanText(planFiles, text, null);
    const marked = (code: string, pointer: string): string => {
      const found = findings.find((one) => one.code === code && one.pointer === pointer);
      return `${found?.line}:${found?.column} ${text.slice(found?.offset, (found?.offset ?? 0) + (found?.length ?? 0))}`;
    };
    assert.equal(marked('SCHEMA_INVALID', '/risk/level'), '2:22 "2"');
    assert.equal(marked('MISSING_REQUIRED_INPUT', '/tasks/0'), '4:5 {');
    assert.equal(marked('SCOPE_EMPTY', '/scope/allowed'), '6:14 "allowed"');
    assert.equal(marked('MISSING_REQUIRED_INPUT', ''), '1:1 {');
  });

  it('ends its list of findings, and still names the first error', () => {
    const fields = Array.from({ length: 3000 }, (_, index) => `"field${index}": 1`).join(',\n');
    const { findings, code } = checkPlanText(planFiles, `{${fields}, "status": "DRAFT"}`, null);
    assert.equal(code, 'MISSING_REQUIRED_INPUT');
    assert.ok(findings.length <= 1002);
    assert.equal(findings.at(-1)?.code, 'FINDINGS_TRUNCATED');
  });
});

describe('plan files', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'plan-files-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const codesOf = async (file: string): Promise<readonly string[]> => {
    const check = await checkPlan(planFiles, file);
    assert.equal(check.plan_sha256, null);
    assert.equal(check.bytes, null);
    return check.findings.map(({ code }) => code);
  };

  it('that cannot be read are findings of their own', () => {
    assert.deepEqual([...fileCodes], [...unreadableCodes]);
  });
  it('that do not exist: FILE_NOT_FOUND', async () => {
    assert.deepEqual(await codesOf(path.join(folder, 'none.json')), ['FILE_NOT_FOUND']);
    writeFileSync(path.join(folder, 'a-file'), '');
    assert.deepEqual(await codesOf(path.join(folder, 'a-file', 'none.json')), ['FILE_NOT_FOUND']);
  });
  it('that are folders, pipes or devices: FILE_NOT_REGULAR, without waiting', async () => {
    assert.deepEqual(await codesOf(folder), ['FILE_NOT_REGULAR']);
    if (process.platform === 'win32') return;
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    assert.deepEqual(await codesOf(pipe), ['FILE_NOT_REGULAR']);
    assert.deepEqual(await codesOf('/dev/zero'), ['FILE_NOT_REGULAR']);
  });
  it('behind links that lead in a circle: FILE_UNREADABLE', async () => {
    symlinkSync('round-b', path.join(folder, 'round-a'));
    symlinkSync('round-a', path.join(folder, 'round-b'));
    assert.deepEqual(await codesOf(path.join(folder, 'round-a')), ['FILE_UNREADABLE']);
    assert.deepEqual(await codesOf(`${folder}/${'x'.repeat(300)}.json`), ['FILE_UNREADABLE']);
    assert.deepEqual(await codesOf(`${folder}/a\u0000b`), ['FILE_UNREADABLE']);
  });
  it('that are too large are not read: FILE_TOO_LARGE', async () => {
    const file = path.join(folder, 'large.json');
    writeFileSync(file, Buffer.alloc((1 << 20) + 1, ' '));
    assert.deepEqual(await codesOf(file), ['FILE_TOO_LARGE']);
  });

  it('that this user may not read: FILE_UNREADABLE', async function () {
    const file = path.join(folder, 'secret.json');
    writeFileSync(file, '{}', { mode: 0o000 });
    if (process.getuid?.() !== 0) {
      if (process.platform === 'win32') skipWithReason(this, 'Windows has no permission bits');
      assert.deepEqual(await codesOf(file), ['FILE_UNREADABLE']);
      return;
    }
    // root reads everything: look through the eyes of an unprivileged user.
    if (spawnSync('setpriv', ['--version']).error)
      skipWithReason(this, 'setpriv is not installed and the tests run as root');
    chmodSync(folder, 0o755);
    const program = path.join(folder, 'check.cjs');
    await build({
      entryPoints: ['src/adapters/documents/planFiles.ts'],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
      outfile: program,
      alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    });
    writeFileSync(
      program,
      `${readFileSync(program, 'utf8')}\nmodule.exports.planFiles.read(process.argv[2]).then((text) => console.log(text.findings[0].code));`,
    );
    // A copy, because the unprivileged user need not be able to reach the one that runs these tests.
    const node = path.join(folder, 'node');
    writeFileSync(node, readFileSync(process.execPath), { mode: 0o755 });
    const answer = spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', node, program, file], {
      encoding: 'utf8',
      cwd: '/',
      env: {},
    });
    assert.equal(answer.stdout.trim(), 'FILE_UNREADABLE', answer.stderr);
  });

  it('hash their raw bytes; content explains a mismatch', async () => {
    const plans = await Promise.all(
      ['', '.crlf', '.bom-crlf'].map(async (variant) => checkPlan(planFiles, fixture(variant))),
    );
    const [lf, crlf, bom] = plans;
    assert.ok(lf && crlf && bom);
    assert.equal(
      lf.plan_sha256,
      createHash('sha256')
        .update(readFileSync(fixture('')))
        .digest('hex')
        .toUpperCase(),
    );
    assert.equal(new Set(plans.map((plan) => plan.plan_sha256)).size, 3);
    assert.equal(new Set(plans.map((plan) => plan.canonical_sha256)).size, 1);
    assert.match(explainMismatch(bom, lf), /line ends or the byte-order mark/);
    assert.match(explainMismatch(crlf, bom), /line ends or the byte-order mark/);
    const reordered = planFiles.parse(JSON.stringify(Object.fromEntries(Object.entries(lf.plan ?? {}).reverse())));
    assert.match(explainMismatch(lf, reordered), /white space or the order/);
    assert.match(explainMismatch(lf, planFiles.parse('{}')), /content of the plan changed/);
    assert.match(explainMismatch(lf, { bytes: null, canonical_sha256: null }), /no longer be read/);
  });

  it('are written only over the bytes that were seen, keep their mode, and are created only once', async () => {
    const file = path.join(folder, 'docs', 'plans', 'PLAN_w.json');
    assert.equal((await planFiles.write(file, '{}', null)).ok, true);
    const again = await planFiles.write(file, '{"a":1}', null);
    assert.equal(!again.ok && again.refusal.code, 'PLAN_ID_REUSED');
    chmodSync(file, 0o640);
    const link = path.join(folder, 'link.json');
    symlinkSync(file, link);
    const { sha256 } = await planFiles.read(file);
    assert.equal((await planFiles.write(link, '{"a":1}', sha256)).ok, true);
    assert.equal(readFileSync(file, 'utf8'), '{"a":1}');
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o640);
    const stale = await planFiles.write(file, '{"a":2}', sha256);
    assert.equal(!stale.ok && stale.refusal.code, 'PLAN_HASH_MISMATCH');
    assert.deepEqual(readdirSync(path.dirname(file)), ['PLAN_w.json']);
    mkdirSync(path.join(folder, 'taken'));
    writeFileSync(path.join(folder, 'taken', 'docs'), '');
    const blocked = await planFiles.write(path.join(folder, 'taken', 'docs', 'plans', 'x.json'), '{}', null);
    assert.equal(!blocked.ok && blocked.refusal.code, 'PLAN_UNWRITABLE');
  });

  it('are written by exactly one of several who saw the same bytes', async () => {
    const file = path.join(folder, 'PLAN_race.json');
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(file, `{"round":${round}}`);
      const { sha256 } = await planFiles.read(file);
      const texts = [0, 1, 2, 3].map((writer) => `{"round":${round},"writer":${writer}}`);
      const answers = await Promise.all(texts.map((text) => planFiles.write(file, text, sha256)));
      const codes = answers.map((answer) => (answer.ok ? 'written' : answer.refusal.code));
      const winner = codes.indexOf('written');
      assert.deepEqual(
        codes,
        texts.map((_, writer) => (writer === winner ? 'written' : 'PLAN_HASH_MISMATCH')),
      );
      assert.equal(readFileSync(file, 'utf8'), texts[winner]);
    }
  });
});
