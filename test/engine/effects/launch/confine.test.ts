import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { done, refused } from '../../../../src/base/outcome';
import type { Mission } from '../../../../src/core/model/state';
import type { Workspace } from '../../../../src/engine/ports/workspace';
import type { SandboxBoundary, Sandboxes } from '../../../../src/engine/ports/sandbox';
import { agentWorkers } from '../../../../src/workers/registry';
import { startRealMission, until, type RealMission, type TaskSpec } from '../../realMission';

const missing = { kind: 'unavailable', reason: 'There is no bwrap.', next: 'Install it.' } as const;
const available = {
  kind: 'available',
  means: 'bubblewrap',
  version: '0.8.0',
  not_nested: null,
  no_layers: null,
} as const;

type Row = Mission['rows'][number] | undefined;

/** Gives prepared answers, and keeps what it was asked. */
class FakeSandboxes implements Sandboxes {
  readonly asked: SandboxBoundary[] = [];
  constructor(
    public now: Awaited<ReturnType<Sandboxes['standing']>>,
    private readonly answer: Awaited<ReturnType<Sandboxes['line']>> = {
      ok: true,
      value: {
        means: 'bubblewrap',
        argv: ['/no/such/bwrap', '--'],
        coarser: ['A sentence.'],
        unheld: [],
        heldLinks: [],
      },
    },
  ) {}

  standing(): ReturnType<Sandboxes['standing']> {
    return Promise.resolve(this.now);
  }

  line(boundary: SandboxBoundary): ReturnType<Sandboxes['line']> {
    this.asked.push(boundary);
    return Promise.resolve(this.answer);
  }
}

const write: TaskSpec = {
  task_id: 'T1',
  paths: ['out/deep/a.txt'],
  command: [process.execPath, '-e', "require('node:fs').writeFileSync('out/deep/a.txt','a')"],
};
const idle: TaskSpec = { task_id: 'T1', paths: ['out/deep/'], command: [process.execPath, '-e', ''] };

