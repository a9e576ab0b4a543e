import assert from 'node:assert/strict';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { offeredFixes } from '../../../src/engine/plans/offeredFixes';
import { mendedPlan } from '../../../src/core/plan/fixes/planFix';
import { readCommand } from '../../../src/base/text/commandLine';
import { checkPlanText } from '../../../src/engine/plans/check';
import { basePlan, timelessPlanFiles, withEdits, type Json } from '../../core/plan/cases';

const place = '/ws/docs/plans/PLAN_base-1.json';
const options = {
  path: place,
  workspaceDir: '/ws',
  defaultWorker: 'claude',
  now: '2026-06-01T00:00:00.000Z',
} as const;

/** Checks as people write them. `good.sh` passes, `bad.sh` fails: each of these has to fail. */
const failing: readonly (readonly string[])[] = [
  ['sh good.sh && sh bad.sh'],
  ['sh good.sh; sh bad.sh'],
  ['sh bad.sh; sh good.sh'],
  ['sh bad.sh | cat'],
  ['sh bad.sh > log.txt'],
  ['sh bad.sh > log.txt 2>&1'],
  ['CI=1 sh bad.sh'],
  ['cd . && sh bad.sh'],
  ["sh 'bad.sh'"],
  ['sh', 'good.sh', '&&', 'sh', 'bad.sh'],
  ['sh', 'good.sh', '&&', 'sh bad.sh'],
  ['sh', 'good.sh', '&&sh', 'bad.sh'],
  ['sh', 'good.sh', ';sh', 'bad.sh'],
  ['sh', 'good.sh', '--', '&&sh', 'bad.sh'],
  ['sh', 'good.sh', '\n', 'sh', 'bad.sh'],
  ['sh', 'good.sh', ';', 'sh', 'bad.sh'],
  ['sh', 'good.sh', 'x&&sh', 'bad.sh'],
  ['sh', 'good.sh', 'x;', 'sh', 'bad.sh'],
  ['sh', 'good.sh', '|sh', 'bad.sh'],
  ['sh', 'good.sh', '\nsh', 'bad.sh'],
  ['sh', 'bad.sh', ';', 'sh', 'good.sh'],
  ['sh', 'bad.sh', '|', 'cat'],
  ['sh', 'good.sh', '|', 'grep', 'FAILED'],
  ['sh', 'bad.sh', '>', 'log.txt'],
  ['sh', 'bad.sh', '>log.txt', '2>&1'],
  ['sh', 'good.sh', '&', 'sh', 'bad.sh'],
  ['sh', 'good.sh', '<', 'missing.txt'],
  ['sh', 'good.sh', '&& sh bad.sh'],
  ['sh', 'good.sh', '; sh bad.sh'],
  ['sh', 'good.sh', '|| sh bad.sh && sh bad.sh'],
  ['sh', 'good.sh', '& sh bad.sh'],
  ['sh', 'bad.sh', '| grep FAILED'],
  ['sh', 'bad.sh', '> log.txt'],
  ['sh', 'bad.sh', '> log.txt 2>&1'],
  ['sh', 'good.sh', '< missing.txt'],
  ['sh', 'good.sh', '<missing.txt'],
  ...[['x y &&', 'sh bad.sh'], ['x && sh bad.sh'], ['x; sh bad.sh']].map((rest) => ['sh', 'good.sh', ...rest]),
  ['sh', 'good.sh', '--all', '&& sh bad.sh'],
  ['test', '-n', '$(cat empty.txt)'],
  ['test', '!', '-e', '$PWD/good.sh'],
  ['CI=1', 'sh', 'bad.sh'],
  ['exit', '1'],
  ['sh', '-c', 'sh', 'bad.sh'],
  ['bash', '-c', 'sh good.sh', '&&', 'sh bad.sh'],
  ['bash', '-lc', 'sh good.sh', 'sh bad.sh'],
  ['sh', '-c', 'sh bad.sh; sh good.sh'],
  ['sh', '-c', 'sh bad.sh | cat'],
  ['env', 'CI=1', 'bash', '-c', 'sh bad.sh | cat'],
  ['sh', '-c', 'docker_of_nobody | cat'],
  ['sh', 'bad.sh', '--if-present'],
  ['node', '-e', '0', 'bad.js'],
  ['timeout', '60', 'node', '--eval', 'let a = 1', 'bad.js'],
  ['python3', '-c', 'import sys', 'bad.js'],
  ['node', '-e', 'void 0', '--', 'bad.js'],
  ['node', '-e', 'String(0)', 'bad.js'],
];

