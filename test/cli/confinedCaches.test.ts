import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import type { Context } from 'mocha';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { decision, start } from './cliBed';
import { skipWithReason } from '../support/skip';
import { usersOfTier } from '../support/users';
import { ConfinedBed } from './confinedBed';

/** What each tool writes below HOME on its first run, and again on the next one. */
const written = [
  '.cache/made-by-make/stamp', // make
  '.cache/go-build/00/00aa-d', // go test
  'go/pkg/mod/cache/download/x/@v/v1.zip',
  '.cargo/registry/src/index-1/dep-1.0/.cargo-ok', // cargo test --offline
  '.cargo/git/db/dep/HEAD',
  '.npm/_cacache/tmp/1', // npm test
  '.npm/_logs/today.log',
  '.gradle/caches/modules-2/modules-2.lock', // gradle --offline
  '.gradle/daemon/8/registry.bin',
  '.m2/repository/org/x/1/_remote.repositories', // mvn -o
  '.cache/pip/http/1', // pip, uv
  '.cache/uv/.lock',
  '.local/share/pnpm/store/v3/files/00/1', // pnpm
];

const change = `fs.writeFileSync('docs/out/changed', process.hrtime.bigint().toString());\n`;

const inHome = (names: readonly string[], body: string): string =>
  `${start}import path from 'node:path';
const home = process.env.HOME;
const tried = (attempt) => { try { return String(attempt()); } catch (error) { return error.code ?? String(error.message); } };
for (const name of ${JSON.stringify(names)}) { const at = path.join(home, name); ${body} }
`;