describe('what holds a launch back', () => {
  let real: RealMission | null = null;
  afterEach(async () => {
    await real?.dispose();
    real = null;
  });

  async function run(task: TaskSpec, sandboxes: Sandboxes, confinement?: string): Promise<RealMission> {
    real = await startRealMission([task], { sandboxes }, confinement === undefined ? {} : { confinement });
    await until(
      real.engine,
      ({ mission }) => mission?.execution === 'REPORTED' || mission?.rows[0]?.status === 'blocked',
    );
    return real;
  }

  const evidence = ({ dir }: RealMission): Record<string, unknown> => {
    const file = path.join(dir, 'docs/ops/executions/P1/TASK_T1.json');
    const { attempts } = JSON.parse(readFileSync(file, 'utf8')) as {
      attempts: { launches: Record<string, unknown>[] }[];
    };
    return attempts[0]?.launches[0] ?? {};
  };

  it('is a sandbox where there is one: in the journal, in the ticket and in the header', async () => {
    const sandboxes = new FakeSandboxes(available);
    const { engine, ports, dir } = await run(write, sandboxes);
    const { mission } = engine;
    assert.equal(mission?.confinement, 'preferred');
    const launch = mission.rows[0]?.attempts[0]?.launches[0];
    assert.equal(launch?.prepared?.confinement, 'task_sandbox');
    assert.match(launch.prepared.confinement_detail, /^A sandbox around the approved paths of its task holds it back/);
    assert.deepEqual(mission.rows[0]?.attempts[0]?.baseline?.folders, ['out', 'out/deep']);
    const ticket = JSON.parse(
      readFileSync(path.join(ports.paths.runDir(mission.mission_id, launch.run_dir), 'claimed.json'), 'utf8'),
    ) as { sandbox?: unknown };
    assert.deepEqual(ticket.sandbox, { means: 'bubblewrap', argv: ['/no/such/bwrap', '--'] });
    const header = JSON.parse(readFileSync(path.join(dir, 'docs/ops/executions/P1/EXECUTION_HEADER.json'), 'utf8')) as {
      confinement: unknown;
    };
    assert.equal(header.confinement, 'preferred');
    const [asked] = sandboxes.asked;
    assert.deepEqual(asked?.writable, ['out/deep/a.txt']);
    assert.equal(asked.network, false);
    assert.deepEqual(asked.caches, { env_names: [], shared: { name: mission.mission_id } });
    assert.equal(asked.workspace_dir, ports.paths.workspace_dir);
    assert.deepEqual(asked.programWords, write.command);
  });

  it('finds the folders that it needs made before the baseline, and removes again what stayed empty', async () => {
    let found: boolean | null = null;
    real = await startRealMission([idle], ({ workspace, paths }) => ({
      sandboxes: new FakeSandboxes(available),
      workspace: withBaseline(workspace, (request) => {
        found ??= existsSync(path.join(paths.workspace_dir, 'out/deep'));
        return workspace.baseline(request);
      }),
    }));
    await until(real.engine, ({ mission, halt }) => halt !== null || mission?.rows[0]?.status === 'blocked');
    const attempt = real.engine.mission?.rows[0]?.attempts[0];
    assert.equal(found, true);
    assert.deepEqual(attempt?.baseline?.folders, ['out', 'out/deep']);
    assert.deepEqual(attempt.launches[0]?.prepared?.sandbox?.folders, []);
    assert.equal(existsSync(path.join(real.dir, 'out')), false);
  });

  it('leaves no folder where the baseline fails, or where it is off', async () => {
    real = await startRealMission([idle], ({ workspace }) => ({
      sandboxes: new FakeSandboxes(available),
      workspace: withBaseline(workspace, () => Promise.resolve(refused('STATE_STORE_UNWRITABLE', 'Full.', 'Clean.'))),
    }));
    await until(real.engine, ({ mission, halt }) => halt !== null || mission?.rows[0]?.status === 'blocked');
    assert.equal(existsSync(path.join(real.dir, 'out')), false);
    await real.dispose();
    real = await startRealMission([idle], { sandboxes: new FakeSandboxes(available) }, { confinement: 'off' });
    await until(real.engine, ({ mission }) => (mission?.rows[0]?.attempts[0]?.launches.length ?? 0) > 0);
    assert.equal(real.engine.mission?.rows[0]?.attempts[0]?.baseline?.folders, undefined);
    assert.equal(existsSync(path.join(real.dir, 'out')), false);
  });

  it('is nothing on a machine without one, and the evidence says why', async () => {
    const { engine, dir } = await run(
      { ...write, paths: ['a.txt'], command: writeTo('a.txt') },
      new FakeSandboxes(missing),
    );
    assert.equal(engine.mission?.rows[0]?.status, 'done', engine.mission?.rows[0]?.reason);
    const { confinement, confinement_detail, sandbox } = evidence({ dir } as RealMission);
    assert.equal(confinement, 'none');
    assert.match(String(confinement_detail), /No sandbox .* holds it back: There is no bwrap\.$/);
    assert.equal(sandbox, undefined);
  });

  it('is not asked for where it is off', async () => {
    const sandboxes = new FakeSandboxes(available);
    const { engine, dir } = await run({ ...write, paths: ['a.txt'], command: writeTo('a.txt') }, sandboxes, 'off');
    assert.equal(engine.mission?.rows[0]?.status, 'done');
    assert.deepEqual(sandboxes.asked, []);
    assert.doesNotMatch(String(evidence({ dir } as RealMission)['confinement_detail']), /sandbox/i);
  });

  it('keeps a mission that requires it from starting on a machine without one', async () => {
    await assert.rejects(
      run(write, new FakeSandboxes(missing), 'required'),
      /^Error: CONFINEMENT_UNAVAILABLE: There is no bwrap\./,
    );
  });

  it('that is required and lost later blocks the task: nothing starts, and nothing stays behind', async () => {
    const lost = {
      ok: false,
      refusal: { code: 'CONFINEMENT_UNAVAILABLE', reason: 'It is gone.', next: ['Look.'] },
    } as const;
    const { engine, dir } = await run(write, new FakeSandboxes(available, lost), 'required');
    const row = engine.mission?.rows[0];
    assert.equal(row?.status, 'blocked');
    assert.equal(row.code, 'LAUNCH_FAILED');
    assert.match(row.reason, /It is gone\. The mission requires a sandbox, so nothing was started\./);
    assert.equal(row.attempts[0]?.launches[0]?.process ?? null, null);
    assert.equal(existsSync(path.join(dir, 'out')), false);
  });

  describe('around a worker whose own sandbox does not start in it', () => {
    const crowded = { ...available, not_nested: 'It cannot.' };
    const refusal = { code: 'CONFINEMENT_UNAVAILABLE', reason: 'It cannot.', next: [] } as const;
    const agent = { task_id: 'T1', paths: ['out/'], worker: 'codex', prompt: 'Write.', command: undefined };
    const task = agent as unknown as TaskSpec;
    const start = async (confinement: string): Promise<Row> => {
      const sandboxes = new FakeSandboxes(crowded, { ok: false, refusal });
      const resolved = { executable: '/bin/true', version: null, extra_args: [], env_names: [], default_model: null };
      real = await startRealMission(
        [task],
        ({ workers }) => ({ sandboxes, workers: { ...workers, resolve: () => Promise.resolve(done(resolved)) } }),
        { confinement },
      );
      await until(real.engine, ({ mission, halt }) => halt !== null || mission?.rows[0]?.status === 'blocked');
      return real.engine.mission?.rows[0];
    };

    it('there is its own alone, which the evidence says', async () => {
      const row = await start('preferred');
      const prepared = row?.attempts[0]?.launches[0]?.prepared;
      assert.equal(prepared?.confinement, 'os_sandbox', row?.reason);
      assert.match(prepared.confinement_detail, /It is the only sandbox around it: It cannot\.$/);
      assert.match(prepared.argv.join(' '), /default_permissions="mission-control"/);
      assert.equal(prepared.sandbox, undefined);
    });

    it('nothing is started where ours is required', async () => {
      await assert.rejects(start('required'), /^Error: CONFINEMENT_UNAVAILABLE: It cannot\./);
    });
  });

  describe('around an agent whose network has only the hosts of its provider', () => {
    const agent = { task_id: 'T1', paths: ['out/'], worker: 'gemini', prompt: 'Write.', command: undefined };
    const resolved = {
      ...{ executable: '/bin/true', version: null, extra_args: [], env_names: [], default_model: null },
      hosts: ['gateway.example.com:443'],
    };
    const start = async (sandboxes: FakeSandboxes, confinement: string): Promise<Row> => {
      real = await startRealMission(
        [agent as unknown as TaskSpec],
        ({ workers }) => ({ sandboxes, workers: { ...workers, resolve: () => Promise.resolve(done(resolved)) } }),
        { confinement, agent_network: 'provider' },
      );
      await until(real.engine, ({ mission, halt }) => halt !== null || mission?.rows[0]?.status === 'blocked');
      return real.engine.mission?.rows[0];
    };
    const seatbelt = { ...available, means: 'seatbelt' } as const;

    it('the sandbox has no network, and the ticket names the hosts', async () => {
      const sandboxes = new FakeSandboxes(available);
      const row = await start(sandboxes, 'required');
      const [asked] = sandboxes.asked;
      assert.deepEqual([asked?.network, asked?.relayed, asked?.caches], [false, true, undefined]);
      const prepared = row?.attempts[0]?.launches[0]?.prepared;
      const hosts = [...agentWorkers.gemini.provider.hosts.map(({ host }) => host), 'gateway.example.com:443'];
      assert.deepEqual([prepared?.sandbox?.network, prepared?.sandbox?.hosts], [false, hosts]);
      assert.equal(real?.engine.mission?.agent_network, 'provider');
    });

    it('nothing starts where a sandbox is required that cannot hold it, and a note says so where one is preferred', async () => {
      await assert.rejects(
        start(new FakeSandboxes(seatbelt), 'required'),
        /^Error: CONFINEMENT_UNAVAILABLE: The sandbox of this system \(seatbelt\) cannot hold an agent to the hosts of its provider\./,
      );
      const sandboxes = new FakeSandboxes(seatbelt);
      const row = await start(sandboxes, 'preferred');
      assert.deepEqual([sandboxes.asked[0]?.network, sandboxes.asked[0]?.relayed], [true, undefined]);
      const prepared = row?.attempts[0]?.launches[0]?.prepared;
      assert.match(prepared?.confinement_detail ?? '', / Its network is open: nothing here holds it/);
      assert.equal(prepared?.sandbox?.hosts, undefined);
    });
  });

  it('that cannot hold all of it does for a mission that prefers it, and not for one that requires it', async () => {
    const line = {
      ok: true,
      value: {
        means: 'bubblewrap',
        argv: ['/no/such/bwrap', '--'],
        coarser: ['Too many.'],
        unheld: ['Too many.'],
        heldLinks: [],
      },
    } as const;
    const preferred = await run(write, new FakeSandboxes(available, line));
    const held = preferred.engine.mission?.rows[0]?.attempts[0]?.launches[0]?.prepared;
    assert.deepEqual(held?.sandbox?.coarser, ['Too many.']);
    await preferred.dispose();
    const required = await run(write, new FakeSandboxes(available, line), 'required');
    assert.equal(required.engine.mission?.rows[0]?.status, 'blocked');
    assert.match(required.engine.mission.rows[0].reason, /^Too many\./);
  });
});

function writeTo(file: string): readonly string[] {
  return [process.execPath, '-e', `require('node:fs').writeFileSync('${file}','a')`];
}

function withBaseline(workspace: Workspace, baseline: Workspace['baseline']): Workspace {
  return {
    baseline,
    difference: (request) => workspace.difference(request),
    tree: (request) => workspace.tree(request),
    undo: (request) => workspace.undo(request),
    land: (request) => workspace.land(request),
    standing: (paths) => workspace.standing(paths),
    links: (paths) => workspace.links(paths),
    head: () => workspace.head(),
  };
}
