import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkShape } from '../../../../src/adapters/documents/schemas';
import { assignmentSchema } from '../../../../src/contracts/freshContext';
import { validateAssignment } from '../../../../src/core/freshContext/assignment';
import { missionStatus } from '../../../../src/core/mission/status';
import { assignmentFile } from '../../../../src/engine/effects/launch/prepareLaunch';
import { startRealMission, type RealMission } from '../../realMission';

const quick = [
  process.execPath,
  '-e',
  'require("fs").mkdirSync("src",{recursive:true}); require("fs").writeFileSync("src/out","x")',
];

describe('engine: assignments', () => {
  let mission: RealMission | null = null;
  afterEach(async () => {
    await mission?.dispose();
    mission = null;
  });

  it('the packet of a dispatched task is written into its run directory and is valid', async () => {
    mission = await startRealMission([
      { task_id: 'T1', command: quick, paths: ['src', 'src/lib'], forbidden_paths: ['src/secret', 'docs/x'] },
    ]);
    const { engine, ports } = mission;
    await engine.settled();
    assert.equal(engine.mission && missionStatus(engine.mission), 'completed');
    const launch = engine.mission?.rows[0]?.attempts[0]?.launches[0];
    const file = path.join(ports.paths.runDir(engine.missionId, launch?.run_dir ?? ''), assignmentFile);
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    const verdict = validateAssignment({ value, shape: checkShape('assignment', value) });
    assert.deepEqual([verdict.code, verdict.details.findings], ['OK', []]);
    const packet = assignmentSchema.parse(value);
    assert.equal(packet.run_id, engine.mission?.run_id);
    assert.deepEqual([packet.task.lock_scope, packet.task.forbidden_scope], [['src'], ['docs/x']]);
  });

  it('a refused packet launches nothing, and its code stands in row and recovery packet', async () => {
    const secret = `ghp_${'a1'.repeat(18)}`;
    mission = await startRealMission([
      { task_id: 'T1', command: quick, acceptance_criteria: [`works with ${secret}`] },
    ]);
    const { engine, ports, dir } = mission;
    await engine.settled();
    const row = engine.mission?.rows[0];
    assert.deepEqual([row?.status, row?.code, row?.lock], ['blocked', 'UNTRUSTED_CONTEXT_BLOCK', 'released']);
    const [packet] = engine.mission?.packets ?? [];
    const text = await readFile(path.join(dir, packet?.written?.path ?? ''), 'utf8');
    assert.match(text, /"reasonCategory": "assignment_refused"/);
    assert.match(text, /"code": "UNTRUSTED_CONTEXT_BLOCK"/);
    const launch = row?.attempts[0]?.launches[0];
    assert.equal(launch?.process, null);
    await assert.rejects(
      readFile(path.join(ports.paths.runDir(engine.missionId, launch.run_dir), 'launch.json')),
      /ENOENT/,
    );
  });
});
