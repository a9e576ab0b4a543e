import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Context } from 'mocha';
import type { LaunchChange } from '../../src/contracts/record/recoveryEvent';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { AgentBed } from './agentBed';
import { decision, type Ended } from './cliBed';

/** Writes where it was denied to write once it has the directory, and tries the sibling; says what it could do. */
const wantsOutside = (outside: string): string => `
  const wanted = path.join(${JSON.stringify(outside)}, 'given');
  if (!added.includes(wanted)) { denied(path.join(wanted, 'note.txt')); end('blocked'); return; }
  const attempt = (file) => { try { fs.writeFileSync(file, 'x'); return 'written'; } catch (error) { return error.code; } };
  const told = ['given/note.txt', 'sibling/note.txt'].map((file) => attempt(path.join(${JSON.stringify(outside)}, file)));
  fs.mkdirSync('docs/out', { recursive: true });
  const file = 'docs/out/' + named('run_id') + '.json';
  fs.writeFileSync(file, JSON.stringify(told));
  end('done', file, path.join(wanted, 'note.txt'), '../outside/given/other.txt');`;

/** A denial, the person who is asked, and what becomes of the answer: `dist/cli.js` as real processes. */
describe('mission grant', function () {
  this.timeout(120_000);
  let bed: AgentBed;
  beforeEach(() => {
    bed = new AgentBed(['given', 'sibling']);
    bed.speaks(wantsOutside(bed.outside));
  });
  afterEach(() => bed.dispose());

  /** A plan whose task waits for a permission. */
  const blocked = async (name: string, execution: Record<string, unknown> = {}): Promise<string> => {
    const { code, json, stdout, stderr } = await bed.withClaude('run', bed.agentPlan(name, execution));
    assert.deepEqual([code, json.status, json.packets.length], [3, 'paused', 1], `${stdout}\n${stderr}`);
    return json.mission_id;
  };
  const written = (relative: string): boolean => existsSync(bed.place(relative));
  const grant = (...args: string[]): Promise<Ended> =>
    bed.withClaude('grant', ...args, ...(args.includes('--reason') ? [] : decision));

  it('of the denied directory launches the worker again with it, and the task completes', async () => {
    const id = await blocked('once');
    const told = await bed.events(id);
    assert.equal(told.filter(({ type }) => type === 'PacketIssued').length, 1);
    assert.equal(told.filter(({ type }) => type === 'RecoveryEscalated').length, 1);
    const granted = await grant(bed.place('given'));
    assert.deepEqual([granted.code, granted.json.mission.status], [0, 'completed'], granted.stdout + granted.stderr);
    assert.deepEqual(bed.launches(), [[], [bed.place('given')]]);
    assert.ok(written('given/note.txt'));
    assert.equal((await bed.mission('evidence', 'verify', 'once')).code, 0);
    const evidence = bed.read('docs/ops/executions/once/TASK_T1.json');
    // Alike in the terminal of the runner, in that of the worker and in the evidence.
    const difference = `Arguments removed: nothing; added: --add-dir ${bed.place('given')}.`;
    assert.ok(granted.stderr.includes(difference), granted.stderr);
    const change = bed.read(`.mission-control/missions/${id}/runs/2-T1/change.json`);
    const { attempts } = JSON.parse(evidence) as TaskEvidence;
    const inEvidence = attempts?.[1]?.launches[0]?.change;
    const shown = JSON.parse(change) as LaunchChange;
    assert.deepEqual(inEvidence?.reasons.length, 1);
    assert.deepEqual(shown.arguments?.added, ['--add-dir', bed.place('given')]);
    assert.equal(shown.arguments.before.length + 2, inEvidence.arguments?.after.length);
    assert.match(evidence, /"permission": "add_directory"/);
    assert.match(evidence, /"name": "Grace"/);
  });

  it('reaches the sandbox: the write in the directory arrives, one beside it does not', async function () {
    bed.findBubblewrap(this);
    await blocked('held', { confinement: 'required' });
    const granted = await grant(bed.place('given'));
    assert.equal(granted.code, 0, granted.stdout + granted.stderr);
    const [file = ''] = readdirSync(bed.at('docs/out'));
    const [inside, beside] = JSON.parse(bed.read(`docs/out/${file}`)) as readonly string[];
    assert.equal(inside, 'written');
    // What lies in a hidden place, as a temporary folder does, is not there at all.
    assert.ok(beside === 'EROFS' || beside === 'ENOENT', beside);
    assert.deepEqual([written('given/note.txt'), written('sibling/note.txt')], [true, false]);
    assert.equal((await bed.mission('evidence', 'verify', 'held')).code, 0);
  });

  /** Runs a task that is denied `given/note.txt`, grants that place, and returns what the next attempt could do. */
  const triesOnce = async (
    context: Context,
    tool: 'Read' | 'Write',
    place: string | { readonly allowed: string },
  ): Promise<readonly string[]> => {
    bed.findBubblewrap(context);
    writeFileSync(bed.place('given/note.txt'), 'kept');
    bed.speaks(`
      const given = ${JSON.stringify(bed.place('given'))};
      const file = path.join(given, 'note.txt');
      if (!added.includes(given)) { denied(file, ${JSON.stringify(tool)}); end('blocked'); return; }
      const attempt = (act) => { try { act(); return 'done'; } catch (error) { return error.code; } };
      const told = [
        attempt(() => fs.readFileSync(file)),
        attempt(() => fs.writeFileSync(file, 'x')),
        attempt(() => fs.writeFileSync(path.join(given, 'other.txt'), 'x')),
      ];
      fs.mkdirSync('docs/out', { recursive: true });
      fs.writeFileSync('docs/out/told.json', JSON.stringify(told));
      end('done', 'docs/out/told.json');`);
    if (typeof place === 'string') {
      await blocked('opened', { confinement: 'required' });
      const granted = await grant(bed.place(place));
      assert.equal(granted.code, 0, granted.stdout + granted.stderr);
    } else {
      const recovery = { allow: ['add_directory'], directories: [bed.place(place.allowed)] };
      const plan = bed.agentPlan('opened', { confinement: 'required', recovery });
      const run = await bed.withClaude('run', plan);
      assert.equal(run.code, 0, run.stdout + run.stderr);
    }
    return JSON.parse(bed.read('docs/out/told.json')) as readonly string[];
  };

  it('of a denied read opens reading, and the summary says so', async function () {
    const [read, write, beside] = await triesOnce(this, 'Read', 'given');
    assert.deepEqual([read, write, beside], ['done', 'EROFS', 'EROFS']);
    const summary = bed.read('docs/ops/executions/opened/EXECUTION_SUMMARY.md');
    assert.ok(summary.includes('Grace granted `T1` reading of '), summary);
  });

  it('is not needed where the plan allows the directory, which a denied read opens for reading', async function () {
    const [read, write, beside] = await triesOnce(this, 'Read', { allowed: 'given' });
    assert.deepEqual([read, write, beside], ['done', 'EROFS', 'EROFS']);
    assert.match(
      bed.read('docs/ops/executions/opened/TASK_T1.json'),
      /, to read, allowed by execution\.recovery\.allow/,
    );
  });

  it('of a denied file opens that file alone, and the summary names it', async function () {
    const [read, write] = await triesOnce(this, 'Write', 'given/note.txt');
    assert.deepEqual([read, write], ['done', 'done']);
    // A temporary folder is the launch's own, so what it writes beside the file does not arrive.
    assert.deepEqual([written('given/note.txt'), written('given/other.txt')], [true, false]);
    assert.equal(readFileSync(bed.place('given/note.txt'), 'utf8'), 'x');
    const summary = bed.read('docs/ops/executions/opened/EXECUTION_SUMMARY.md');
    assert.match(summary, /Grace granted `T1` reading and writing of .*given\/note\.txt/);
  });

  for (const [name, place] of [
    ['a path with ..', '../outside/sibling/../given'],
    ['a link', '../link'],
    ['the file that was denied', '../outside/given/note.txt'],
  ] as const)
    it(`takes ${name} as the directory that it leads to`, async () => {
      symlinkSync(bed.place('given'), path.join(bed.scratch, 'link'));
      const id = await blocked('named');
      const granted = await grant(place);
      assert.equal(granted.code, 0, granted.stdout + granted.stderr);
      const event = (await bed.events(id)).find(({ type }) => type === 'DirectoryGranted');
      assert.ok(event?.type === 'DirectoryGranted' && event.directory === bed.place('given'));
    });

  it('refuses what is not the denied directory, or is too much, and nothing is launched', async () => {
    bed.home = bed.outside;
    const id = await blocked('refused');
    symlinkSync(bed.root, bed.place('back'));
    mkdirSync(bed.at('docs/secret'));
    writeFileSync(bed.place('sibling/file'), '');
    const elsewhere = /does not hold .*given\/note\.txt, which the worker was denied/;
    for (const [place, reason] of [
      ['/', /holds the workspace/],
      [bed.scratch, /holds the workspace/],
      [bed.outside, /holds your home folder/],
      [bed.root, elsewhere],
      ['docs/secret', elsewhere],
      [bed.place('given/../../wörk dir/docs'), elsewhere],
      [bed.place('back'), elsewhere],
      [bed.place('back/docs'), elsewhere],
      [bed.place('sibling'), elsewhere],
      [bed.place('sibling/file'), elsewhere],
      [bed.place('gvien'), /There is no directory/],
      [bed.place('gone/deep'), /There is no directory/],
    ] as const) {
      const refused = await grant(id, place);
      assert.deepEqual([refused.code, refused.json.code], [2, 'GRANT_INVALID'], `${place}: ${refused.stdout}`);
      assert.match(refused.json.reason, reason);
      assert.ok(refused.json.next.length > 0, place);
    }
    const nobody = await grant(id, bed.place('given'), '--by', ' ', '--reason', 'because');
    assert.notEqual(nobody.code, 0);
    const unnamed = await grant(id, bed.place('given'), '--reason', 'because');
    assert.equal(unnamed.code, 2);
    const other = await grant('another', bed.place('given'));
    assert.deepEqual([other.code, other.json.code], [2, 'MISSION_UNKNOWN']);
    assert.equal(
      (await bed.events(id)).some(({ type }) => type === 'DirectoryGranted'),
      false,
    );
    assert.equal(bed.launches().length, 1);
  });

  it('is refused a second time, because the task has stopped waiting', async () => {
    const id = await blocked('again');
    assert.equal((await grant(id, bed.place('given'))).code, 0);
    const twice = await grant(id, bed.place('given'));
    assert.deepEqual([twice.code, twice.json.code], [2, 'MISSION_CLOSED']);
    assert.equal(bed.launches().length, 2);
  });

  it('given twice at once is one grant and one launch', async () => {
    const id = await blocked('both');
    const ends = await Promise.all([1, 2].map(() => grant(id, bed.place('given'))));
    assert.equal(ends.filter(({ code }) => code === 0).length, 1, ends.map(({ stdout }) => stdout).join('\n'));
    assert.equal((await bed.events(id)).filter(({ type }) => type === 'DirectoryGranted').length, 1);
    assert.equal(bed.launches().length, 2);
  });

  it('whose owner is killed is one launch with the directory, also under the next owner', async () => {
    // A worker that has ended before its owner looks is never seen to run, and that point never reached.
    const held = path.join(bed.scratch, 'held');
    bed.speaks(`while (fs.existsSync(${JSON.stringify(held)})) await wait(20);\n${wantsOutside(bed.outside)}`);
    for (const [index, point] of [
      'sqlite.run(INSERT DirectoryGranted)#1:after',
      'sqlite.run(INSERT LaunchRequested)#1:after',
      'process.spawn(supervisor.cjs own 2-T1)#1:after',
      'sqlite.run(INSERT WorkerStarted)#1:after',
    ].entries()) {
      const id = await blocked(`killed${index}`);
      const before = bed.launches().length;
      writeFileSync(held, '');
      const killed = await bed.killedAt(point, 'grant', id, bed.place('given'), ...decision);
      rmSync(held);
      assert.equal(killed.signal, 'SIGKILL', point);
      // What was not recorded was not decided.
      const next = index === 0 ? await grant(id, bed.place('given')) : await bed.withClaude('resume', id, ...decision);
      assert.equal(next.code, 0, `${point}\n${next.stdout}`);
      assert.deepEqual(bed.launches().slice(before), [[bed.place('given')]], point);
      assert.equal((await bed.events(id)).filter(({ type }) => type === 'DirectoryGranted').length, 1, point);
    }
  });

  it('of a file whose mode denied it gives its owner the file back, and nothing else', async () => {
    bed.write('docs/out/kept/a.txt', 'a');
    bed.write('docs/out/kept/b.txt', 'b');
    for (const name of ['a', 'b']) chmodSync(bed.at(`docs/out/kept/${name}.txt`), 0o040);
    bed.speaks(`
      const file = path.resolve('docs/out/kept/a.txt');
      if ((fs.statSync(file).mode & 0o600) !== 0o600) {
        say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Write', input: { file_path: file } }] } });
        say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: "EACCES: permission denied, open '" + file + "'" }] } });
        end('blocked');
        return;
      }
      fs.writeFileSync(file, 'new');
      end('done', 'docs/out/kept/a.txt');`);
    const id = await blocked('modes');
    const escalated = (await bed.events(id)).find(({ type }) => type === 'RecoveryEscalated');
    assert.ok(escalated?.type === 'RecoveryEscalated' && escalated.issue === 'FS_PERM_ERROR');
    const granted = await grant(id, 'docs/out/kept/a.txt');
    assert.equal(granted.code, 0, granted.stdout + granted.stderr);
    const modes = ['a', 'b'].map((name) => statSync(bed.at(`docs/out/kept/${name}.txt`)).mode & 0o777);
    assert.deepEqual(modes, [0o640, 0o040]);
    assert.equal((await bed.mission('evidence', 'verify', 'modes')).code, 0);
  });
});
