import assert from 'node:assert/strict';
import { judgeExit } from '../../../src/core/lifecycle/judge';
import { heldBack, metBy, metWords } from '../../../src/core/lifecycle/sandboxHint';
import { variablesMeant } from '../../../src/core/lifecycle/variableHint';

type Attempt = Parameters<typeof metBy>[0];
type End = Parameters<typeof metBy>[2] & { readonly unpassed?: readonly string[] };

const attempt = {
  launches: [
    {
      run_dir: 'r1',
      prepared: {
        argv: ['check'],
        sandbox: {
          ...{
            means: 'bubblewrap',
            argv: [
              ...['bwrap', '--ro-bind', '/', '/', '--bind', '/ws/out', '/ws/out', '--tmpfs', '/tmp'],
              ...['--dev', '/dev', '--tmpfs', '/run', '--ro-bind', '/dev/null', '/home/u/.agent/ipc'],
              ...['--ro-bind', '/dev/null', '/ws/out/dev.sock'],
              ...['--unsetenv', 'DBUS_SESSION_BUS_ADDRESS'],
              ...['--bind', '/state/caches', '/home/u/.cache', '--ro-bind', '/ws/out/kept', '/ws/out/kept'],
              ...['--bind', '/ws/.mission-control/missions/m/runs/1-T1/work', '/home/u/.claude', '--', 'node'],
            ],
            coarser: [],
            network: false,
            folders: [],
            reach: { writable: ['out'], read_only: [] },
          },
          held: ['out/linked.js', 'node_modules/.pnpm'],
        },
      },
    },
  ],
} as unknown as Attempt;

const said = (end: End, tail = '', of = attempt): string =>
  metBy(of, 'r1', end, tail)
    .map((met) => metWords(met, end.unpassed))
    .join('\n');