/** Checks of known programs, each with a flag by which nothing of the work runs. The word that says so comes first. */
const skipping: readonly (readonly [string, ...(readonly string[])])[] = [
  ['--collect-only', 'pytest', '--collect-only', '-q'],
  ['--co', 'python3', '-m', 'pytest', '--co'],
  ['--version', 'tsc', '--version'],
  ['--version', 'npx', '--no-install', 'tsc', '--version'],
  ['--listTests', 'node', 'node_modules/.bin/jest', '--listTests'],
  ['--dry-run', 'node_modules/.bin/mocha', '--dry-run'],
  ['-n', 'make', '-n', 'test'],
  ['-kn', 'make', '-kn'],
  ['-t', 'make', '-t'],
  ['--touch', 'make', '--touch', 'test'],
  ['--just-print', 'nice', '-n', '5', 'make', '--just-print'],
  ['--help', 'npm', 'test', '--help'],
  ['-V', 'python', '-V'],
  ['-list', 'go', 'test', '-list', '.'],
  ['--no-run', 'cargo', 'test', '--no-run'],
  ['--list-tests', 'dotnet', 'test', '--list-tests'],
  ['--collect-only', 'uv', 'run', 'pytest', '--collect-only'],
];

/** The same flags where they only may skip the work: in a shell's script, behind npm's `--`, or where no work is found. */
const mayBeSkipping: readonly (readonly string[])[] = [
  ['sh', '-c', 'pytest --collect-only'],
  ['npm', 'test', '--', '--listTests'],
  ['jest', '--passWithNoTests'],
  ['ruff', 'check', '--exit-zero', '.'],
  ['make', '-k', '-i'],
  ['gmake', '-ki', 'test'],
  ['nice', 'make', '--ignore-errors'],
  ['sh', '-c', 'make -i'],
  ['mvn', '-fn', 'test'],
  ['mvn', '-DskipTests', 'verify'],
  ['mvn', 'verify', '-Dmaven.test.skip=true'],
  ['make-all', '--skip-tests'],
];

/** Scripts of a shell that hold no command. */
const empty: readonly string[] = ['', ' ', '# npm test', '#!/bin/sh\n# npm test\n  # npm run lint\n'];

/** Checks of the syntax of a script, which may deploy, or serve until it is stopped. */
const ofSyntax: readonly (readonly string[])[] = [
  ['bash', '-n', 'deploy.sh'],
  ['timeout', '60', 'bash', '-xn', 'deploy.sh'],
  ['env', 'CI=1', 'sh', '-n', 'deploy.sh'],
  ['node', '--check', 'server.js'],
  ['perl', '-c', 'serve.pl'],
  ['php', '-l', 'serve.php'],
  ['sh', '-c', 'cd sub && sh -n deploy.sh'],
];

/** Scripts that pass although `bad.sh` fails. */
const swallowing: readonly (readonly string[])[] = [
  ...[
    'sh bad.sh || true',
    'sh bad.sh || /bin/true',
    'sh bad.sh || ls',
    '(sh bad.sh) || true',
    '(sh bad.sh || true)',
    '{ sh bad.sh || true; }',
    'if sh bad.sh; then echo ok; else echo bad; fi',
    'for f in bad.sh good.sh; do sh $f; done',
    'for f in none*; do test -e $f && sh bad.sh; done; true',
    'while ! sh bad.sh; do break; done',
    'case a in a) sh bad.sh || true;; esac',
    'f() { sh bad.sh || true; }; f',
    'set -e; if sh bad.sh; then sh good.sh; fi',
    'set -e; sh bad.sh && sh good.sh; sh good.sh',
    'set -e; set +e; sh bad.sh; sh good.sh',
    'sh bad.sh; set -e; sh good.sh',
    '! sh bad.sh',
    "trap 'exit 0' EXIT; sh bad.sh",
    'eval "sh bad.sh || true"',
    'sh good.sh && sh -c "sh bad.sh || true"',
    'cd none; sh good.sh',
  ].map((script) => ['sh', '-c', script]),
  ['sh', '-ec', 'sh bad.sh && sh good.sh; sh good.sh'],
  ['bash', '--noprofile', '-c', 'sh bad.sh; sh good.sh'],
  ['find', 'bad.sh', '-exec', 'sh', '{}', ';'],
  ['find', 'bad.sh', '-execdir', 'sh', '-c', 'sh {} && exit 1', '{}', ';'],
  ['sh', '-c', 'find bad.sh -exec sh {} \\;'],
];

