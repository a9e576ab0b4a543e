import assert from 'node:assert/strict';
import { judgeExit } from '../../../../src/core/lifecycle/judge/judge';
import { metBy } from '../../../../src/core/lifecycle/judge/sandboxHint';
import { variablesNamed } from '../../../../src/core/lifecycle/judge/ownError';

type Attempt = Parameters<typeof metBy>[0];
type End = Parameters<typeof metBy>[2];

const attemptWith = (sandbox: object, argv: readonly string[] = ['check']): Attempt =>
  ({
    launches: [
      {
        run_dir: 'r1',
        prepared: {
          argv,
          sandbox: {
            ...{ means: 'bubblewrap', argv: ['bwrap'], coarser: [], network: false, folders: [] },
            hidden: ['/run', '/home/u/.agent/ipc', '/home/u/.ssh'],
            held: ['out/linked.js', 'node_modules/.pnpm'],
            ...sandbox,
          },
        },
      },
    ],
  }) as unknown as Attempt;

const met = (end: End | string, of = attemptWith({}), tail = ''): string =>
  metBy(of, 'r1', typeof end === 'string' ? { stderr_tail: end } : end, tail)
    .map(({ words }) => words)
    .join('\n');

const edge = /^It may have met the edge of its sandbox, which refuses writes outside the approved paths/;