const held = (stderr_tail: string): string | null => heldBack(metBy(attempt, 'r1', { stderr_tail }));

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
    [
      'an approved folder that was to be removed',
      "Error: EBUSY: resource busy or locked, rmdir 'out'",
      /^It may have removed or replaced out itself, which its sandbox keeps, .*`rm -rf out\/\*`/,
    ],
    ['a file in an approved folder', "Error: EBUSY: resource busy or locked, unlink 'out/x'", /^$/],
    [
      'a rename between two approved folders',
      "Error: EXDEV: cross-device link not permitted, rename 'out/a' -> 'lib/a'",
      /^It may have moved something out of an approved folder by a rename, .* \(EXDEV\)/,
    ],
    ['another file', "EROFS: read-only file system, open 'src/a.js'", /^It met the edge of its sandbox/],
    ['a file of the workspace', 'open /ws/build/a: Read-only file system', /not write build\/a\.$/],
    [
      'a file outside',
      "OSError: [Errno 30] Read-only file system: '/home/u/.x'",
      /not write \/home\/u\/\.x, which no path/,
    ],
    [
      'Rust',
      'error: failed to open: /home/u/.y\nCaused by:\n  (os error 30)',
      /^It may have met the edge of its sandbox: writes outside the approved paths are refused there\./,
    ],
    ['another language', 'touch: „/home/u/a b“: Das Dateisystem ist nur lesbar', /^$/],
    [
      'a folder that Node makes with those above it',
      "Error: ENOENT: no such file or directory, mkdir '/home/u/.tool/a/b'",
      /^It may have met the edge of its sandbox: it may not write \/home\/u\/\.tool\/a\/b, which no path/,
    ],
    [
      'one in the workspace',
      "ENOENT: no such file or directory, mkdir 'build/a'",
      /not write build\/a, named from the folder where it ran\.$/,
    ],
    [
      'one below a read-only place',
      "ENOENT: no such file or directory, mkdir '/ws/out/kept/a'",
      /not write out\/kept\/a\.$/,
    ],
    ['one that was not there, where it may write', "ENOENT: no such file or directory, mkdir '/ws/out/a/b'", /^$/],
    ['one in its own folders', "ENOENT: no such file or directory, mkdir '/tmp/a/b' and '/home/u/.cache/a'", /^$/],
    ['a file that is not there', "ENOENT: no such file or directory, open '/home/u/.x'", /^$/],
    [
      'a file that nothing names',
      'Error: EROFS: read-only file system',
      /: writes outside the approved paths are refused there\. .* Let it write below \$TMPDIR/,
    ],
    [
      'a port of the machine, of Node',
      'Error: connect ECONNREFUSED 127.0.0.1:5432',
      /^It may have missed localhost:5432 of this machine, because its .* "execution\.network": \["localhost:5432"\] in/,
    ],
    ['one of bash', 'bash: connect: /dev/tcp/localhost/5432: Connection refused', /missed localhost:5432 of/],
    ['one of IPv6', 'Error: connect ECONNREFUSED ::1:5432', /missed localhost:5432 of/],
    ['one of Go', 'dial tcp [::1]:6379: connect: connection refused', /missed localhost:6379 of/],
    [
      'one of PostgreSQL',
      'connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
      /missed localhost:5432 of/,
    ],
    [
      'one of curl',
      "curl: (7) Failed to connect to localhost port 8080 after 0 ms: Couldn't",
      /missed localhost:8080 of/,
    ],
    ['one that no word names', 'ConnectionRefusedError: [Errno 111] x', /missed a service on localhost of/],
    ['an address that no interface has', 'bind EADDRNOTAVAIL 127.0.0.1:99999', /missed a service on localhost of/],
    ['a port in another error', 'listening on http://localhost:3000', /^$/],
    [
      'the socket of Docker, by the scheme alone',
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      /^It may have missed the socket \/run\/docker\.sock, .* "execution\.network": \["unix:\/run\/docker\.sock"\] in the/,
    ],
    [
      'that of PostgreSQL',
      'on socket "/var/run/postgresql/.s.PGSQL.5432" failed: x',
      /socket \/run\/postgresql\/\.s\./,
    ],
    ['one that the sandbox covers', 'connect ECONNREFUSED /home/u/.agent/ipc', /socket \/home\/u\/\.agent\/ipc, which/],
    ['one where nothing is hidden', 'connect ENOENT /ws/dev.sock', /^$/],
    [
      'one in the workspace',
      'connect ECONNREFUSED /ws/out/dev.sock',
      /socket \/ws\/out\/dev.sock, .* No line of the plan/,
    ],
    ['a port that only root has', 'connect ECONNREFUSED 127.0.0.1:80', /localhost:80 of .* "execution\.network": true/],
    ['a file in a hidden folder', 'cat: /run/motd: x', /^$/],
    [
      'a device',
      'Could not open /dev/kvm: x',
      /missed the device \/dev\/kvm, .* "execution\.devices": \["\/dev\/kvm"\] in/,
    ],
    ['a device that each sandbox has', 'cat: /dev/tty: x', /^$/],
    ['the keyring', 'org.freedesktop.DBus.Error.ServiceUnknown: x', /missed the keyring of the desktop, because/],
    ['another error with a path', 'cat: /h/x: Datei nicht gefunden', /^$/],
    ['a hard link that is only named', 'out/linked.js: syntax error', /^$/],
  ];
  for (const [says, stderr_tail, hint] of cases) it(says, () => assert.match(said({ stderr_tail }), hint));

  it('a socket that only its own command line names', () => {
    const [launch] = attempt.launches;
    const argv = ['curl', '--unix-socket', '/var/run/x.sock', 'http://localhost/'];
    const named = { launches: [{ ...launch, prepared: { ...launch?.prepared, argv } }] } as unknown as Attempt;
    assert.match(said({ stderr_tail: 'curl: (7) x' }, '', named), /missed the socket \/run\/x\.sock, which/);
  });

  it('nothing of this machine where the sandbox leaves the network open, or hides by other means', () => {
    const [launch] = attempt.launches;
    for (const changed of [{ network: true }, { means: 'seatbelt' }]) {
      const sandbox = { ...launch?.prepared?.sandbox, ...changed };
      const open = { launches: [{ ...launch, prepared: { argv: ['x'], sandbox } }] } as unknown as Attempt;
      assert.deepEqual(metBy(open, 'r1', { stderr_tail: 'connect ECONNREFUSED 127.0.0.1:5432' }), []);
    }
  });

  it('rustup, whose folder a variable that is not passed names', () => {
    const stderr_tail =
      "error: could not create home directory: '/home/u/.rustup': Read-only file system (os error 30)";
    const unpassed = variablesMeant(stderr_tail, ['RUSTUP_HOME', 'GOFLAGS', 'CARGO_HOME']);
    assert.deepEqual(unpassed, ['RUSTUP_HOME', 'CARGO_HOME']);
    const hint = said({ stderr_tail, unpassed });
    assert.match(
      hint,
      /not write \/home\/u\/\.rustup, which no path.* RUSTUP_HOME and CARGO_HOME are set here and not/,
    );
    assert.doesNotMatch(hint, /TMPDIR/);
    const other = said({ stderr_tail, unpassed: ['GOFLAGS'] });
    assert.match(other, /Let it write below \$TMPDIR/);
  });

  it('what the own error of a command says, wherever it was printed', () => {
    const end = (...own_error: string[]): End => ({ stderr_tail: '', own_error });
    const link = end("mv: cannot move 'x' to 'out/linked.js': Device or resource busy");
    assert.match(said(link), /^It may have met out\/linked\.js, which/);
    assert.doesNotMatch(said(link), /edge/);
    const port = end('Error: connect ECONNREFUSED 127.0.0.1:5432');
    assert.match(said(port), /^It may have missed localhost:5432 of this machine/);
    assert.match(said(end('Error: getaddrinfo ENOTFOUND a.example')), /missed a network/);
  });

  it('for certain only by its standard error, because standard output shows what a program has read, too', () => {
    const line = "Error: EROFS: read-only file system, open 'src/a.js'";
    const own_error = ['✖ adds', line];
    const printed = { stderr_tail: '', own_error };
    assert.equal(heldBack(metBy(attempt, 'r1', printed)), null);
    assert.match(said(printed), /^It may have met the edge of its sandbox: it may not write src\/a\.js, named/);
    for (const stderr_tail of [line, `\u001b[31m${line}\u001b[39m`]) {
      assert.equal(held(stderr_tail), 'src/a.js');
      assert.match(said({ stderr_tail, own_error }), /^It met .* not write src\/a\.js/);
    }
  });

  it('first what its own error says, then what the end of its output does', () => {
    const own_error = ["Error: EROFS: read-only file system, open 'src/a.js'"];
    const tail = "Error: EROFS: read-only file system, open 'src/b.js'";
    assert.match(said({ stderr_tail: '', own_error }, tail), /^It may have met .* not write src\/a\.js/);
    assert.match(said({ stderr_tail: '' }, tail), /^It may have met .* not write src\/b\.js/);
  });

  const places: readonly (readonly [says: string, stderr: string, path: string | null])[] = [
    ['a file of the workspace', "EROFS: read-only file system, open 'src/a.js'", 'src/a.js'],
    ['one by its whole path', 'open /ws/build/a: Read-only file system', 'build/a'],
    ['one outside', "touch: cannot touch '/home/u/.x': Read-only file system", '/home/u/.x'],
    ['none where it may write', "EROFS: read-only file system, open 'out/a.js'", null],
    ['none that is named', 'Error: EROFS: read-only file system', null],
    ['none without words of a refusal', "cannot find 'src/a.js'", null],
  ];
  for (const [says, stderr_tail, path] of places)
    it(`is certain of what the mounts keep read-only: ${says}`, () => assert.equal(held(stderr_tail), path));

  it('does not advise a relative path as it stands, because the program may have changed its folder', () => {
    const hint = (path: string): string =>
      said({ stderr_tail: `touch: cannot touch '${path}': Read-only file system` });
    for (const path of ['dist', 'dist/x', './dist', '../b/x', 'out/x']) {
      assert.doesNotMatch(hint(path), /Add that path/);
      assert.ok(hint(path).includes(`it may not write ${path}, named from the folder where it ran.`), hint(path));
    }
    assert.match(hint('/ws/dist'), /not write dist\.$/);
    assert.match(hint('/ws/../h/x'), /not write \/ws\/\.\.\/h\/x, which no path of a plan/);
  });

  it('is certain of a relative path only where the mounts keep it read-only from the workspace as well', () => {
    const shown = (path: string): string | null => held(`touch: cannot touch '${path}': Read-only file system`);
    assert.equal(shown('./src/../dist'), './src/../dist');
    assert.equal(shown('/ws/out/../dist'), 'dist');
    assert.equal(shown('../b/x'), null);
    assert.equal(shown('out/x'), null);
    assert.equal(shown('src/../out/x'), null);
    assert.equal(shown('/ws/dist/../out/x'), null);
  });

  const erofs = "EROFS: read-only file system, open '/etc/x'";
  const quoted: readonly string[] = [
    `AssertionError: expected "${erofs}"`,
    String.raw`expected 'EROFS: read-only file system, open \'/etc/x\''`,
    `✔ says ${erofs} (1ms)`,
    `✖ says ${erofs} (1ms)`,
    `not ok 3 - says ${erofs}`,
    `+ ${erofs}`,
    `    12 | // ${erofs}`,
    `Expected: ${erofs}`,
    `npm warn logfile could not be created: Error: ${erofs}`,
    `the text is ${erofs}`,
    `{"expected":"${erofs}"}`,
    `touch: cannot touch '/etc/x': Read-only file system, as it should say`,
    `see "touch: cannot touch /etc/x: Read-only file system"`,
  ];
  for (const line of quoted)
    it(`is not certain of what a text quotes: ${line}`, () => {
      assert.equal(held(line), null);
      assert.doesNotMatch(said({ stderr_tail: line }), /^It met/);
    });

  const own: readonly string[] = [
    `Error: ${erofs}`,
    `    [Error: ${erofs}] {`,
    `npm error rofs ${erofs}`,
    `Failed to write the report: ${erofs}`,
    "E   OSError: [Errno 30] Read-only file system: '/etc/x'",
    "FAILED t.py::writes - OSError: [Errno 30] Read-only file system: '/etc/x'",
    '    x_test.go:9: open /etc/x: read-only file system',
    'error: failed to create `/etc/x`: Read-only file system (os error 30)',
    "touch: can't touch '/etc/x': Read-only file system",
    'sh: 1: cannot create /etc/x: Read-only file system',
  ];
  for (const line of own)
    it(`is certain of a program's own error, also after a quote of another: ${line}`, () => {
      assert.equal(held(line), '/etc/x');
      const after = `✔ says EROFS: read-only file system, open '/etc/y'\n${line}`;
      assert.equal(held(after), '/etc/x');
      assert.match(said({ stderr_tail: after }), /^It met .* not write \/etc\/x, which/);
    });

  it('is not certain of a folder that Node did not find, because its parent may be missing', () => {
    const stderr_tail = "Error: ENOENT: no such file or directory, mkdir 'build/a'";
    assert.equal(held(stderr_tail), null);
    assert.match(said({ stderr_tail }), /^It may have met the edge of its sandbox: /);
  });

  describe('of an agent that exits', () => {
    const said = "EROFS: read-only file system, open '/ws/lib/x'";
    const reasonOf = (denial: object, more: object = {}): string | undefined => {
      const denials = [{ tool: 'Write', path: 'lib/x', reason: said, source: 'event', ...denial }];
      const ended = { reason: 'exited', exit_code: 1, signal: null, error: null, final_reason: null, stderr_tail: '' };
      const launch = { ...attempt.launches[0], purpose: { kind: 'worker' } };
      return judgeExit(
        { worker: 'claude' } as never,
        { ...ended, denials, ...more } as never,
        { launches: [launch], validates: null } as never,
      )?.reason;
    };

    it('names the write that its sandbox held back, as its stream says', () => {
      assert.equal(reasonOf({}), 'The worker exited with 1. Its sandbox held back a write to lib/x before.');
      assert.equal(
        reasonOf({ path: null }),
        'The worker exited with 1. Its sandbox held back a write to lib/x before.',
      );
      assert.equal(
        reasonOf({}, { final_reason: 'Context is full.' }),
        'The worker exited with 1. Its sandbox held back a write to lib/x before. Context is full.',
      );
    });

    it('names the signal that its exit code stands for, and the usual cause of SIGKILL', () => {
      const ended = (exit_code: number | null, signal: string | null = null): string | undefined =>
        reasonOf({ source: 'stderr' }, { exit_code, signal });
      const killed = "SIGKILL, often because the machine's memory ran out";
      assert.equal(ended(137), `The worker exited with 137 (${killed}).`);
      assert.equal(
        ended(null, 'SIGKILL'),
        "The worker was ended by SIGKILL (often because the machine's memory ran out).",
      );
      assert.equal(ended(139), 'The worker exited with 139 (SIGSEGV).');
      assert.equal(ended(143), 'The worker exited with 143 (SIGTERM).');
      for (const own of [2, 9, 127, 128, 129, 138, 255]) assert.equal(ended(own), `The worker exited with ${own}.`);
    });

    it('names none that it may write, that another denied it, or that its stream does not say', () => {
      for (const denial of [
        { path: 'out/a' },
        { reason: 'Claude requested permissions to write to lib/x' },
        { source: 'stderr' },
      ])
        assert.equal(reasonOf(denial), 'The worker exited with 1.');
    });
  });
});