/** Checks that pass whatever the task did. */
const idle: readonly (readonly string[])[] = [
  ['timeout', '5', 'true'],
  ['env', 'CI=1', 'true'],
  ['nice', '-n', '5', 'timeout', '5', 'sleep', '1'],
  ['node', '-e', ''],
  ['python3', '-c', ' '],
  ['sh', '-c', 'timeout 5 true'],
  ['sh', '-c', 'npm_config_x=1; exit 0'],
  ['cmd', '/c', 'exit', '0'],
  ['test', '-e out/a'],
  ...['test x', 'test -n x', '[ x ]', 'test out/a = out/a', '/usr/bin/test 1 -eq 1', 'timeout 5 test 1 -ne 2'].map(
    (line) => line.split(' '),
  ),
  ['sh', '-c', 'test x'],
];

/** Shells whose scripts are read by one rule alone: commands that `&&` joins. */
const ofOtherShells: readonly (readonly string[])[] = [
  ['cmd', '/c', 'npm test & exit 0'],
  ['cmd.exe', '/d', '/s', '/c', 'npm', 'test', '||', 'ver'],
  ['cmd', '/c', 'if exist a (npm test)'],
  ['pwsh', '-c', 'npm test; exit 0'],
  ['powershell', '-NoProfile', '-ExecutionPolicy', 'Bypass', '-Command', 'try { npm test } catch {}'],
  ['fish', '-c', 'npm test; or true'],
];

/** A text that may be meant as it stands: a warning, although it reads as a shell's. */
const maybeText: readonly (readonly string[])[] = [
  ['grep', 'a && b', 'file'],
  ['rg', 'a | sh', 'file'],
  ['mytool', '--title', '&& more'],
];

/** What is no fault: each stays without a finding. */
const plain: readonly (readonly string[])[] = [
  ['npm', 'test'],
  ['node', '-e', 'if (a && b) process.exit(1); `${c}`'],
  ['grep', '-E', 'a|b$', 'file'],
  ['grep', 'a|b', 'file'],
  ['node', '-e', 'process.exitCode=1;'],
  ['node', '-e', 'process.exitCode=+process.argv[1];', 'a'],
  ['python3', '-c', 'import sys; check(sys.argv)', 'tests.py'],
  ['perl', '-ne', 'print', 'file'],
  ['ruby', '-e', 'exit gets.to_i', 'file'],
  ['node', 'tests.js', '-e', 'x', 'y'],
  ['node', '-e', 'check()', '--input-type=module'],
  ...['test -e out/a', 'test ! -e out/a', '[ -s out/a ]', 'test a -nt b', 'npm test x'].map((line) => line.split(' ')),
  ['sh', '-c', 'test "$(cat a)" = "$(cat b)"'],
  ['node', '-p', 'a&&b'],
  ['jq', '-e', '.a|.b', 'file'],
  ['jq', '.a | .b', 'file'],
  ['grep', '| Total | 5 |', 'file'],
  ['grep', 'a | b; c & d', 'file'],
  ['sqlite3', 'db', 'select 1; select 2;'],
  ['mocha', '--grep', 'adds && removes'],
  ['pip', 'check', '> 1.0', '<2', '<T> x', '< 5'],
  ['curl', 'http://127.0.0.1/x?a=1&b=2'],
  ['semver', '-r', '>=1.0.0'],
  ['sh', '-c', 'npm test && npm run lint'],
  ['sh', '-c', 'export CI=1; npm test'],
  ['sh', '-ec', 'cd a; npm test; echo ok'],
  ['sh', '-c', 'npm test && echo ok'],
  ['sh', '-c', '[ -e a ] && npm test'],
  ['sh', '-c', 'test "$1" = a', 'sh', 'a'],
  ['sh', '-c', 'exit 1', 'sh'],
  ['cmd', '/d', '/c', 'npm', 'test', '&&', 'npm', 'run', 'lint'],
  ['pwsh', '-NoProfile', '-ExecutionPolicy', 'Bypass', '-Command', '& npm test'],
  ['fish', '-c', 'npm test && npm run lint'],
  ['mvn', '-DskipTests=false', 'verify'],
  ['timeout', '5', 'npm', 'test'],
  ['node', '-e', 'check()', ''],
  ['sh', '-c', 'test -z "$(git status --porcelain | head -1)"'],
  ['sh', '-c', "grep 'a|b;c' file"],
  ['sh', '-c', 'npm test 2>&1'],
  ['sh', '-ec', 'npm test; npm run lint'],
  ['bash', '-euo', 'pipefail', '-c', 'npm test | tee log; npm run lint'],
  ['sh', '-c', 'set -e; npm test; npm run lint'],
  ['/opt/my tools/run', 'x'],
  ['my tool.sh'],
  ...['node dist/cli.js --version', 'sh check.sh -n', 'python3 tool.py --help'].map((line) => line.split(' ')),
  ['cargo', 'run', '--', '--help'],
  ['grep', '-n', 'x', 'file'],
  ['nice', '-n', '5', 'npm', 'test'],
  ['pytest', '-n', '4'],
  ['./build/tool', '--version'],
  ['npm', 'publish', '--dry-run'],
  ['bash', '-o', 'pipefail', '-c', 'tsc --version | grep -q 5'],
  ['sh', '-c', 'node --version && npm test'],
  ['env', '-i', 'sh', 'check.sh', '--help'],
  ['make', '-k', '-I', 'include', 'test'],
  ['make', 'test', '-C', 'sub'],
  ['sh', '-c', '# all; of them\nnpm test # && more'],
  ['sh', '-c', 'test "#" = "$1"', 'sh'],
  ['sh', '-c', 'curl http://127.0.0.1/a#b'],
];

