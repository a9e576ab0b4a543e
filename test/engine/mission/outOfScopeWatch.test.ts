import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sha256Of } from '../../../src/adapters/files/bytes/sha256';
import { isAlive } from '../../../src/adapters/processes/tree';
import type { MissionCommand } from '../../../src/contracts/commands/missionCommand';
import { currentLaunch } from '../../../src/core/model/attempt';
import type { Mission } from '../../../src/core/model/state';
import { EarlyLook } from '../../../src/engine/mission/outOfScopeWatch';
import type { EnginePorts } from '../../../src/engine/ports/engine';
import { runner } from '../../../src/contracts/vocabulary/actors';
import { details, startRealMission, until, type RealMission, type TaskSpec } from '../realMission';

const waits = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
const scope = { paths: ['src/'], command: waits };

describe('engine: an early look at what changed on disk', () => {
  let mission: RealMission | undefined;
  let look: EarlyLook;
  /** Differences that were begun in the middle of an attempt, and how many at once at most. */
  let looks = 0;
  let atOnce = 0;
  let busy = 0;
  /** What happens during the look of this number, before the workspace is read. */
  let during: (number: number) => Promise<void> = () => Promise.resolve();

  /** The window reports its saves. */
  let told: () => Promise<void> = () => Promise.resolve();
  /** Seconds that were slept, each in no time. */
  let slept: number[] = [];

  beforeEach(() => {
    looks = atOnce = busy = 0;
    slept = [];
    during = told = () => Promise.resolve();
  });
  afterEach(async () => {
    look.dispose();
    if (mission) {
      await decide(mission, { type: 'CancelMission' });
      await mission.engine.settled();
    }
    await mission?.dispose();
    mission = undefined;
  });

  const observed = ({ workspace, paths }: EnginePorts): Partial<EnginePorts> => ({
    savesReported: () => told(),
    workspace: {
      baseline: async (request) => {
        await mkdir(paths.absolute('node_modules/there'), { recursive: true });
        return workspace.baseline(request);
      },
      tree: (request) => workspace.tree(request),
      undo: (request) => workspace.undo(request),
      land: (request) => workspace.land(request),
      standing: (paths) => workspace.standing(paths),
      links: (paths) => workspace.links(paths),
      head: () => workspace.head(),
      difference: async (request) => {
        if (request.only_look !== true) return workspace.difference(request);
        atOnce = Math.max(atOnce, (busy += 1));
        try {
          await during((looks += 1));
          return await workspace.difference(request);
        } finally {
          busy -= 1;
        }
      },
    },
  });
  const start = async (tasks: readonly TaskSpec[], execution = {}): Promise<RealMission> => {
    mission = await startRealMission(tasks, observed, execution);
    const { engine, ports } = mission;
    look = new EarlyLook({ ...ports, timers: hurried(ports) }, () => [engine]);
    await until(
      engine,
      (of) => of.mission?.lanes.filter(({ stage }) => stage.at === 'running').length === tasks.length,
    );
    return mission;
  };
  const hurried = ({ clock }: EnginePorts): EnginePorts['timers'] => ({
    at: (time, callback) => {
      slept.push(Math.round((Date.parse(time) - Date.parse(clock.now())) / 100) / 10);
      const timer = setTimeout(callback, 20);
      return { dispose: () => clearTimeout(timer) };
    },
  });
  const write = async (file: string, content = 'x\n'): Promise<void> => {
    const absolute = path.join(mission?.dir ?? '', file);
    await mkdir(path.dirname(absolute), { recursive: true });
    await writeFile(absolute, content);
  };
  const saved = async ({ engine, ports }: RealMission, file: string, content: string): Promise<void> =>
    engine.submit(
      { type: 'DocumentWasSaved', save: { path: file, sha256: sha256Of(Buffer.from(content)), at: ports.clock.now() } },
      runner,
    );
  const breaches = (of: RealMission): readonly (string | null)[] =>
    (of.engine.mission?.lanes ?? []).map(({ scope_breach }) => scope_breach);
  const isObserved = ({ dir }: RealMission): boolean =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' }).some((file) => file.endsWith('observed.json'));

  it('stops a worker that wrote out of its scope, and the end says SCOPE_VIOLATION', async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    const { engine } = real;
    const [lane] = engine.mission?.lanes ?? [];
    const process = lane && currentLaunch(lane)?.process;
    assert.ok(process?.worker);
    await write('src/.git/hooks/x');
    await look.at(['src/.git/hooks/x']);
    assert.equal(looks, 2);
    await engine.settled();
    const row = engine.mission?.rows[0];
    const failure = row?.attempts[0]?.failure;
    assert.ok(failure?.kind === 'structural', JSON.stringify(failure));
    assert.equal(failure.code, 'SCOPE_VIOLATION');
    assert.match(
      failure.reason,
      /^src\/\.git\/hooks\/x changed while task T1 ran\. Only time and place show who changed it\./,
    );
    assert.equal(row?.attempts[0]?.launches[0]?.end?.reason, 'stop_requested');
    assert.deepEqual([await isAlive(process.supervisor), await isAlive(process.worker)], [false, false]);
  });

  it('stops a worker without a sandbox for a stray change, which blocks and accuses no one', async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    await write('stray.txt');
    await look.at(['stray.txt']);
    assert.equal(looks, 2);
    await real.engine.settled();
    const row = real.engine.mission?.rows[0];
    const failure = row?.attempts[0]?.failure;
    assert.ok(failure?.kind === 'recoverable', JSON.stringify(failure));
    assert.deepEqual([row?.status, row?.code], ['blocked', 'CONCURRENCY_CONFLICT']);
    assert.match(failure.reason, /^stray\.txt changed outside .* Nothing shows who changed it\.$/);
    assert.match(failure.details[0] ?? '', /^The worker was stopped once two looks ten seconds apart had shown this/);
    assert.equal(
      row?.attempts[0]?.observed?.changes.every(({ violation }) => violation === null),
      true,
    );

    const accepts = { type: 'AcceptChanges', task_id: 'T1', names: ['stray.txt'] } as const;
    await decide(real, accepts);
    await real.engine.settled();
    assert.deepEqual(
      real.engine.mission?.rows[0]?.outstanding.map(({ settled }) => settled?.how),
      ['accepted'],
    );
  });

  it('stops it as well where no event tells of the change, by looks of its own', async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    await write('stray.txt');
    look.patrol();
    await until(real.engine, ({ mission: of }) => of?.rows[0]?.status === 'blocked');
    assert.equal(real.engine.mission?.rows[0]?.code, 'CONCURRENCY_CONFLICT');
    assert.ok(slept.includes(15), String(slept));
  });

  it('stops no worker for what a person saves out of scope, or removes within ten seconds', async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    await write('notes.md', 'mine');
    await saved(real, 'notes.md', 'mine');
    await look.at(['notes.md']);
    await write('draft.tmp');
    during = (number) => (number === 3 ? rm(path.join(real.dir, 'draft.tmp')) : Promise.resolve());
    await look.at(['draft.tmp']);
    assert.deepEqual([looks, breaches(real)], [3, [null]]);
  });

  it('stops each lane that may have written it: all block, none is accused, and no new one starts', async () => {
    const tasks = ['A', 'B'].map((task_id) => ({ task_id, paths: [`src/${task_id}/`], command: waits }));
    const real = await start(tasks, { mode: 'parallel', max_parallel: 2 });
    await write('stray.txt');
    await look.at(['stray.txt']);
    await real.engine.settled();
    const rows = real.engine.mission?.rows ?? [];
    assert.deepEqual(
      rows.map(({ code }) => code),
      ['CONCURRENCY_CONFLICT', 'CONCURRENCY_CONFLICT'],
    );
    for (const [index, { attempts }] of rows.entries()) {
      const failure = attempts[0]?.failure;
      assert.ok(failure?.kind === 'recoverable' && attempts[0]?.observed?.changes.every(({ violation }) => !violation));
      assert.match(
        failure.details.join('\n'),
        index === 0 ? /^by one of A, B, or another/m : /^by one of B, A, or another/m,
      );
    }
  });

  it('records nothing of its own: no observation before the end', async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    await write('src/.git/hooks/gone');
    during = (number) => (number === 2 ? rm(path.join(real.dir, 'src/.git/hooks/gone')) : Promise.resolve());
    await look.at(['src/.git/hooks/gone']);
    assert.deepEqual([looks, isObserved(real)], [2, false]);
  });

  it('stops no worker for a temporary file, which is gone at the second look', async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    await look.at(['gone-already.tmp']);
    assert.deepEqual([looks, breaches(real)], [1, [null]]);
    await write('src/.git/hooks/seen-once');
    during = (number) => (number === 3 ? rm(path.join(real.dir, 'src/.git/hooks/seen-once')) : Promise.resolve());
    await look.at(['src/.git/hooks/seen-once']);
    assert.deepEqual([looks, breaches(real)], [3, [null]]);
  });

  it("counts a person's save as no violation, also when it is reported after the first look", async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    await write('src/.git/info/notes', 'in time');
    await saved(real, 'src/.git/info/notes', 'in time');
    await look.at(['src/.git/info/notes']);
    assert.deepEqual([looks, breaches(real)], [1, [null]]);
    await write('src/.git/info/notes', 'late');
    during = (number) => (number === 3 ? saved(real, 'src/.git/info/notes', 'late') : Promise.resolve());
    await look.at(['src/.git/info/notes']);
    assert.deepEqual([looks, breaches(real)], [3, [null]]);
  });

  it('counts two saves of one file as no violation, when both are reported late', async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    await write('src/.git/info/notes', 'once');
    during = async (number) => {
      if (number === 2) await write('src/.git/info/notes', 'twice');
      if (number === 3) await saved(real, 'src/.git/info/notes', 'twice');
    };
    await look.at(['src/.git/info/notes']);
    assert.deepEqual([looks, breaches(real)], [3, [null]]);
  });

  it('gives the other windows ten seconds to report a save, because a busy one reports seconds after it wrote', async () => {
    await start([{ task_id: 'T1', ...scope }]);
    await write('src/.git/hooks/x');
    await look.at(['src/.git/hooks/x']);
    assert.deepEqual([looks, slept], [2, [0.5, 10]]);
  });

  it('confirms no violation before every save was reported', async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    await write('src/.git/info/notes', 'late');
    told = () => saved(real, 'src/.git/info/notes', 'late');
    await look.at(['src/.git/info/notes']);
    assert.deepEqual([looks, breaches(real)], [2, [null]]);
  });

  it('stops a worker that writes out of its scope without a pause', async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    await write('src/.git/info/log', '0');
    during = (number) => write('src/.git/info/log', String(number));
    await look.at(['src/.git/info/log']);
    assert.equal(looks, 3);
    await real.engine.settled();
    assert.equal(real.engine.mission?.rows[0]?.code, 'SCOPE_VIOLATION');
  });

  it("does not look for changes in a lane's own paths, reserved folders or git, or while no worker runs", async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    await look.at([
      'src/deep/own.ts',
      '.mission-control/missions/x/state',
      'docs/ops/executions/P1/TASK_T1.json',
      '.git/index',
      '.git/index.lock',
      '.git/HEAD.lock',
      '.git/FETCH_HEAD',
      '.git/objects/ab/cd',
      '.git/logs/HEAD',
      '.git/refs/remotes/origin/main',
      '.README.md.swp',
      'deep/4913',
      'deep/.#notes.md',
      'notes.md~',
    ]);
    assert.equal(looks, 0);
    await look.at(['.git/HEAD']);
    await look.at(['.git/refs/heads/main']);
    assert.equal(looks, 2);
    await decide(real, { type: 'StopTask', task_id: 'T1' });
    await real.engine.settled();
    await look.at(['anything']);
    assert.equal(looks, 2);
  });

  it('looks and finds nothing in a folder of dependencies that was there and that git ignores', async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    await write('node_modules/thing/index.js');
    await look.at(['node_modules/thing/index.js']);
    assert.deepEqual([looks, breaches(real)], [1, [null]]);
  });

  it('looks at a forbidden path inside the approved ones', async () => {
    const real = await start([{ task_id: 'T1', ...scope, forbidden_paths: ['src/keep/'] }]);
    await write('src/keep/x');
    await look.at(['src/keep/x']);
    assert.equal(looks, 2);
    await real.engine.settled();
    assert.equal(real.engine.mission?.rows[0]?.code, 'CONCURRENCY_CONFLICT');
  });

  it('leaves a path of another lane to that lane, and stops all for one in none', async () => {
    const tasks = ['A', 'B'].map((task_id) => ({ task_id, paths: [`src/${task_id}/`], command: waits }));
    const real = await start(tasks, { mode: 'parallel', max_parallel: 2 });
    await write('src/A/own');
    await look.at(['src/A/own']);
    assert.equal(looks, 0);
    await look.at(['elsewhere.tmp']);
    assert.deepEqual([looks, breaches(real)], [2, [null, null]]);
    await write('src/A/.git/hooks/x');
    await look.at(['src/A/.git/hooks/x']);
    assert.equal(looks, 6);
    await real.engine.settled();
    const { mission: ended } = real.engine;
    assert.deepEqual(outcomes(ended).sort(), ['SCOPE_VIOLATION', 'canceled']);
    assert.equal(ended?.lanes.length, 0);
  });

  it('makes one look for many changes, and never two at once', async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    const names = Array.from({ length: 2_000 }, (_, index) => `out-${index}.tmp`);
    let later: Promise<unknown> = Promise.resolve();
    during = (number) => {
      if (number === 1) later = Promise.all(names.map((name) => look.at([name])));
      return Promise.resolve();
    };
    await Promise.all(names.map((name) => look.at([name])));
    await later;
    assert.deepEqual([looks, atOnce, breaches(real)], [2, 1, [null]]);
  });

  it('does not look once it was disposed', async () => {
    const real = await start([{ task_id: 'T1', ...scope }]);
    await write('src/.git/hooks/x');
    const looking = look.at(['src/.git/hooks/x']);
    look.dispose();
    await looking;
    await look.at(['src/.git/hooks/x']);
    assert.deepEqual([looks, breaches(real)], [0, [null]]);
  });
});

function outcomes(mission: Mission | null): string[] {
  return (mission?.rows ?? []).map(({ code, status }) => code ?? status);
}

async function decide({ engine, ports }: RealMission, command: MissionCommand): Promise<void> {
  await engine.command(ports.ids.uuid(), command, { kind: 'human', name: 'ada' }, details);
}
