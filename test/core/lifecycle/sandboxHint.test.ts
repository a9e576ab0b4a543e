import assert from 'node:assert/strict';
import { heldBack, linkMet, sandboxHint } from '../../../src/core/lifecycle/sandboxHint';
import { variablesMeant } from '../../../src/core/lifecycle/variableHint';

type Attempt = Parameters<typeof sandboxHint>[0];
type End = Parameters<typeof sandboxHint>[2];

const attempt = {
  launches: [
    {
      run_dir: 'r1',
      prepared: {
        sandbox: {
          ...{
            means: 'bubblewrap',
            argv: [
              ...['bwrap', '--ro-bind', '/', '/', '--bind', '/ws/out', '/ws/out', '--tmpfs', '/tmp'],
              ...['--bind', '/state/caches', '/home/u/.cache', '--ro-bind', '/ws/out/kept', '/ws/out/kept'],
              ...['--bind', '/ws/.mission-control/missions/m/runs/1-T1/work', '/home/u/.claude', '--', 'node'],
            ],
            coarser: [],
            network: false,
            folders: [],
          },
          held: ['out/linked.js', 'node_modules/.pnpm'],
        },
      },
    },
  ],
} as unknown as Attempt;

describe('why a command may have failed in its sandbox', () => {
  const cases: readonly (readonly [says: string, stderr: string, hint: RegExp])[] = [
    [
      'a hard link that was to be written',
      "EROFS: read-only file system, open 'out/linked.js'",
      /met out\/linked\.js, which/,
    ],
    [
      'one that was to be replaced',
      "mv: cannot move 'x' to 'out/linked.js': Device or resource busy",
      /met out\/linked\.js, which/,
    ],
    [
      'one of a package manager',
      'open /ws/node_modules/.pnpm/a/i.js: Read-only file system',
      /^It may have met node_modules\/\.pnpm, which.*`package-import-method=copy`/,
    ],
    ['another file', "EROFS: read-only file system, open 'src/a.js'", /^ It met the edge of its sandbox/],
    [
      'a file of the workspace',
      'open /ws/build/a: Read-only file system',
      /not write \/ws\/build\/a\. Add .*execution\.scratch/,
    ],
    [
      'a file outside',
      "OSError: [Errno 30] Read-only file system: '/home/u/.x'",
      /not write \/home\/u\/\.x, which no path/,
    ],
    [
      'Rust',
      'error: failed to open: /home/u/.y\nCaused by:\n  (os error 30)',
      /not write \/home\/u\/\.y, which no path/,
    ],
    ['German', 'touch: „/home/u/a b“: Das Dateisystem ist nur lesbar', /not write \/home\/u\/a b, which no path/],
    ['French', "mkdir: '/h/x': Système de fichiers accessible en lecture seule", /not write \/h\/x, which no path/],
    ['Japanese', 't.sh: 1: /h/x: 読み込み専用ファイルシステムです', /not write \/h\/x, which no path/],
    [
      'a folder that Node makes with those above it',
      "Error: ENOENT: no such file or directory, mkdir '/home/u/.tool/a/b'",
      /^ It met the edge of its sandbox: it may not write \/home\/u\/\.tool\/a\/b, which no path/,
    ],
    [
      'one in the workspace',
      "ENOENT: no such file or directory, mkdir 'build/a'",
      /not write build\/a\. Add .*execution/,
    ],
    ['one below a read-only place', "ENOENT: no such file or directory, mkdir '/ws/out/kept/a'", /not write \/ws\/out/],
    ['one that was not there, where it may write', "ENOENT: no such file or directory, mkdir '/ws/out/a/b'", /^$/],
    ['one in its own folders', "ENOENT: no such file or directory, mkdir '/tmp/a/b' and '/home/u/.cache/a'", /^$/],
    ['a file that is not there', "ENOENT: no such file or directory, open '/home/u/.x'", /^$/],
    ['a file that nothing names', 'EROFS', /: what it has to write in the workspace .* Let it write below \$TMPDIR/],
    ['another error with a path', 'cat: /h/x: Datei nicht gefunden', /^$/],
    ['a hard link that is only named', 'out/linked.js: syntax error', /^$/],
  ];
  for (const [says, stderr_tail, hint] of cases)
    it(says, () =>
      assert.match(
        `${sandboxHint(attempt, 'r1', { stderr_tail } as End)}${linkMet(attempt, 'r1', { stderr_tail } as End).join()}`,
        hint,
      ),
    );

  it('rustup, whose folder a variable that is not passed names', () => {
    const stderr_tail =
      "error: could not create home directory: '/home/u/.rustup': Read-only file system (os error 30)";
    const unpassed = variablesMeant(stderr_tail, ['RUSTUP_HOME', 'GOFLAGS', 'CARGO_HOME']);
    assert.deepEqual(unpassed, ['RUSTUP_HOME', 'CARGO_HOME']);
    const hint = sandboxHint(attempt, 'r1', { stderr_tail, unpassed } as unknown as End);
    assert.match(
      hint,
      /not write \/home\/u\/\.rustup, which no path.* RUSTUP_HOME and CARGO_HOME are set here and not/,
    );
    assert.doesNotMatch(hint, /TMPDIR/);
    const other = sandboxHint(attempt, 'r1', { stderr_tail, unpassed: ['GOFLAGS'] } as unknown as End);
    assert.match(other, /Let it write below \$TMPDIR/);
  });

  const held: readonly (readonly [says: string, stderr: string, path: string | null])[] = [
    ['a file of the workspace', "EROFS: read-only file system, open 'src/a.js'", 'src/a.js'],
    ['one by its whole path', 'open /ws/build/a: Read-only file system', 'build/a'],
    ['one outside', "touch: cannot touch '/home/u/.x': Read-only file system", '/home/u/.x'],
    [
      'a folder that Node makes',
      "Error: ENOENT: no such file or directory, mkdir '/home/u/.tool/a'",
      '/home/u/.tool/a',
    ],
    ['none where it may write', "EROFS: read-only file system, open 'out/a.js'", null],
    ['none that is named', 'EROFS', null],
    ['none without words of a refusal', "cannot find 'src/a.js'", null],
  ];
  for (const [says, stderr_tail, path] of held)
    it(`is certain of what the mounts keep read-only: ${says}`, () =>
      assert.equal(heldBack(attempt, 'r1', { stderr_tail } as End), path));
});
