import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { decision } from './cliBed';
import { ConfinedBed } from './confinedBed';
import { gitIn } from './repository';

/** What editors, tools, git and a person do at a desk, again and again, beside a mission of three lanes. */
describe('a mission of three lanes beside a busy desk', function () {
  this.timeout(300_000);
  const lanes = ['a', 'b', 'c'];
  let bed: ConfinedBed;
  beforeEach(function () {
    bed = new ConfinedBed(this);
    stage();
  });
  afterEach(() => bed.dispose());

  it('completes where its workers are confined, and counts the changes of others', async () => {
    const run = await runBeside('required');
    assert.equal(run.code, 0, run.stdout + run.stderr);
    for (const lane of lanes) {
      const changes = bed.evidence('busy', lane).attempts?.flatMap((attempt) => attempt.changes) ?? [];
      const accused = changes.filter(
        ({ attribution, path: file }) => attribution === 'worker' && !file.startsWith(`lanes/${lane}/`),
      );
      assert.deepEqual(accused, []);
    }
    const status = await bed.mission('status', 'busy');
    assert.match(status.stdout, /changes by others/);
    assert.equal((await bed.mission('evidence', 'verify', 'busy')).code, 0);
  });

  it('completes or blocks where nothing confines them, names what changed, and goes on once a person accepts it', async () => {
    const run = await runBeside('off');
    assert.ok(run.code === 0 || run.code === 3, run.stdout + run.stderr);
    assert.doesNotMatch(run.stdout, /The worker changed/);
    for (const packet of run.json.packets) {
      const check = await bed.mission('check', 'recovery-packet', packet.path);
      assert.equal(check.code, 0, check.stdout);
      assert.match(bed.read(packet.path), /notes\.md|log\/dev\.log|\.git\/|\.swp|\.idea|__pycache__|docs\/plans/);
    }
    // Each lane that blocked lists what it saw; what was written once more since then is asked once more.
    for (let round = 0; round < 3; round++) {
      for (const { acceptable, task_id } of (await bed.view('busy')).blocks) {
        const names = acceptable.map(({ name }) => name);
        // Nothing is left to accept where it is as before again.
        if (names.length > 0) {
          const accepted = await bed.mission('accept', 'busy', task_id, ...names, ...decision);
          assert.equal(accepted.code, 0, accepted.stdout + accepted.stderr);
        }
        await bed.mission('rerun-validation', 'busy', task_id, ...decision);
      }
    }
    const { status, blocks } = await bed.view('busy');
    assert.equal(status, 'completed', JSON.stringify(blocks));
    assert.equal((await bed.mission('evidence', 'verify', 'busy')).code, 0);
  });

  function stage(): void {
    bed.write('.gitignore', '.mission-control/\nlog/\n.venv/\nout/\n.cache/\nnode_modules/\n');
    bed.write('notes.md', 'mine\n');
    bed.write('src/app.ts', 'export const a=1\n');
    bed.write('package-lock.json', '{}\n');
    for (const file of ['log/dev.log', '.venv/lib/a.py', 'out/app.js', '.cache/index', 'node_modules/a/index.js'])
      bed.write(file, '1\n');
    bed.git('add', '.');
    bed.git('commit', '-qm', 'desk');
    bed.git('clone', '-q', '--bare', '.', path.join(bed.scratch, 'remote.git'));
    bed.git('remote', 'add', 'origin', path.join(bed.scratch, 'remote.git'));
    bed.git('clone', '-q', path.join(bed.scratch, 'remote.git'), path.join(bed.scratch, 'colleague'));
  }

  /** Runs the mission to its end; the desk works from before the workers write until after they are verified. */
  async function runBeside(confinement: string) {
    const gate = JSON.stringify(path.join(bed.scratch, 'gates', 'go'));
    const tasks = lanes.map((name) => ({
      task_id: name,
      paths: [`lanes/${name}/`],
      script: `import fs from 'node:fs';
fs.mkdirSync('lanes/${name}', { recursive: true });
fs.writeFileSync('lanes/${name}/pid', String(process.pid));
while (!fs.existsSync(${gate})) await new Promise((go) => setTimeout(go, 20));
fs.writeFileSync('lanes/${name}/done', '${name}');
`,
      verify: [['node', '-e', '']],
    }));
    const plan = bed.parallel('busy', 3, tasks);
    const { ended } = bed.start('run', plan, '--confinement', confinement);
    await bed.pids(...lanes);
    await workOnce(0);
    bed.open('go');
    const over = { yet: false };
    const atWork = work(over);
    try {
      return await ended;
    } finally {
      over.yet = true;
      await atWork;
    }
  }

  async function work(over: { readonly yet: boolean }): Promise<void> {
    for (let round = 1; !over.yet && round < 1000; round++) {
      await workOnce(round);
      await delay(50);
    }
  }

  async function workOnce(round: number): Promise<void> {
    // The editor: a swap file, its workspace, format on save, and what the desktop leaves.
    bed.write('.notes.md.swp', `b0VIM ${round}`);
    bed.write('.idea/workspace.xml', `<x n="${round}"/>`);
    bed.write('.DS_Store', String(round));
    bed.write('src/app.ts', round % 2 === 0 ? 'export const a = 1;\n' : 'export const a=1\n');
    // Watchers, a development server, a language server, Python, a package manager.
    appendFileSync(bed.at('log/dev.log'), `GET / ${round}\n`);
    bed.write('out/app.js', `${round}\n`);
    bed.write('.cache/index', `${round}\n`);
    bed.write(`.venv/lib/__pycache__/a.cpython-${round % 3}.pyc`, String(round));
    bed.write('node_modules/.cache/x', String(round));
    writeFileSync(bed.at('package-lock.json'), `{ "round": ${round} }\n`);
    // Git: a fetch by itself, a tag, what is staged, a commit, a collection of garbage.
    const colleague = path.join(bed.scratch, 'colleague');
    gitIn(colleague, bed.scratch, ['commit', '-q', '--allow-empty', '-m', `theirs ${round}`]);
    gitIn(colleague, bed.scratch, ['push', '-q', 'origin', 'HEAD']);
    bed.git('fetch', '-q', 'origin');
    appendFileSync(bed.at('notes.md'), `${round}\n`);
    bed.git('add', 'notes.md');
    if (round === 0) {
      bed.git('tag', 'v1');
      bed.git('commit', '-qm', 'notes');
      bed.git('gc', '-q');
      const drafted = await bed.mission('plan', 'new', 'another');
      assert.equal(drafted.code, 0, drafted.stdout + drafted.stderr);
    }
  }
});
