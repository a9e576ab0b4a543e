import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { leaveOutcome } from '../../../src/adapters/launches/files';
import { runFiles, taskOutcomeSchema, type TaskOutcome } from '../../../src/contracts/launch';
import { taskSentence } from '../../../src/base/text/words';
import { MissionEngine } from '../../../src/engine/mission/engine';
import { details, startRealMission, until, type RealMission } from '../realMission';

const node = process.execPath;
const make = 'require("fs").mkdirSync("src",{recursive:true});';
const writes = [node, '-e', `${make} require("fs").appendFileSync("src/out","x")`];
const waits = [node, '-e', `${make} setInterval(() => undefined, 1000)`];
const fails = [node, '-e', 'process.exit(3)'];
/** What a worker would like its terminal to say. */
const plants = [
  node,
  '-e',
  `${make} const fs = require("fs"); fs.writeFileSync("src/out","x");
   const runs = fs.readdirSync(".mission-control/missions").map((id) => ".mission-control/missions/" + id + "/runs/1-T1/");
   fs.mkdirSync(runs[0] + "outcome.json/in-the-way", { recursive: true });`,
];

describe('engine: what became of a task stands beside its last worker', () => {
  let mission: RealMission | null = null;
  afterEach(async () => {
    await mission?.dispose();
    mission = null;
  });

  async function run(...given: Parameters<typeof startRealMission>): Promise<RealMission> {
    mission = await startRealMission(...given);
    return mission;
  }

  async function outcomeSentence({ ports, engine }: RealMission, runDir = '1-T1'): Promise<string> {
    return taskSentence(await outcomeIn(ports.paths.runDir(engine.missionId, runDir)));
  }

  it('a task that is done is reported, whatever a worker left in its place', async () => {
    const here = await run([{ task_id: 'T1', command: plants }]);
    await here.engine.settled();
    assert.equal(await outcomeSentence(here), 'Task T1 is done: no verify command checked it');
  });

  it('a verify command that fails is part of it', async () => {
    const here = await run([{ task_id: 'T1', command: writes, verify: [fails] }]);
    await here.engine.settled();
    assert.match(await outcomeSentence(here), /^Task T1 is blocked: Verification failed: .* exited with 3\.$/);
  });

  it('a rerun validation is reported in the run directory of its worker', async () => {
    const mended = 'process.exit(require("fs").existsSync(process.cwd() + ".mended") ? 0 : 3)';
    const here = await run([{ task_id: 'T1', command: writes, verify: [[node, '-e', mended]] }]);
    await here.engine.settled();
    assert.match(await outcomeSentence(here), /^Task T1 is blocked/);
    await writeFile(`${here.dir}.mended`, '');
    await here.engine.command('c', { type: 'RerunValidation', task_id: 'T1' }, ada, details);
    await here.engine.settled();
    await rm(`${here.dir}.mended`);
    assert.equal(await outcomeSentence(here), 'Task T1 is done: verified');
  });

  it('a block is reported, then replaced when the mission is canceled', async () => {
    const here = await run([{ task_id: 'T1', command: fails }]);
    await here.engine.settled();
    assert.equal(await outcomeSentence(here), 'Task T1 is blocked: The worker exited with 3.');
    await here.engine.command('c', { type: 'CancelMission' }, ada, details);
    await here.engine.settled();
    assert.match(await outcomeSentence(here), /^Task T1 is canceled: Mission canceled by ada: test/);
  });

  it('a block is reported with what a person can do, and a retry with who decided it', async () => {
    const here = await run([{ task_id: 'T1', command: fails }]);
    await here.engine.settled();
    const { missionId } = here.engine;
    const { next } = await outcomeIn(here.ports.paths.runDir(missionId, '1-T1'));
    assert.equal(next?.[0]?.line, `mission retry ${missionId} T1 --by NAME --reason TEXT`);
    await here.engine.command('c', { type: 'RetryTask', task_id: 'T1' }, ada, details);
    await here.engine.settled();
    assert.equal(await outcomeSentence(here), 'Task T1 is running: attempt 2 goes on with it, decided by ada: test');
    assert.match(await outcomeSentence(here, '2-T1'), /^Task T1 is blocked/);
  });

  it('a failed task is reported as failed where a block fails the mission', async () => {
    const here = await run([{ task_id: 'T1', command: fails }], {}, { on_block: 'fail' });
    await here.engine.settled();
    assert.match(await outcomeSentence(here), /^Task T1 failed: The worker exited with 3\.$/);
  });

  it('a task that is stopped or canceled while it runs is reported as that', async () => {
    for (const [command, words] of [
      [{ type: 'StopTask', task_id: 'T1' }, /^Task T1 was stopped by ada: test/],
      [{ type: 'CancelMission' }, /^Task T1 is canceled: /],
    ] as const) {
      const here = await run([{ task_id: 'T1', command: waits }]);
      await until(here.engine, (now) => now.mission?.lanes[0]?.stage.at === 'running');
      await here.engine.command('c', command, ada, details);
      await here.engine.settled();
      assert.match(await outcomeSentence(here), words);
      await here.dispose();
    }
  });

  it('an owner that dies before the report leaves it to the next one, for the end and for a block', async () => {
    for (const [command, words] of [
      [writes, 'Task T1 is done: no verify command checked it'],
      [fails, 'Task T1 is blocked: The worker exited with 3.'],
    ] as const) {
      const here = await run([{ task_id: 'T1', command }], (ports) => ({
        launches: { ...ports.launches, leaveOutcome: () => Promise.reject(new Error('killed here')) },
      }));
      await here.engine.settled();
      assert.match(here.engine.halt?.reason ?? '', /killed here/);
      await assert.rejects(outcomeSentence(here), { code: 'ENOENT' });

      const ports = { ...here.ports, launches: { ...here.ports.launches, leaveOutcome } };
      const next = await MissionEngine.load(here.engine.missionId, ports, here.options);
      await next.resume();
      await next.settled();
      assert.equal(await outcomeSentence(here), words);
      next.detach();
      await here.dispose();
    }
  });

  it('a run directory that is gone is not made anew, and holds nothing up', async () => {
    const here = await run([{ task_id: 'T1', command: fails }]);
    await here.engine.settled();
    const runDir = here.ports.paths.runDir(here.engine.missionId, '1-T1');
    await rm(runDir, { recursive: true });
    await here.engine.command('c', { type: 'CancelMission' }, ada, details);
    await here.engine.settled();
    assert.equal(here.engine.mission?.ending?.cancelled, true);
    await assert.rejects(outcomeIn(runDir), { code: 'ENOENT' });
  });
});

async function outcomeIn(runDir: string): Promise<TaskOutcome> {
  return taskOutcomeSchema.parse(JSON.parse(await readFile(path.join(runDir, runFiles.outcome), 'utf8')));
}

const ada = { kind: 'human', name: 'ada' } as const;
