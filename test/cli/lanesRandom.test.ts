import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { decision, type Ended, type TaskOptions } from './cliBed';
import { dice, type Dice } from '../support/dice';
import { LanesBed } from './lanesBed';

/** LANES_SEEDS=20 for more, LANES_SEED=7 for that one alone. */
const only = process.env['LANES_SEED'];
const seeds =
  only === undefined
    ? Array.from({ length: Number(process.env['LANES_SEEDS'] ?? 2) }, (_, index) => index + 1)
    : [Number(only)];

describe('mission: random plans in lanes, their owner killed at random moments', function () {
  this.timeout(240_000);
  let bed: LanesBed;
  beforeEach(() => (bed = new LanesBed()));
  afterEach(() => bed.dispose());

  for (const seed of seeds)
    it(`seed ${seed}: completes, with every lock held by one, every worker run as often as its plan says`, async () => {
      const random = dice(seed);
      const tasks = randomTasks(bed, random);
      const plan = bed.parallel(
        'random',
        2 + random.below(3),
        tasks.map(({ options }) => options),
      );
      const story: string[] = [];
      const tell = (what: string, { code, signal, stderr }: Ended): void =>
        void story.push(`${what}: ${code ?? signal ?? ''}\n${stderr}`);
      /** Runs a command that drives the mission, and kills it in the middle now and then. */
      const drive = async (...args: readonly string[]): Promise<void> => {
        const running = bed.start(...args);
        const patience = random.chance(0.6) ? 150 + random.below(1500) : null;
        const ended = await Promise.race([running.ended, ...(patience === null ? [] : [pause(patience, null)])]);
        if (ended === null) running.child.kill('SIGKILL');
        tell(args.join(' '), await running.ended);
      };

      await drive('run', plan);
      for (let step = 0; step < 40; step += 1) {
        const view = (await bed.mission('list')).json.missions.length === 0 ? null : await bed.view('random');
        if (view?.ending) break;
        const open = view?.blocks.find(({ state }) => state === 'open');
        if (view === null) await drive('run', plan);
        else if (view.interrupted || !open) await drive('resume', 'random', ...decision);
        else await drive('retry', 'random', open.task_id, ...decision);
      }

      const told = story.join('\n');
      const view = await bed.view('random');
      assert.equal(view.ending?.outcome, 'COMPLETED', `${view.headline}\n${told}`);
      assert.equal(bed.exists('../both'), false, told);
      assert.equal((await bed.mission('evidence', 'verify', 'random')).code, 0);
      const runs = bed.runs();
      for (const { name, fails } of tasks) {
        const times = runs.filter((run) => run === name).length;
        assert.deepEqual([name, times], [name, fails ? 2 : 1], told);
        const attempts = bed.evidence('random', name).attempts ?? [];
        assert.deepEqual(
          attempts.map(({ outcome }) => outcome),
          fails ? ['HALT', 'PASS'] : ['PASS'],
        );
        assert.ok(attempts.every(({ changes }) => changes.every(({ violation }) => violation === null)));
      }
      await assertLocks(bed, tasks);
    });
});

interface RandomTask {
  readonly name: string;
  readonly units: readonly string[];
  readonly after: readonly string[];
  /** Exits with 7 the first time. */
  readonly fails: boolean;
  readonly options: TaskOptions;
}

function randomTasks(bed: LanesBed, random: Dice): readonly RandomTask[] {
  const units = ['u0', 'u1', 'u2', 'u3', 'u4'];
  const names = Array.from({ length: 9 }, (_, index) => `T${index}`);
  return names.map((name, index) => {
    const own = [...new Set([random.one(units), ...(random.chance(0.3) ? [random.one(units)] : [])])];
    const after = index > 0 && random.chance(0.25) ? [random.one(names.slice(0, index))] : [];
    const fails = random.chance(0.2);
    const check = `tools/check-${name}.mjs`;
    bed.write(check, `import fs from 'node:fs'; fs.appendFileSync('lanes/${own[0] ?? ''}/checked', '${name}');`);
    const script = `${bed.prelude(name)}
const units = ${JSON.stringify(own)};
for (const unit of units) { try { fs.writeFileSync(outside('busy-' + unit), '', { flag: 'wx' }); } catch { write(outside('both'), unit); } }
for (const unit of units) {
  const file = path.join('lanes', unit, 'file');
  write(file + '.tmp', String(Math.random())); fs.renameSync(file + '.tmp', file);
  write(path.join('lanes', unit, 'deep', '${name}')); write(path.join('lanes', unit, 'gone')); 
}
await new Promise((go) => setTimeout(go, ${random.below(400)}));
for (const unit of units) { fs.rmSync(path.join('lanes', unit, 'gone')); fs.rmSync(outside('busy-' + unit), { force: true }); }
${fails ? `if (!fs.existsSync(outside('failed-${name}'))) { write(outside('failed-${name}')); process.exit(7); }` : ''}
`;
    const options: TaskOptions = {
      task_id: name,
      paths: own.map((unit) => `lanes/${unit}${random.chance(0.5) ? '/' : ''}`),
      priority: random.one(['low', 'normal', 'high', 'critical']),
      depends_on: after,
      script,
      ...(random.chance(0.3) ? { verify: [['node', check]] } : {}),
    };
    return { name, units: own, after, fails, options };
  });
}

/** Reads in the journal: no lock beside one that overlaps it, no task before those it depends on. */
async function assertLocks(bed: LanesBed, tasks: readonly RandomTask[]): Promise<void> {
  const held = new Map<string, string>();
  const done = new Set<string>();
  for (const event of await bed.events('random')) {
    if (event.type === 'RowTransitioned' && event.to === 'done') done.add(event.task_id);
    if (event.type === 'LockReleased')
      for (const [unit, holder] of held) if (holder === event.task_id) held.delete(unit);
    if (event.type !== 'LockTaken') continue;
    const task = tasks.find(({ name }) => name === event.task_id);
    for (const unit of task?.units ?? []) {
      assert.equal(held.get(unit), undefined, `${unit} for ${event.task_id}`);
      held.set(unit, event.task_id);
    }
    for (const before of task?.after ?? []) assert.ok(done.has(before), `${event.task_id} before ${before}`);
  }
  assert.deepEqual([...held], []);
}
