import assert from 'node:assert/strict';
import { ownError } from '../../../../src/core/lifecycle/judge/ownError';

/** Ends of real outputs, and the line that says first what went wrong. */
describe('the own error of a failed command', () => {
  const cases: readonly (readonly [program: string, stdout: string, stderr: string, first: string | null])[] = [
    [
      'node --test',
      '▶ math\n  ✔ error: is shown (1ms)\n  ✖ adds (1ms)\n    AssertionError [ERR_ASSERTION]: 1 !== 2\nℹ tests 2\nℹ pass 1\nℹ fail 1\n✖ failing tests:\n',
      '',
      '  ✖ adds (1ms)',
    ],
    ['TAP', 'ok 1 - error: is shown\nnot ok 2 - adds\n  ---\n1..2\n# fail 1', '', 'not ok 2 - adds'],
    [
      'mocha',
      '  1 passing\n  1 failing\n\n  1) math adds:\n      AssertionError [ERR_ASSERTION]: 1 == 2\n      at Context.x',
      '',
      '      AssertionError [ERR_ASSERTION]: 1 == 2',
    ],
    ['jest', '', 'FAIL src/a.test.js\n  ● math › adds\n\n    expect(received).toBe(expected)', '  ● math › adds'],
    ['go', '--- FAIL: TestAdd (0.00s)\n    a_test.go:5: got 1\nFAIL\nFAIL\tx\t0.1s', '', '--- FAIL: TestAdd (0.00s)'],
    [
      'cargo test',
      "running 1 test\nthread 't' panicked at src/lib.rs:5:9:\nassertion `left == right` failed",
      'error: test failed, to rerun pass `--lib`',
      "thread 't' panicked at src/lib.rs:5:9:",
    ],
    ['pytest', '>       assert 1 == 2\nE       assert 1 == 2\n\na.py:2: AssertionError', '', 'E       assert 1 == 2'],
    [
      'Node',
      '',
      "a.js:1\nthrow new Error('x: y')\n^\n\nTypeError: x is not a function\n    at a.js:1",
      'TypeError: x is not a function',
    ],
    ['Python', '', 'Traceback:\n  File "a.py", line 1\nValueError: bad', 'ValueError: bad'],
    ['tsc', "src/a.ts(1,7): error TS2322: Type 'x'\nFound 1 error.", '', "src/a.ts(1,7): error TS2322: Type 'x'"],
    ['eslint', '/w/a.js\n  1:1  error  No x  no-x\n\n✖ 1 problem', '', '  1:1  error  No x  no-x'],
    [
      'gcc',
      '',
      'a.c: In function main:\na.c:1:2: error: x undeclared\nmake: *** [a.o] Error 1',
      'a.c:1:2: error: x undeclared',
    ],
    ['rustc', '', 'warning: unused\nerror[E0382]: borrow of moved value', 'error[E0382]: borrow of moved value'],
    ['npm', '> x\n> y\n\nsh: 1: y: not found', 'npm error code 127\nnpm error Error: z', 'sh: 1: y: not found'],
    ['maven', '[INFO] x\n[ERROR] Failed to execute goal', '', '[ERROR] Failed to execute goal'],
    [
      'a refused write',
      '',
      'sh: 1: cannot create src/x: Read-only file system',
      'sh: 1: cannot create src/x: Read-only file system',
    ],
    ['colours', '\u001b[31m  ✖ adds\u001b[39m', '', '  ✖ adds'],
    ['nothing that looks like one', 'done: 3 files\nexample: else: etc', 'warning: x', null],
    ['nothing at all', '', '', null],
  ];
  for (const [program, stdout, stderr, first] of cases)
    it(`of ${program}`, () => assert.equal(ownError({ stdout, stderr })[0] ?? null, first));

  it('is the error beside the test that failed, where the output has both', () => {
    const stdout =
      "Error: Cannot find module '/w/test'\n    at x\n  code: 'MODULE_NOT_FOUND',\n✖ test (42ms)\nℹ tests 1";
    assert.deepEqual(ownError({ stdout, stderr: '' }), ['✖ test (42ms)', "Error: Cannot find module '/w/test'"]);
  });

  it('has the values of an assertion, up to its stack', () => {
    const stdout =
      '✔ one (1ms)\n✖ adds (1ms)\n✔ two (1ms)\nℹ tests 3\n✖ failing tests:\n\ntest at a.mjs:3:1\n✖ adds (1ms)\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n  \n  3 !== 4\n  \n      at TestContext.x\n';
    assert.deepEqual(ownError({ stdout, stderr: '' }), [
      '✖ adds (1ms)',
      '  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
      '  3 !== 4',
    ]);
  });

  it('comes with the line behind it, and no line of it is long', () => {
    assert.deepEqual(
      ownError({ stdout: '', stderr: `error: ${'x'.repeat(900)}\n\n  why\n  more` }).map(({ length }) => length),
      [400, 5],
    );
  });
});
