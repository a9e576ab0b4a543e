import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { claimCheck } from '../../src/adapters/documents/claimCheck';
import { createMissionPaths } from '../../src/adapters/state/missionPaths';
import { openNodePorts, type NodePorts, type NodePortsOptions } from '../../src/adapters/nodePorts';
import { openNodeViewer, type JournalPlace } from '../../src/adapters/nodeViewer';
import type { Actor } from '../../src/contracts/vocabulary/actors';
import { MissionHost } from '../../src/engine/owner/host';
import { MissionReader } from '../../src/engine/views/reader';
import { missionControlSnapshot } from '../../src/engine/views/snapshot';
import { agentCatalog } from '../../src/workers/registry';
import { machinePath } from '../support/machine';

const actor: Actor = { kind: 'human', name: 'Grace' };
const places: readonly JournalPlace[] = [
  { kind: 'in_process' },
  { kind: 'thread', script: path.resolve('dist/journalThread.js') },
];

describe('nodePorts', () => {
  let scratch: string;
  let workspace: string;
  const opened: NodePorts[] = [];
  beforeEach(() => {
    scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-ports-')));
    workspace = path.join(scratch, 'work');
    mkdirSync(workspace);
  });
  afterEach(async () => {
    for (const ports of opened.splice(0)) await ports.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  const options = (journal: JournalPlace, workspaceDir = workspace): NodePortsOptions => ({
    workspaceDir,
    journal,
    toolVersion: '0.0.0-test',
    workers: {
      ...agentCatalog,
      settings: () => ({ path: null, extraArgs: [], envNames: [], model: null }),
      environment: { PATH: machinePath(), HOME: scratch },
    },
    supervisor: { supervisorFile: path.resolve('dist/supervisor.cjs') },
    onProblem: (problem) => assert.fail(problem),
  });
  async function open(journal: JournalPlace): Promise<NodePorts> {
    const ports = await openNodePorts(options(journal));
    if (!ports.ok) assert.fail(ports.refusal.reason);
    opened.push(ports.value);
    return ports.value;
  }

  for (const journal of places) {
    it(`runs a mission with the journal ${journal.kind.replace('_', ' ')}, seen by a viewer`, async () => {
      writePlan();
      assert.deepEqual(await openNodeViewer({ workspaceDir: workspace, journal }), { ok: true, value: null });
      const node = await open(journal);
      assert.equal(existsSync(node.folder.leaseDb), false, 'opening takes nothing');
      const host = await MissionHost.acquire(
        node.ports,
        { tool_version: '0.0.0-test', ticket_seconds: 60, grace_seconds: 5 },
        actor,
      );
      if (!host.ok) assert.fail(host.refusal.reason);
      const started = await host.value.start({
        plan_path: path.join(workspace, 'docs/plans/PLAN_ports.json'),
        actor,
        default_worker: 'claude',
        require_approval_record: false,
      });
      if (started.kind === 'refused') assert.fail(started.refusal.reason);
      await host.value.settled();
      assert.equal(started.engine.mission?.execution, 'REPORTED', JSON.stringify(started.engine.halt));

      const viewer = await openNodeViewer({ workspaceDir: workspace, journal });
      assert.ok(viewer.ok && viewer.value !== null);
      const { value } = viewer;
      assert.equal(await value.isOwned(), true);
      const { view } = await missionControlSnapshot(
        { node: value, reader: new MissionReader(value.journal) },
        { workspace: 'work', sequence: 7, now: '2026-01-01T00:00:00.000Z' },
      );
      assert.deepEqual(
        [view.owner, view.sequence, view.missions.map(({ status, done, events }) => [status, done, events.length > 5])],
        ['another', 7, [['completed', 1, true]]],
      );
      await host.value.release();
      assert.equal(await value.isOwned(), false);
      await value.close();
    });
  }

  it('refuses a workspace that is no folder and a state folder that is a link, and creates nothing', async () => {
    const missing = await openNodePorts(options({ kind: 'in_process' }, path.join(scratch, 'none')));
    assert.equal(missing.ok || missing.refusal.code, 'STATE_STORE_UNWRITABLE');
    const outside = path.join(scratch, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, path.join(workspace, '.mission-control'));
    const linked = await openNodePorts(options({ kind: 'in_process' }));
    assert.equal(linked.ok || linked.refusal.code, 'STATE_STORE_UNWRITABLE');
    const viewed = await openNodeViewer({ workspaceDir: workspace, journal: { kind: 'in_process' } });
    assert.equal(viewed.ok || viewed.refusal.code, 'STATE_STORE_UNWRITABLE');
    assert.equal(existsSync(path.join(outside, 'state.db')), false);
  });

  it('keeps the state private to this user', async () => {
    const { folder } = await open({ kind: 'in_process' });
    if (process.platform !== 'win32') {
      assert.deepEqual([statSync(folder.root).mode & 0o777, statSync(folder.stateDb).mode & 0o777], [0o700, 0o600]);
    }
  });

  it('knows a workspace by both spellings of its path', () => {
    const link = path.join(scratch, 'link');
    symlinkSync(workspace, link);
    const paths = createMissionPaths(link, { case_insensitive: false });
    assert.deepEqual(paths.scope.roots, [link, workspace]);
    for (const [reported, expected] of [
      [path.join(link, 'src/a.ts'), 'src/a.ts'],
      [path.join(workspace, 'src/a.ts'), 'src/a.ts'],
      ['src/../b.ts', 'b.ts'],
      ['.', '.'],
      ['../c.ts', null],
      [path.join(scratch, 'c.ts'), null],
      [`${workspace}-other/c.ts`, null],
      ['..c.ts', '..c.ts'],
    ] as const) {
      assert.equal(paths.relative(reported), expected, reported);
    }
    assert.equal(paths.missionFile('m-1', 'x/y.json'), '.mission-control/missions/m-1/x/y.json');
    assert.throws(() => paths.missionFile('../up', 'x'), RangeError);
    assert.throws(() => paths.runDir('m-1', '../up'), RangeError);
  });

  it('accepts a result packet of the contract and says what is wrong with others', () => {
    const packet = {
      schema_version: '1.0.0',
      run_id: 'r',
      task_id: 'T1',
      status: 'done',
      changes: [{ resource: 'a', action: 'created', evidence: null }],
      acceptance_check: [],
      worklog_path: '',
      notes_for_orchestrator: [],
    };
    assert.equal(claimCheck.validate(packet).ok, true);
    assert.deepEqual(claimCheck.validate({ ...packet, extra: 1, x_note: 1 }), { ok: true, result: packet });
    for (const wrong of [
      null,
      [],
      'text',
      { ...packet, status: 'fine' },
      { ...packet, notes_for_orchestrator: ['\u200b'] },
      { ...packet, schema_version: '2.0.0' },
    ]) {
      const checked = claimCheck.validate(wrong);
      assert.ok(!checked.ok && checked.problems.length > 0, JSON.stringify(wrong));
    }
  });

  function writePlan(): void {
    mkdirSync(path.join(workspace, 'docs/plans'), { recursive: true });
    const plan = {
      contract_version: 'S2-B-05.v1',
      plan_id: 'ports',
      goal_id: 'GOAL-1',
      created_at: '2026-01-01T00:00:00Z',
      planner: 'tests',
      status: 'APPROVED',
      risk: { level: 1, notes: 'none' },
      scope: { allowed: ['docs_update'], forbidden: [] },
      tasks: [
        {
          task_id: 'T1',
          description: 'Write a file',
          type: 'automation',
          paths: ['out.txt'],
          worker: 'command',
          command: ['node', '-e', "require('node:fs').writeFileSync('out.txt', 'x')"],
        },
      ],
      execution: { mode: 'sequential' },
      approval: { required: true, approved_by: 'Ada', approved_at: '2026-01-02T00:00:00Z' },
      success_criteria: ['validator_passes'],
    };
    writeFileSync(path.join(workspace, 'docs/plans/PLAN_ports.json'), JSON.stringify(plan));
  }
});
