import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { runFiles } from '../../src/contracts/launch';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { createMissionPaths } from '../../src/adapters/state/missionPaths';
import { agentWorkers } from '../../src/workers/registry';
import { sessionIds, type AgentPlace } from './homes';
import type { ProgramEnd } from './missionRun';
import { reportedWriteTurn, stages, type Stage } from './missionSuite';
import { tokensPerTurn } from './mockModel';
import { finishTurn, packetFor, writeFileTurn } from './turns';

const longPrompt = Array.from({ length: 7000 }, (_, line) => `line ${line} of a long instruction, ünïcode €`).join(
  '\n',
);
const helloCreated = [{ resource: 'src/hello.txt', action: 'created' }];

interface DeniedMission extends Stage {
  readonly end: ProgramEnd;
  /** The evidence of the task when the first attempt had ended. */
  readonly then: TaskEvidence | null;
  readonly again: ProgramEnd;
}

/** A whole mission with each of the real CLIs: plan, lock, launch under the supervisor, observation, evidence. */
for (const agent of agentNames) {
  describe(`a mission with the real ${agent}`, function () {
    this.timeout(240_000);
    const stage = stages(agent);

    // Several tests look at one mission that completes: its prompt is long, and its model writes twice.
    let complete: Promise<Stage & { readonly end: ProgramEnd }> | null = null;
    const completeMission = (): NonNullable<typeof complete> => {
      complete ??= (async () => {
        const on = await stage(
          'complete',
          (_place, hello) => (request, index) =>
            index < 2
              ? writeFileTurn(agent, hello, ['written first\n', `written by ${agent}\n`][index] ?? '')
              : finishTurn(agent, packetFor(request, helloCreated)),
          { task: { prompt: longPrompt } },
        );
        return { ...on, end: await on.bed.run() };
      })();
      return complete;
    };

    it('edits a file in scope, completes, and its evidence verifies', async () => {
      const { bed, file, failureText, end } = await completeMission();
      assert.equal(end.exitCode, 0, failureText(end));
      assert.equal(await readFile(file, 'utf8'), `written by ${agent}\n`);

      const task = await bed.task();
      assert.equal(task?.status, 'SUCCESS', failureText(end));
      const attempt = task.attempts?.[0];
      assert.equal(attempt?.claim.kind, 'valid', failureText(end));
      assert.deepEqual(attempt.comparison, { agrees: true, differences: [] });
      assert.deepEqual(
        attempt.changes.map(({ path: changed, in_scope }) => [changed, in_scope]),
        [['src/hello.txt', true]],
      );
      const verified = await bed.verify();
      assert.equal(verified.exitCode, 0, verified.stdout);
      assert.equal(verified.answer?.['valid'], true);
    });

    it('leaves usage, session, version and confinement in the evidence, as the CLI and the model reported them', async () => {
      const { bed, model, file, failureText, end } = await completeMission();
      const launch = (await bed.task())?.attempts?.[0]?.launches.at(-1);
      assert.ok(launch, failureText(end));
      assert.ok(existsSync(file));
      const turns = model.requests.length;
      assert.equal(turns, 3, 'the model was asked as often as it answered');
      assert.equal(launch.usage?.input_tokens, turns * tokensPerTurn.input);
      assert.equal(launch.usage.output_tokens, turns * tokensPerTurn.output);
      assert.equal(launch.cli_version, agentWorkers[agent].testedVersions.to);
      assert.equal(launch.tested_range_ok, true);
      const runDir = (await bed.runDirs()).at(-1) ?? '';
      const stdout = await readFile(path.join(runDir, runFiles.stdout), 'utf8');
      assert.match(launch.session_id ?? '', sessionIds[agent]);
      assert.ok(stdout.includes(launch.session_id ?? ''), 'the session is the one of the stream');
      // `file_level_only`: no shell and no network where the CLI can withhold them, else its sandbox; the evidence says which.
      const offered = model.requests[0]?.tools ?? [];
      if (agent === 'codex') assert.equal(launch.confinement, 'os_sandbox');
      else {
        assert.equal(launch.confinement, 'tool_limits');
        assert.deepEqual(
          offered.filter((tool) => /bash|shell|web/i.test(tool)),
          [],
        );
      }
      assert.match(launch.confinement_detail, agent === 'codex' ? /sandbox is what limits it/ : /no shell/);
      assert.ok(model.requests[0]?.prompt.includes('file_level_only'));
    });

    it('fails with SCOPE_VIOLATION for a write inside the workspace, outside its paths; nothing is reverted', async () => {
      const { bed, place, failureText } = await stage(
        'violation',
        (at) => (request, index) =>
          index === 0
            ? writeFileTurn(agent, path.join(at.workspace, 'other', 'escape.txt'), 'x')
            : finishTurn(agent, packetFor(request, [])),
      );
      await mkdir(path.join(place.workspace, 'other'));
      const end = await bed.run('--confinement', 'off');
      assert.ok(existsSync(path.join(place.workspace, 'other', 'escape.txt')), 'nothing is reverted');
      if (agent === 'codex') {
        // It wrote through its shell, of which its stream names no file: the time alone proves nothing.
        assert.equal(end.exitCode, 3, failureText(end));
        assert.deepEqual([end.answer?.['status'], end.answer?.['code']], ['blocked', 'CONCURRENCY_CONFLICT']);
        return;
      }
      assert.equal(end.exitCode, 1, failureText(end));
      assert.deepEqual([end.answer?.['status'], end.answer?.['code']], ['failed', 'SCOPE_VIOLATION']);
      const task = await bed.task();
      assert.deepEqual([task?.status, task?.code], ['FAILED', 'SCOPE_VIOLATION'], failureText(end));
      const escaped = task?.attempts?.[0]?.changes.find((change) => change.path === 'other/escape.txt');
      assert.equal(escaped?.in_scope, false);
      assert.notEqual(escaped.violation, null);
      assert.equal((await bed.verify()).exitCode, 0);
    });

    it('is stopped at once when its stream reports a write out of scope', async () => {
      // The model never answers again: only the stream can end this mission.
      const { bed, failureText, model } = await stage('fail-fast', (place) => [
        reportedWriteTurn(agent, place, 'escape.txt'),
        { hang: true },
      ]);
      const end = await bed.run('--confinement', 'off');
      assert.equal(end.exitCode, 1, failureText(end));
      assert.equal(end.answer?.['code'], 'SCOPE_VIOLATION', failureText(end));
      const events = await bed.events();
      const breach = events.find((event) => event.type === 'ScopeBreachSeen');
      assert.equal(breach?.path, 'escape.txt');
      const ended = events.findLast((event) => event.type === 'WorkerEnded');
      assert.deepEqual(
        [ended?.end.reason, ended?.end.tree_gone, ended?.end.final_seen],
        ['stop_requested', true, false],
      );
      assert.ok(events.indexOf(breach) < events.findLastIndex((event) => event.type === 'WorkerEnded'));
      assert.ok(model.requests.length <= 2);
    });

    // Two tests look at one mission: its first attempt is blocked by a denial, its second completes in spite of one.
    let denied: Promise<DeniedMission> | null = null;
    const deniedMission = (): NonNullable<typeof denied> => {
      denied ??= (async () => {
        const on = await stage(
          'denied',
          (at, hello) => (request, index) =>
            [
              writeFileTurn(agent, path.join(at.outside, 'first.txt'), 'x'),
              finishTurn(agent, packetFor(request, [], 'blocked')),
              writeFileTurn(agent, path.join(at.outside, 'second.txt'), 'x'),
              writeFileTurn(agent, hello, 'inside\n'),
            ][index] ?? finishTurn(agent, packetFor(request, helloCreated)),
        );
        const end = await on.bed.run();
        const then = await on.bed.task();
        const again = await on.bed.mission('retry', 'T1', '--by', 'Ada', '--reason', 'It may write in src.');
        return { ...on, end, then, again };
      })();
      return denied;
    };
    const attemptsIn = async ({
      bed,
      place,
    }: Stage): Promise<readonly (readonly [string | null, readonly string[]])[]> =>
      ((await bed.task())?.attempts ?? []).map(({ outcome, denials }) => [
        outcome,
        denials.flatMap((denial) => denial.path ?? []).map((file) => nameOutside(file, place)),
      ]);

    it('has a denied write outside the workspace in the evidence although it completes', async () => {
      const on = await deniedMission();
      const { bed, place, failureText, again } = on;
      assert.equal(existsSync(path.join(place.outside, 'second.txt')), false);
      assert.equal(again.exitCode, 0, failureText(again));
      assert.deepEqual((await attemptsIn(on))[1], ['PASS', ['second.txt']]);
      assert.equal((await bed.verify()).exitCode, 0);
    });

    it('is blocked when it reports that the denial blocks it, and the denial stays on record', async () => {
      const on = await deniedMission();
      const { bed, place, failureText, end, then, again } = on;
      assert.equal(end.exitCode, 3, failureText(end));
      // The plan approves no directory outside, so a person decides.
      assert.equal(end.answer?.['status'], 'paused');
      assert.equal(existsSync(path.join(place.outside, 'first.txt')), false);
      assert.equal(then, null, 'a blocked task has no final evidence yet');

      assert.equal(again.exitCode, 0, failureText(again));
      assert.deepEqual((await attemptsIn(on))[0], ['HALT', ['first.txt']]);
      assert.equal((await bed.task())?.attempts?.[1]?.decided_by?.actor.name, 'Ada');
      assert.equal((await bed.verify()).exitCode, 0);
    });

    it('gets a task prompt of 300 KB whole', async () => {
      assert.ok(Buffer.byteLength(longPrompt) >= 300 * 1024);
      const { model, failureText, end } = await completeMission();
      assert.ok(model.requests[0]?.prompt.includes(longPrompt), failureText(end));
      assert.equal(end.exitCode, 0, failureText(end));
    });
  });
}

/** The name of a file outside the workspace, of which the evidence has the whole path. */
function nameOutside(inEvidence: string, { outside, workspace }: AgentPlace): string {
  const name = path.basename(inEvidence);
  return inEvidence === asInEvidence(path.join(outside, name), workspace) ? name : inEvidence;
}

/** Evidence names the places of a machine instead of spelling them; where this checkout lies decides which one. */
function asInEvidence(file: string, workspace: string): string {
  const [inside] = createMissionPaths(workspace, { case_insensitive: false })
    // The mission runs with a home of its own, below the place of the test.
    .places.filter(({ name, path: folder }) => name !== '<home>' && file.startsWith(`${folder}${path.sep}`))
    .sort((left, right) => right.path.length - left.path.length);
  return inside === undefined ? file : `${inside.name}${file.slice(inside.path.length)}`;
}