for (const user of usersOfTier)
  describe(`caches of HOME in the sandbox, as ${user}`, function () {
    this.timeout(180_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
    });
    afterEach(() => bed.dispose());

    const home = (name: string): string => path.join(bed.scratch, name);
    const put = (name: string, text: string): void => {
      mkdirSync(path.dirname(home(name)), { recursive: true });
      writeFileSync(home(name), text);
    };
    /** The private layer of this workspace. */
    function layers(): readonly string[] {
      const workspaces = home('.local/state/mission-control/workspaces');
      return readdirSync(workspaces).map((key) => path.join(workspaces, key, 'caches'));
    }
    const needsProgram = (context: Context, name: string): void => {
      const { status } = spawnSync(name, ['--version'], { env: bed.env, stdio: 'ignore' });
      if (status !== 0) skipWithReason(context, `no toolchain here: ${name}`);
    };
    const run = (planId: string, ...tasks: Parameters<ConfinedBed['plan']>[1]): ReturnType<ConfinedBed['mission']> =>
      bed.mission('run', bed.plan(planId, tasks), '--confinement', 'required');

    it('a tool writes a cold cache and finds it again, and HOME itself stays as it is', async () => {
      const body = `fs.mkdirSync(path.dirname(at), { recursive: true }); fs.appendFileSync(at, 'x');`;
      bed.write(
        'tools/again.mjs',
        inHome(written, `if (fs.readFileSync(at, 'utf8') !== 'x') throw new Error(at);`) + change,
      );
      bed.write('tools/check.mjs', inHome(written, `if (fs.existsSync(at)) throw new Error(at);`));
      const rest = `fs.writeFileSync('docs/out/refused.json', JSON.stringify(['.bashrc', 'new', '.config/x', '.cargo/env', '.m2/settings.xml'].map((name) => tried(() => fs.writeFileSync(path.join(home, name), 'x')))));`;
      put('.bashrc', 'mine');
      put('.config/tool', 'mine');
      const verify = [['node', 'tools/check.mjs']];
      const again = { command: ['node', 'tools/again.mjs'], depends_on: ['T1'], verify };
      const cold = await run('cold', { script: inHome(written, body) + rest, verify }, again);
      assert.equal(cold.code, 0, cold.stdout + cold.stderr);
      assert.deepEqual(JSON.parse(bed.read('docs/out/refused.json')), Array(5).fill('EROFS'));
      for (const name of written) assert.equal(existsSync(home(name)), false, name);
      assert.equal(readFileSync(home('.bashrc'), 'utf8'), 'mine');
      assert.equal((await bed.mission('evidence', 'verify', 'cold')).code, 0);
      const evidence = bed.read('docs/ops/executions/cold/TASK_T1.json');
      const { changes } = (JSON.parse(evidence) as TaskEvidence).attempts?.[0] ?? {};
      assert.deepEqual(changes?.map((change) => change.path).sort(), ['docs/out/refused.json']);

      // Another mission of this workspace begins anew.
      const other = await run('other', { command: ['node', 'tools/again.mjs'] });
      assert.equal(other.code, 3, other.stdout + other.stderr);
      assert.equal((await bed.mission('cancel', 'other', ...decision)).code, 0);
      const [caches = ''] = layers();
      assert.ok(existsSync(caches));
      execFileSync('chmod', ['-R', 'a-w', caches]); // as Go leaves its modules
      const cleaned = await bed.mission('clean', '--yes');
      assert.equal(cleaned.code, 0, cleaned.stdout + cleaned.stderr);
      assert.equal(existsSync(caches), false);
    });

    it("a tool changes the person's cache for itself alone, and later ones find what it added", async () => {
      const large = 'l'.repeat(100_000);
      put('.npm/_cacache/index-v5/aa/bb/entry', 'person\n');
      put('.npm/_cacache/content-v2/sha512/aa/bb/blob', large);
      put('.m2/repository/org/x/1/x.jar', large);
      put('.m2/settings.xml', 'secret');
      put('.cargo/credentials.toml', 'secret');
      put('.cargo/registry/cache/index-1/dep.crate', large);
      const script = `${start}import path from 'node:path';
const at = (name) => path.join(process.env.HOME, name);
fs.appendFileSync(at('.npm/_cacache/index-v5/aa/bb/entry'), 'tool\\n');
fs.writeFileSync(at('.npm/_cacache/content-v2/sha512/aa/bb/more'), 'x');
fs.writeFileSync(at('.m2/repository/org/x/1/new'), 'jar');
fs.renameSync(at('.m2/repository/org/x/1/new'), at('.m2/repository/org/x/1/x.jar'));
fs.rmSync(at('.cargo/registry/cache/index-1/dep.crate'));
${change}`;
      bed.write(
        'tools/look.mjs',
        `${start}import path from 'node:path';
const text = (name) => { try { const read = fs.readFileSync(path.join(process.env.HOME, name), 'utf8'); return read.length > 100 ? read.length : read; } catch (error) { return error.code; } };
fs.writeFileSync('docs/out/seen.json', JSON.stringify(${JSON.stringify([
          '.npm/_cacache/index-v5/aa/bb/entry',
          '.npm/_cacache/content-v2/sha512/aa/bb/blob',
          '.m2/repository/org/x/1/x.jar',
          '.npm/_cacache/content-v2/sha512/aa/bb/more',
        ])}.map(text)));`,
      );
      const look = { command: ['node', 'tools/look.mjs'], depends_on: ['T1'] };
      const warm = await run('warm', { script }, look);
      assert.equal(warm.code, 0, warm.stdout + warm.stderr);
      assert.equal(readFileSync(home('.npm/_cacache/index-v5/aa/bb/entry'), 'utf8'), 'person\n');
      assert.equal(readFileSync(home('.m2/repository/org/x/1/x.jar'), 'utf8'), large);
      assert.ok(existsSync(home('.cargo/registry/cache/index-1/dep.crate')));
      assert.deepEqual(JSON.parse(bed.read('docs/out/seen.json')), ['person\n', 100_000, 100_000, 'x']);
      assert.throws(() => execFileSync('grep', ['-rs', 'secret', ...layers()]), 'nothing secret is kept in a layer');
    });

    it('a link that a tool leaves in its layer leads nothing of ours out', async () => {
      put('.m2/repository/a/one', '1');
      const script = `${start}const at = process.env.HOME + '/.m2/repository/a'; fs.rmSync(at, { recursive: true });
fs.symlinkSync(${JSON.stringify(home('target'))}, at);
${change}`;
      mkdirSync(home('target'));
      const follows = { script: `${start}${change}`, depends_on: ['T1'] };
      assert.equal((await run('plants', { script }, follows)).code, 0);
      assert.deepEqual(readdirSync(home('target')), []);
    });

    it('a socket in a cache cannot be reached, neither there nor elsewhere', async () => {
      const at = home('.cache/s/tool.sock');
      put('.cache/s/file', 'x');
      const server = net.createServer((client) => client.end());
      await new Promise<void>((done) => server.listen(at, done));
      try {
        const script = `${start}import net from 'node:net';
const found = [];
const walk = (folder) => { for (const entry of fs.readdirSync(folder, { withFileTypes: true })) { const one = folder + '/' + entry.name; if (entry.isDirectory()) walk(one); else if (entry.name.endsWith('.sock')) found.push(one); } };
walk(process.env.HOME + '/.cache'); walk(process.env.HOME + '/.local');
const answers = await Promise.all(found.map((one) => new Promise((done) => net.connect(one).on('connect', () => done('connected')).on('error', (error) => done(error.code)))));
fs.writeFileSync('docs/out/answers.json', JSON.stringify(answers));`;
        const ran = await run('socket', { script });
        assert.equal(ran.code, 0, ran.stdout + ran.stderr);
        const answers = JSON.parse(bed.read('docs/out/answers.json')) as readonly string[];
        assert.ok(answers.length > 0 && !answers.includes('connected'), answers.join());
      } finally {
        server.close();
        rmSync(at, { force: true });
      }
    });

    it('npm test runs with a cold cache', async function () {
      needsProgram(this, 'npm');
      bed.write('package.json', JSON.stringify({ name: 'x', version: '1.0.0', scripts: { test: 'node -e 0' } }));
      const command = ['sh', '-c', 'npm test && mkdir -p docs/out && ls "$HOME/.npm" > docs/out/npm'];
      const ran = await run('npm', { command, verify: [['npm', 'test']] });
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
      assert.match(bed.read('docs/out/npm'), /_logs/);
      assert.equal(existsSync(home('.npm')), false);
    });

    it('mvn fills a cold repository, and finds there offline what it fetched', async function () {
      needsProgram(this, 'mvn');
      const pom = (name: string, more: string): string =>
        `<project><modelVersion>4.0.0</modelVersion>${more}<groupId>org.x</groupId><artifactId>${name}</artifactId><version>1</version><packaging>pom</packaging>`;
      put('remote/org/x/above/1/above-1.pom', `${pom('above', '')}</project>`);
      const above =
        '<parent><groupId>org.x</groupId><artifactId>above</artifactId><version>1</version><relativePath/></parent>';
      const repository = `<repositories><repository><id>near</id><url>file://${home('remote')}</url></repository></repositories>`;
      bed.write('pom.xml', `${pom('here', above)}${repository}</project>`);
      const fetched = '.m2/repository/org/x/above/1/above-1.pom';
      const build = (options: string): readonly string[] => [
        'sh',
        '-c',
        // Java takes the home of a user from the system, not from HOME.
        `MAVEN_OPTS="-Duser.home=$HOME" mvn -B -q ${options} validate && test -e "$HOME/${fetched}" && mkdir -p docs/out && date +%N > docs/out/changed`,
      ];
      const again = { command: build('-o'), depends_on: ['T1'] };
      const ran = await run('maven', { command: build('') }, again);
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
      assert.equal(existsSync(home(fetched)), false);
    });

    it('npm ci fills a cold cache through a named port, then needs no port, and runs no switched-off script', async function () {
      needsProgram(this, 'npm');
      const registry = await servePackage(bed.scratch);
      put('.npmrc', 'ignore-scripts=true\naudit=false\nfund=false\nupdate-notifier=false\n');
      bed.write('.gitignore', '.mission-control/\nnode_modules/\n');
      bed.write('package.json', JSON.stringify({ name: 'x', version: '1.0.0', dependencies: { dep: '1.0.0' } }));
      bed.write('package-lock.json', registry.lock);
      bed.git('add', '.');
      bed.git('commit', '-qm', 'a dependency');
      const check = `node -e "require('dep')" && test ! -e node_modules/dep/ran`;
      const command = ['sh', '-c', `npm ci && ${check} && mkdir -p docs/out && date +%N > docs/out/changed`];
      const scratch = ['node_modules/'];
      const offline = `npm ci --offline && ${check} && date +%N > docs/out/changed`;
      const again = { command: ['sh', '-c', offline], depends_on: ['T1'] };
      const open = { network: [`localhost:${registry.port}`], scratch };
      try {
        const cold = await bed.mission(
          'run',
          bed.plan(
            'npm-ci',
            [
              {
                command,
                verify: [
                  ['npm', 'ci'],
                  ['npm', 'ci', '--offline'],
                ],
              },
              again,
            ],
            open,
          ),
          ...required,
        );
        assert.equal(cold.code, 0, cold.stdout + cold.stderr);
        assert.ok(registry.asked().length > 0);
      } finally {
        await registry.close();
      }
      assert.equal(existsSync(home('.npm')), false);
    });
  });

const required = ['--confinement', 'required'];

/** A registry on loopback with one package, whose install script would leave a file, and a lock file that names it. */
async function servePackage(scratch: string): Promise<{
  readonly port: number;
  readonly lock: string;
  readonly asked: () => readonly string[];
  readonly close: () => Promise<void>;
}> {
  const folder = path.join(scratch, 'registry/package');
  mkdirSync(folder, { recursive: true });
  const scripts = { install: 'touch ran' };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'dep', version: '1.0.0', scripts }));
  writeFileSync(path.join(folder, 'index.js'), '');
  const archive = execFileSync('tar', ['-czf', '-', 'package'], { cwd: path.dirname(folder) });
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.endsWith('.tgz') !== true) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(archive);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as net.AddressInfo;
  const dep = {
    version: '1.0.0',
    resolved: `http://localhost:${port}/dep/-/dep-1.0.0.tgz`,
    integrity: `sha512-${createHash('sha512').update(archive).digest('base64')}`,
    hasInstallScript: true,
  };
  const packages = { '': { name: 'x', version: '1.0.0', dependencies: { dep: '1.0.0' } }, 'node_modules/dep': dep };
  return {
    port,
    lock: JSON.stringify({ name: 'x', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
    asked: () => asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
