import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { MissionEvent } from '../../src/core/model/events';
import { CliBed, cliFile, decision, isAlive, start, until, type Ended } from './cliBed';
import { AgentBed } from './agentBed';
import { OrchestratorBed } from './orchestratorBed';

/** Everything is stopped while something else than a worker runs: `dist/cli.js` as real processes. */
describe('mission stop --all, at other moments', function () {
  this.timeout(180_000);

  const stopAll = (from: CliBed): Promise<Ended> =>
    from.mission('stop', '--all', '--by', 'Grace', '--reason', 'the disk burns');
  const release = (from: CliBed): Promise<Ended> => from.mission('stop', '--release', ...decision);
  const failureOf = (events: readonly MissionEvent[]): string =>
    events.findLast((event) => event.type === 'AttemptEnded')?.failure?.reason ?? '';

  describe('a verify command', () => {
    let bed: CliBed;
    beforeEach(() => (bed = new CliBed()));
    afterEach(async () => {
      await release(bed);
      await bed.dispose();
    });
    const verifying = async (name: string): Promise<{ run: ReturnType<CliBed['start']>; pid: number }> => {
      bed.write('tools/wait.mjs', `${start}${bed.waitAt('verify')}`);
      const script = `${start}fs.writeFileSync('docs/out/a.txt', 'a');`;
      const plan = bed.plan(name, [
        { script, verify: [['node', 'tools/wait.mjs']] },
        { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` },
      ]);
      const run = bed.start('run', plan);
      return { run, pid: await bed.waitsAt('verify') };
    };

    for (const frozen of [false, true])
      it(`is ended, ${frozen ? 'its owner is frozen and pauses when it wakes' : 'its mission pauses'}, and its task says who did it`, async () => {
        const { run, pid } = await verifying('verified');
        if (frozen) run.child.kill('SIGSTOP');
        let stopped: Ended;
        try {
          stopped = await stopAll(bed);
          assert.equal(isAlive(pid), false, stopped.stdout);
        } finally {
          run.child.kill('SIGCONT');
        }
        assert.equal(stopped.code, frozen ? 3 : 0, stopped.stdout);
        const ended = await run.ended;
        assert.equal(ended.code, 3, ended.stdout + ended.stderr);
        const [mission] = (await bed.mission('status', 'verified')).json.missions;
        const events = await bed.events('verified');
        assert.ok(
          events.some(({ type }) => type === 'MissionPaused'),
          JSON.stringify(mission?.status),
        );
        assert.match(failureOf(events), /Grace: the disk burns/);
        assert.equal(events.filter(({ type }) => type === 'AttemptStarted').length, 1);
        assert.equal((await release(bed)).code, 0);
        bed.open('verify');
        const done = await bed.mission('retry', 'verified', 'T1', ...decision);
        assert.equal(done.json.mission.status, 'completed', done.stdout + done.stderr);
        assert.equal((await bed.mission('evidence', 'verify', 'verified')).json.valid, true);
      });
  });

  describe('a validator of a milestone', () => {
    let bed: AgentBed;
    beforeEach(() => (bed = new AgentBed([])));
    afterEach(async () => {
      await release(bed);
      await bed.dispose();
    });

    for (const frozen of [false, true])
      it(`is ended, accepts nothing, and ${frozen ? 'its frozen owner pauses when it wakes' : 'its mission is paused'}; its end counts as no failure`, async () => {
        const waits = path.join(bed.scratch, 'waits');
        bed.speaks(
          `fs.writeFileSync(${JSON.stringify(waits)} + '.new', String(process.pid)); fs.renameSync(${JSON.stringify(waits)} + '.new', ${JSON.stringify(waits)}); while (true) await wait(50);`,
        );
        const file = bed.plan(
          'validated',
          [{ task_id: 'T1', milestone: 'M1', script: `${start}fs.writeFileSync('docs/out/a', 'one');` }],
          { confinement: 'off', delegation: { claude_code: true } },
          {
            milestones: [
              { id: 'M1', title: 'The first', validate: { worker: 'claude', assertions: ['docs/out/a says one.'] } },
            ],
          },
        );
        const run = bed.start('run', file, ...bed.claudeOptions);
        const pid = await until(() => existsSync(waits) && Number(readFileSync(waits, 'utf8')));
        if (frozen) run.child.kill('SIGSTOP');
        try {
          const [stopped, twice] = await Promise.all([stopAll(bed), stopAll(bed)]);
          assert.equal(isAlive(pid), false, stopped.stdout);
          assert.deepEqual([stopped.code, twice.code], frozen ? [3, 3] : [0, 0], stopped.stdout + twice.stdout);
        } finally {
          run.child.kill('SIGCONT');
        }
        assert.equal((await run.ended).code, 3);
        const events = await bed.events('validated');
        assert.ok(events.some(({ type }) => type === 'MissionPaused'));
        assert.ok(events.every(({ type }) => type !== 'MilestoneAccepted'));
        assert.match(failureOf(events), /Grace: the disk burns/);
        const shown = await bed.spawn(process.execPath, [cliFile, 'status', 'validated']).ended;
        assert.match(shown.stdout, /^ {2}milestone M1 .*0 of at most 5/m);
        assert.doesNotMatch(shown.stdout, /validator.*(?:timed out|limit|silent)/i, 'what stopped it was a person');
      });
  });

  describe('a session of the orchestrator', () => {
    let bed: OrchestratorBed;
    beforeEach(() => (bed = new OrchestratorBed()));
    afterEach(async () => {
      await release(bed);
      await bed.dispose();
    });

    for (const frozen of [false, true])
      it(`is ended, decides nothing, and ${frozen ? 'its frozen owner pauses when it wakes' : 'its mission is paused'}`, async () => {
        bed.plays(
          'if (attempt === 1) process.exit(1); end("done");',
          `note(await choose('retry-repair')); while (true) await wait(50);`,
        );
        const run = bed.start('run', bed.agentPlan('held'), '--orchestrator', 'claude', ...bed.claudeOptions);
        await until(() => bed.noted());
        if (frozen) run.child.kill('SIGSTOP');
        try {
          const stopped = await stopAll(bed);
          assert.equal(stopped.code, frozen ? 3 : 0, stopped.stdout);
          assert.deepEqual((stopped.json as unknown as { remaining: unknown }).remaining, []);
        } finally {
          run.child.kill('SIGCONT');
        }
        const ended = await run.ended;
        assert.equal(ended.code, 3, ended.stdout + ended.stderr);
        const events = await bed.events('held');
        const result = events.findLast((event) => event.type === 'OrchestratorEnded')?.result;
        assert.ok(result?.kind === 'discarded', JSON.stringify(result));
        assert.match(result.reason, /Grace: the disk burns/);
        assert.equal(events.filter(({ type }) => type === 'AttemptStarted').length, 1, 'its choice started a task');
      });
  });

  describe('a result that waits for a person', () => {
    let bed: AgentBed;
    beforeEach(() => (bed = new AgentBed([])));
    afterEach(async () => {
      await release(bed);
      await bed.dispose();
    });
    const waits = async (name: string, execution: Record<string, unknown> = {}): Promise<string> => {
      const { code, json, stdout, stderr } = await bed.withClaude('run', bed.agentPlan(name, execution));
      assert.deepEqual([code, json.status, json.packets.length], [3, 'paused', 0], `${stdout}\n${stderr}`);
      return json.mission_id;
    };
    const stoppedAndReleased = async (id: string): Promise<readonly string[]> => {
      const stopped = await stopAll(bed);
      assert.equal(stopped.code, 0, stopped.stdout);
      const events = await bed.events(id);
      assert.ok(events.some(({ type }) => type === 'PauseRequested'));
      assert.equal(
        events.some(({ type }) => type === 'TaskStopRequested'),
        false,
        'nothing of it ran',
      );
      const released = (await release(bed)).json as unknown as { readonly missions: readonly { next: string[] }[] };
      return released.missions.flatMap(({ next }) => next);
    };
    const goesOn = async (...decided: readonly string[]): Promise<void> => {
      const done = await bed.withClaude(...decided, ...decision);
      assert.deepEqual([done.code, done.json.mission.status], [0, 'completed'], done.stdout + done.stderr);
      assert.equal(bed.launches().length, 1, 'the worker is not launched again');
    };

    it('is kept: its mission is paused, and a person completes it once starts are allowed again', async () => {
      bed.speaks(
        `fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a.txt', 'a'); end('done');`,
      );
      const id = await waits('incomplete');
      const offered = (await bed.events(id)).find((event) => event.type === 'InterventionOffered');
      const packet = offered?.path ?? '';
      const result = JSON.parse(bed.read(packet)) as object;
      const changes = [{ resource: 'docs/out/a.txt', action: 'created', evidence: 'it is there' }];
      bed.write(packet, JSON.stringify({ ...result, changes }));
      const next = await stoppedAndReleased(id);
      assert.ok(
        next.some((step) => step.startsWith(`mission intervene ${id} T1`)),
        next.join('\n'),
      );
      await goesOn('intervene', id);
    });

    it('is kept where it is verified and proposes what is remembered', async () => {
      bed.write('ai.project.json', readFileSync('test/fixtures/ai-project/sound.json', 'utf8'));
      bed.git('add', '.');
      bed.git('commit', '-qm', 'a project');
      bed.speaks(`
        fs.mkdirSync('docs/out', { recursive: true });
        fs.writeFileSync('docs/out/a.txt', 'a');
        x_memory = [{ domain: 'architecture', key: 'store', decision: 'files, no database', rationale: 'git shows it' }];
        end('done', 'docs/out/a.txt');`);
      const plan = bed.plan('remembers', [{ worker: 'claude', type: 'work', prompt: 'x', intent: 'architecture' }], {
        confinement: 'off',
        delegation: { claude_code: true, constraints: [] },
      });
      const { json } = await bed.withClaude('run', plan);
      assert.equal(json.status, 'paused');
      const id = json.mission_id;
      const next = await stoppedAndReleased(id);
      assert.ok(
        next.some((step) => step.startsWith(`mission memory confirm ${id} --task T1`)),
        next.join('\n'),
      );
      await goesOn('memory', 'confirm', id, '--task', 'T1', '--keep-all');
    });
  });

  it('while a handoff is written: it is whole or refused, and nothing starts', async () => {
    const bed = new CliBed();
    try {
      const plan = bed.plan('given', [{ script: 'process.exit(7);' }, { script: start }]);
      assert.equal((await bed.mission('run', plan)).code, 3);
      const [exported, stopped] = await Promise.all([
        bed.mission('handoff', 'export', 'given', '--move', ...decision),
        stopAll(bed),
      ]);
      assert.equal(stopped.code, 0, stopped.stdout);
      assert.ok([0, 2].includes(exported.code ?? -1), exported.stdout + exported.stderr);
      assert.equal((await bed.mission('journal', 'verify', 'given')).code, 0);
      const events = await bed.events('given');
      assert.equal(events.filter(({ type }) => type === 'AttemptStarted').length, 1);
      const [mission] = (await bed.mission('status', 'given')).json.missions;
      assert.equal(mission?.ending !== null, exported.code === 0, 'given away, or still here');
    } finally {
      await release(bed);
      await bed.dispose();
    }
  });
});