describe('the advice about a command of a plan', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'advice-'));
    writeFileSync(path.join(folder, 'good.sh'), 'exit 0\n');
    writeFileSync(path.join(folder, 'bad.sh'), 'exit 7\n');
    writeFileSync(path.join(folder, 'bad.js'), 'process.exit(7);\n');
    writeFileSync(path.join(folder, 'empty.txt'), '');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const codeOf = ([program = '', ...args]: readonly string[]): number | null =>
    spawnSync(program, args, { cwd: folder, input: '' }).status;
  const verifyOf = (plan: Json): readonly (readonly string[])[] =>
    (plan as { tasks: { verify: string[][] }[] }).tasks[0]?.verify ?? [];
  const judged = (verify: readonly (readonly string[])[]) => {
    const plan = withEdits(basePlan, [['/tasks/0/verify', verify as Json]]);
    const { findings } = checkPlanText(timelessPlanFiles, JSON.stringify(plan), place, { workspaceDir: '/ws' });
    return {
      plan,
      findings: findings.filter(({ pointer }) => pointer.startsWith('/tasks/0/verify')),
    };
  };

  for (const argv of failing) {
    it(`makes ${JSON.stringify(argv)} fail, which has to`, () => {
      const { plan, findings } = judged([argv]);
      assert.equal(findings.length, 1, JSON.stringify(findings));
      const [finding] = findings;
      assert.ok(finding);
      const [offered] = offeredFixes(plan, findings, options);
      const lists = [...finding.message.matchAll(/\["(?:[^"\\]|\\.|",")*"\]/g)].map(
        ([text]) => JSON.parse(text) as string[],
      );
      assert.ok(lists.length > 0, finding.message);
      for (const { title, edits } of (offered?.edits ?? []).filter((fix) => !fix.title.startsWith('Keep'))) {
        const mended = verifyOf(mendedPlan(plan, edits) as Json);
        assert.deepEqual(judged(mended).findings, [], title);
        assert.ok(
          mended.some((one) => codeOf(one) !== 0),
          `${title}: ${JSON.stringify(mended)}`,
        );
        for (const one of mended) assert.ok(finding.message.includes(JSON.stringify(one)), `${title} is not said`);
      }
      const followed = lists.filter((one) => judged([one]).findings.length === 0);
      assert.deepEqual(followed, lists, 'each list that is said has no finding');
      assert.ok((offered?.edits ?? []).length > 0, 'nothing is offered');
    });
  }

  it('lets a script hold what only a shell knows, and offers no fix', () => {
    for (const argv of [
      ['!', 'grep', '-q', 'TODO', 'good.sh'],
      ['! grep -q TODO source.txt'],
      ['if', 'grep', '-q', 'x', 'good.sh', ';', 'then', 'exit', '1', ';', 'fi'],
      ['for', 'f', 'in', 'a', 'b;', 'do', 'sh', '$f;', 'done'],
    ]) {
      const { plan, findings } = judged([argv]);
      assert.deepEqual(
        findings.map(({ code, severity, pointer }) => [code, severity, pointer]),
        [['ARGV_SHELL_SYNTAX', 'error', '/tasks/0/verify/0/0']],
      );
      assert.match(
        findings[0]?.message ?? '',
        /; write the whole line into a script, .* run that: \["sh","check\.sh"\]\.$/,
      );
      assert.deepEqual(offeredFixes(plan, findings, options)[0]?.edits ?? [], []);
    }
  });

  it('keeps an operator that is meant as a text', () => {
    writeFileSync(path.join(folder, 'source.ts'), 'if (a && b) c();\n');
    const argv = ['grep', '-c', '&&', 'source.ts'];
    const { plan, findings } = judged([argv]);
    const [offered] = offeredFixes(plan, findings, options);
    const kept = offered?.edits.find(({ title }) => title === 'Keep "&&" as an argument');
    assert.ok(kept);
    const [mended = []] = verifyOf(mendedPlan(plan, kept.edits) as Json);
    assert.deepEqual([codeOf(argv), codeOf(mended), judged([mended]).findings], [0, 0, []]);
  });

  for (const argv of swallowing)
    it(`warns of ${JSON.stringify(argv)}, which passes although a command in it failed`, () => {
      const { plan, findings } = judged([argv]);
      assert.equal(codeOf(argv), 0);
      assert.deepEqual(
        findings.map(({ code, severity }) => [code, severity]),
        [['VERIFY_HIDES_FAILURE', 'warning']],
      );
      for (const { title, edits } of offeredFixes(plan, findings, options)[0]?.edits ?? []) {
        const mended = verifyOf(mendedPlan(plan, edits) as Json);
        assert.deepEqual(judged(mended).findings, [], title);
        assert.ok(
          mended.some((one) => codeOf(one) !== 0),
          title,
        );
      }
    });

  it('warns of what passes whatever the task did, and of scripts for other shells', () => {
    const found = (argv: readonly string[]) => judged([argv]).findings.map(({ code, severity }) => [code, severity]);
    for (const [lists, code] of [
      [idle, 'VERIFY_CANNOT_FAIL'],
      [ofOtherShells, 'VERIFY_HIDES_FAILURE'],
    ] as const)
      assert.deepEqual(
        lists.map((argv) => [argv, found(argv)]),
        lists.map((argv) => [argv, [[code, 'warning']]]),
      );
  });

  it('is a warning for a text that may be meant as it stands', () => {
    const found = (argv: readonly string[]) => judged([argv]).findings.map(({ code, severity }) => [code, severity]);
    assert.deepEqual(
      maybeText.map((argv) => [argv, found(argv)]),
      maybeText.map((argv) => [argv, [['ARGV_SHELL_SYNTAX', 'warning']]]),
    );
  });

  it('says that a check of the syntax is only that, and never offers to run the script', () => {
    for (const argv of ofSyntax) {
      const { plan, findings } = judged([argv]);
      assert.deepEqual(
        findings.map(({ code, severity }) => [code, severity]),
        [['VERIFY_RUNS_NOTHING', 'warning']],
        argv.join(' '),
      );
      assert.match(findings[0]?.message ?? '', / checks only the syntax /);
      assert.deepEqual(offeredFixes(plan, findings, options)[0]?.edits ?? [], []);
    }
  });

  it('is an error where a text with blanks goes on from what a program was given', () => {
    for (const text of ['&& sh lint.sh', '| grep FAILED', '; sh lint.sh', '> out/log.txt'])
      assert.equal(judged([['sh', 'check.sh', text]]).findings[0]?.severity, 'error', text);
  });

  for (const [flag, ...argv] of skipping)
    it(`warns of ${JSON.stringify(argv)}, because ${flag} runs nothing of its work`, () => {
      const { plan, findings } = judged([argv]);
      assert.deepEqual(
        findings.map(({ code, severity, pointer }) => [code, severity, pointer]),
        [['VERIFY_RUNS_NOTHING', 'warning', `/tasks/0/verify/0/${argv.indexOf(flag)}`]],
      );
      for (const { title, edits } of offeredFixes(plan, findings, options)[0]?.edits ?? [])
        assert.deepEqual(judged(verifyOf(mendedPlan(plan, edits) as Json)).findings, [], title);
    });

  it('warns where a flag may skip the work', () => {
    const found = (argv: readonly string[]) => judged([argv]).findings.map(({ code, severity }) => [code, severity]);
    assert.deepEqual(
      mayBeSkipping.map((argv) => [argv, found(argv)]),
      mayBeSkipping.map((argv) => [argv, [['VERIFY_RUNS_NOTHING', 'warning']]]),
    );
  });

  it('warns where a shell is given no command', () => {
    for (const script of empty) {
      const { findings } = judged([['sh', '-c', script]]);
      assert.deepEqual(
        findings.map(({ code }) => code),
        ['VERIFY_CANNOT_FAIL'],
        script,
      );
      assert.match(findings[0]?.message ?? '', / holds no command, and passes;/);
    }
  });

  it('is not given for what a program gets as it is meant', () => {
    assert.deepEqual(
      plain.map((argv) => [argv, readCommand(argv).kind]),
      plain.map((argv) => [argv, 'plain']),
    );
  });
});