describe('why a command may have failed in its sandbox', () => {
  it('is what lies beside an approved file, which a layer does not take, and not another program of that name', () => {
    const reach = { writable: ['src'], read_only: ['src/main', 'src/main.o'] };
    for (const layers of [{ tree: { at: '/ws' } }, undefined])
      for (const says of [
        "Fatal error: can't create src/main.o: Read-only file system",
        "rm: cannot remove '/ws/src/main.o': Device or resource busy",
      ])
        assert.match(met(says, attemptWith({ layers, reach })), /^It may have met src\/main\.o, which .*[^\n]*$/);
    assert.equal(met('ld: cannot open src/main.o: No such file or directory', attemptWith({ reach })), '');
  });

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
    ['a hard link that is only named', 'out/linked.js: syntax error', /^$/],
    [
      'an approved folder that was to be removed',
      "Error: EBUSY: resource busy or locked, rmdir 'out'",
      /^It may have removed or replaced an approved folder itself, .* \(EBUSY\)/,
    ],
    [
      'a rename between two approved folders',
      "Error: EXDEV: cross-device link not permitted, rename 'out/a' -> 'lib/a'",
      /^It may have moved something out of an approved folder by a rename, .* \(EXDEV\)/,
    ],
    ['the name of the error of a write', "EROFS: read-only file system, open 'src/a.js'", edge],
    ['its number, of Python', "OSError: [Errno 30] Nur-Lese-Dateisystem: '/home/u/.x'", edge],
    ['its number, of Rust', 'error: failed to open: /home/u/.y\nCaused by:\n  (os error 30)', edge],
    ['the English sentence', 'sh: 1: cannot create src/日本/x.ts: Read-only file system', edge],
    ['a sentence of another language', 'touch: „/home/u/a b“: Das Dateisystem ist nur lesbar', /^$/],
    ['a file that is not there', "ENOENT: no such file or directory, open '/home/u/.x'", /^$/],
    [
      'a network',
      'Error: getaddrinfo EAI_AGAIN registry.example',
      /^It may have missed a network, .*execution\.network/,
    ],
    [
      'a service on loopback, of Node',
      'Error: connect ECONNREFUSED 127.0.0.1:5432',
      /^It may have missed a service on localhost .* "execution\.network": \["localhost:PORT"\]/,
    ],
    ['one of bash', 'bash: connect: /dev/tcp/localhost/5432: Connection refused', /missed a service on localhost of/],
    [
      'one of curl',
      "curl: (7) Failed to connect to localhost port 8080 after 0 ms: Couldn't",
      /a service on localhost/,
    ],
    ['one of Python', 'ConnectionRefusedError: [Errno 111] x', /missed a service on localhost of/],
    ['a port in another error', 'listening on http://localhost:3000', /^$/],
    [
      'the socket of Docker',
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      /^It may have missed \/run\/docker\.sock, .* "execution\.network": \["unix:\/run\/docker\.sock"\] in the/,
    ],
    [
      'a place that the sandbox covers',
      'connect ECONNREFUSED /home/u/.agent/ipc',
      /missed \/home\/u\/\.agent\/ipc, which/,
    ],
    ['a hidden key', 'cat: /home/u/.ssh/id: x', /missed \/home\/u\/\.ssh\/id, which its sandbox hides/],
    ['a place where nothing is hidden', 'connect ENOENT /ws/dev.sock', /^$/],
    ['a device', 'Could not open /dev/kvm: x', /missed \/dev\/kvm, .* "execution\.devices": \["\/dev\/kvm"\] in/],
    ['a device that each sandbox has', 'cat: /dev/tty: x', /^$/],
    ['another error with a path', 'cat: /h/x: Datei nicht gefunden', /^$/],
  ];
  for (const [says, stderr_tail, hint] of cases) it(says, () => assert.match(met(stderr_tail), hint));

  it('says of a write what its block offers, and of a network', () => {
    const offers = (stderr_tail: string): unknown =>
      metBy(attemptWith({}), 'r1', { stderr_tail }).map((one) => one.held_back);
    assert.deepEqual(offers('EROFS: x'), ['write']);
    assert.deepEqual(offers("EROFS: x, open 'out/linked.js'"), ['link']);
    assert.deepEqual(offers("Error: EXDEV: x, rename 'a' -> 'b'"), ['folder']);
  });

  it('says of a port, a socket and a device what a revision opens, and whether its command line names it', () => {
    const missed = (stderr_tail: string, ...argv: readonly string[]): unknown =>
      judgeExit({
        mission: { plan: { scratch: [] }, rows: [] },
        task: { worker: 'command' },
        end: { reason: 'exited', exit_code: 1, error: null, final_reason: null, stderr_tail, unpassed: ['A_B'] },
        attempt: {
          ...attemptWith({}, argv),
          external_saves: [],
          launches: [{ ...attemptWith({}, argv).launches[0], purpose: { kind: 'worker' } }],
        },
      } as never);
    const entries = (...said: Parameters<typeof missed>): unknown =>
      (missed(...said) as { readonly missed: readonly object[] }).missed;
    const variable = { entry: 'A_B' };
    for (const [line, argv, entry] of [
      ['getaddrinfo ENOTFOUND a', ['a'], { entry: null }],
      ['connect ECONNREFUSED 127.0.0.1:5432', ['a'], { entry: 'localhost:5432' }],
      [
        '"localhost" (127.0.0.1), port 5432 failed: Connection refused',
        ['a', '--url=redis://127.0.0.1:5432'],
        'localhost:5432',
      ],
      ['curl: (7) Failed to connect to localhost port 8080', ['curl', 'localhost:80801'], { entry: 'localhost:8080' }],
      [
        'x unix:///var/run/docker.sock',
        ['sh', '-c', 'DOCKER_HOST=unix:///var/run/docker.sock x'],
        'unix:/run/docker.sock',
      ],
      ['open /dev/kvm: x', ['qemu', '/dev/kvm2'], { entry: '/dev/kvm' }],
      ['open /dev/kvm: x', ['qemu', '/dev/kvm'], '/dev/kvm'],
    ] as const)
      assert.deepEqual(
        entries(line, ...argv),
        [typeof entry === 'string' ? { entry, named: true } : entry, variable],
        line,
      );
    assert.deepEqual(entries('', 'sh', '-c', '"$A_B/x"'), [{ ...variable, named: true }]);
    assert.deepEqual(entries('cat: /home/u/.ssh/id: x', 'a'), [variable]);
  });

  it('names what stays read-only where a layer takes every other write', () => {
    const layered = attemptWith({ layers: { tree: { at: '/ws', up: '/up', seen_by: [], seen_at: '/s' } } });
    const end = { stderr_tail: "Error: EROFS: read-only file system, open '/ws/.git/index.lock'" };
    assert.match(
      met(end, layered),
      /^It may have met a place that its sandbox keeps read-only: \.git, [^]*TMPDIR[^]*\.$/,
    );
    assert.deepEqual(
      metBy(layered, 'r1', end).map((one) => one.held_back),
      ['sealed'],
    );
    assert.match(met("Error: EXDEV: x, rename 'a' -> 'b'", layered), /\(EXDEV\)/);
  });

  it('says of a rename what lies apart, and advises no layer that cannot help or that is there', () => {
    const tree = { at: '/ws', up: '/up', seen_by: [], seen_at: '/s' };
    const reach = { writable: ['out', 'lib'], read_only: [] };
    const offers = (line: string, more: object = {}): unknown =>
      metBy(attemptWith({ layers: { tree: { ...tree, ...more } }, reach }), 'r1', { stderr_tail: line }).map(
        ({ held_back, words }) => [held_back, words.includes('execution.layers')],
      );
    for (const line of [
      "Error: EXDEV: cross-device link not permitted, rename '/tmp/x' -> 'out/x'",
      "OSError: [Errno 18] x: '/tmp/tmp9ch0' -> '/ws/out/x'",
      'a/b.go:12: rename out/x /home/u/x: invalid cross-device link',
    ])
      assert.deepEqual(offers(line), [['apart', false]], line);
    assert.deepEqual(offers("Error: EXDEV: x, rename 'out/a' -> '/ws/src/a'"), [['write', false]]);
    assert.deepEqual(offers("Error: EXDEV: x, rename 'out/a' -> '/ws/lib/a'"), [['mount', true]]);
    for (const all of [{ waits: true }, { below: tree }])
      assert.deepEqual(offers("Error: EXDEV: x, rename 'out/a' -> 'lib/a'", all), [['apart', false]]);
    assert.deepEqual(offers("Error: EBUSY: x, rmdir 'out'", { waits: true }), []);
  });

  it('reads the word of Seatbelt there alone', () => {
    const mac = attemptWith({ means: 'seatbelt' });
    assert.match(met('touch: src/a: Operation not permitted', mac), edge);
    assert.equal(met("Error: EBUSY: x, rmdir 'out'; /run/x.sock", mac), '');
    assert.equal(met('touch: src/a: Operation not permitted'), '');
  });

  it('a socket that only its own command line names', () => {
    const named = attemptWith({}, ['curl', '--unix-socket', '/var/run/x.sock', 'http://localhost/']);
    assert.match(met('curl: (22) x', named), /missed \/run\/x\.sock, which/);
  });

  it('nothing of a network where the sandbox leaves it open', () => {
    assert.equal(met('connect ECONNREFUSED 127.0.0.1:5432', attemptWith({ network: true })), '');
  });

  it('the variables that its output names, and that are set here and not passed', () => {
    const said = 'error: set JAVA_HOME or GRADLE_USER_HOME to the right place in DEBUG mode';
    assert.deepEqual(variablesNamed(said, ['JAVA_HOME', 'DEBUG', 'HOME_X', 'GRADLE_USER_HOME']), [
      'JAVA_HOME',
      'GRADLE_USER_HOME',
    ]);
    const rustup = 'error: rustup could not choose a version of cargo to run';
    assert.deepEqual(variablesNamed(rustup, ['RUSTUP_HOME', 'CARGO_HOME', 'JAVA_HOME', 'CARGO_TARGET_DIR']), [
      'RUSTUP_HOME',
      'CARGO_HOME',
    ]);
  });

  it('what the own error of a command says, wherever it was printed, and the end of its output', () => {
    const line = 'Error: connect ECONNREFUSED 127.0.0.1:5432';
    assert.match(met({ stderr_tail: '', own_error: ['✖ adds', line] }), /^It may have missed a service/);
    assert.match(met('', attemptWith({}), line), /^It may have missed a service/);
    assert.match(met(`\u001b[31mError: EROFS: x\u001b[39m`), edge);
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
    `{"expected":"${erofs}"}`,
  ];
  for (const line of quoted) it(`not what a text quotes: ${line}`, () => assert.equal(met(line), ''));

  it('is a sandbox of its own, where its launch dropped the capability that it takes', () => {
    const says = 'unshare: write failed /proc/self/uid_map: Operation not permitted';
    const root = ['bwrap', '--cap-drop', 'ALL', '--cap-add', 'CAP_CHOWN'];
    assert.match(met(says, attemptWith({ argv: root })), /^It may have made a sandbox or a namespace of its own/);
    for (const argv of [
      ['bwrap', '--unshare-user'],
      [...root, '--cap-add', 'CAP_SETFCAP'],
    ])
      assert.equal(met(says, attemptWith({ argv })), '');
    assert.equal(met('rm: cannot remove x: Permission denied', attemptWith({ argv: root })), '');
  });

  it('is a file of another group, which a layer cannot keep', () => {
    const says = 'sh: 1: cannot create lib/x: Value too large for defined data type';
    assert.match(
      met(says, attemptWith({ layers: { tree: { at: '/ws' } } })),
      /^It may have written what has another owner/,
    );
    assert.equal(met(says), '');
  });

  it('names the signal that the exit code of an agent stands for, and the usual cause of SIGKILL', () => {
    const reasonOf = (exit_code: number | null, signal: string | null = null): string | undefined =>
      judgeExit({
        mission: { plan: { scratch: [] }, rows: [] },
        task: { worker: 'claude' },
        end: { reason: 'exited', exit_code, signal, error: null, final_reason: null, stderr_tail: '', denials: [] },
        attempt: { launches: [], validates: null, external_saves: [] },
      } as never)?.reason;
    const killed = "SIGKILL, often because the machine's memory ran out";
    assert.equal(reasonOf(137), `The worker exited with 137 (${killed}).`);
    assert.equal(
      reasonOf(null, 'SIGKILL'),
      "The worker was ended by SIGKILL (often because the machine's memory ran out).",
    );
    assert.equal(reasonOf(139), 'The worker exited with 139 (SIGSEGV).');
    assert.equal(reasonOf(143), 'The worker exited with 143 (SIGTERM).');
    for (const own of [2, 9, 127, 128, 129, 138, 255]) assert.equal(reasonOf(own), `The worker exited with ${own}.`);
  });
});
