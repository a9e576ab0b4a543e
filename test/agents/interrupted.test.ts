import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { runFiles } from '../../src/contracts/launch';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { waitFor } from '../vscode/harness/waitFor';
import { stages } from './missionSuite';
import { finishTurn, packetFor, writeFileTurn } from './turns';

/** Real CLIs that end in the wrong way, and configurations that must not start them. */
for (const agent of agentNames) {
  describe(`an interrupted mission with the real ${agent}`, function () {
    this.timeout(240_000);
    const stage = stages(agent);

    it('is blocked when its CLI is killed; a retry completes and reads what happened', async () => {
      const { bed, place, model, file, failureText } = await stage(
        'killed',
        (at, hello) => (request, index) =>
          [
            writeFileTurn(agent, path.join(at.workspace, 'src', 'half.txt'), 'half\n'),
            { hang: true } as const,
            writeFileTurn(agent, hello, 'whole\n'),
          ][index] ?? finishTurn(agent, packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
      );
      const running = bed.run();
      // The second question means that the first tool call was carried out and the CLI waits for its model.
      await waitFor(() => model.requests.length === 2, { what: 'the CLI to ask its model again' });
      const record = await waitFor(() => bed.worker(), { what: 'the record of the worker process' });
      assert.ok(record.worker);
      process.kill(record.worker.pid, 'SIGKILL');

      const end = await running;
      assert.equal(end.exitCode, 3, failureText(end));
      assert.equal(end.answer?.['status'], 'blocked');
      const ended = (await bed.events()).findLast((event) => event.type === 'WorkerEnded');
      assert.deepEqual([ended?.end.signal, ended?.end.tree_gone, ended?.end.final_seen], ['SIGKILL', true, false]);

      const again = await bed.mission('retry', 'T1', '--by', 'Ada', '--reason', 'The CLI was killed.');
      assert.equal(again.exitCode, 0, failureText(again));
      assert.equal(await readFile(file, 'utf8'), 'whole\n');
      const prompt = model.requests[2]?.prompt ?? '';
      assert.match(prompt, /This is attempt 2\. The earlier attempt ended: .*SIGKILL/);
      // Codex writes by a shell command, of which its stream announces no file.
      const left =
        agent === 'codex'
          ? 'These changed while it ran, and nothing shows who changed them: added src/half.txt.'
          : 'Its worker announced these changes: added src/half.txt.';
      assert.ok(prompt.includes(left), prompt);
      const task = await bed.task();
      assert.deepEqual(
        task?.attempts?.map(({ outcome }) => outcome),
        ['HALT', 'PASS'],
      );
      assert.equal((await bed.verify()).exitCode, 0);
      assert.ok(place);
    });

    it('counts an exit with 0 but without the final event as aborted', async () => {
      // The real CLI; its last event is lost on the way.
      const { bed, failureText } = await stage(
        'tail',
        (_place, hello) => (request, index) =>
          index === 0
            ? writeFileTurn(agent, hello, 'x')
            : finishTurn(agent, packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
        {
          wrapper: `if [ "$1" = --version ]; then exec $CLI --version; fi\n$CLI "$@" | grep -v -e '"type":"result"' -e '"type":"turn.completed"' -e '"reason":"stop"'\nexit 0`,
        },
      );
      const end = await bed.run();
      assert.equal(end.exitCode, 3, failureText(end));
      const [task] = (end.answer?.['tasks'] ?? []) as { status: string; reason: string }[];
      assert.equal(task?.status, 'blocked');
      assert.match(task.reason, /without its final event: the run counts as aborted/);
      const runDir = (await bed.runDirs()).at(-1) ?? '';
      const exit = JSON.parse(await readFile(path.join(runDir, runFiles.exit), 'utf8')) as { exit_code: number };
      assert.equal(exit.exit_code, 0);
    });

    it('is not started with extra arguments that switch its safety off', async () => {
      const { bed, model, failureText } = await stage('forbidden', () => [{ say: 'never asked' }]);
      const argument = {
        claude: '--dangerously-skip-permissions',
        codex: '--dangerously-bypass-approvals-and-sandbox',
        gemini: '--yolo',
        opencode: '--auto',
      }[agent];
      const end = await bed.run('--cli-arg', `${agent}=${argument}`);
      // Before anything is received, let alone LOCKED.
      assert.deepEqual(
        [end.exitCode, end.answer?.['code'], end.answer?.['status'], end.answer?.['mission_id']],
        [2, 'NON_COMPLIANT', 'refused', null],
        failureText(end),
      );
      assert.ok(String(end.answer?.['reason']).includes(argument), failureText(end));
      assert.deepEqual(await bed.runDirs(), []);
      assert.equal(model.requests.length, 0);
    });
  });
}

describe('the real gemini, asked to end', function () {
  this.timeout(240_000);
  const stage = stages('gemini');

  it('exits with 0 in the middle of its work, which counts as aborted', async () => {
    const { bed, model, failureText } = await stage('terminated', (_place, hello) => [
      writeFileTurn('gemini', hello, 'x'),
      { hang: true },
    ]);
    const running = bed.run();
    await waitFor(() => model.requests.length === 2, { what: 'the CLI to ask its model again' });
    const record = await waitFor(() => bed.worker(), { what: 'the record of the worker process' });
    assert.ok(record.worker);
    process.kill(record.worker.pid, 'SIGTERM');
    const end = await running;
    assert.equal(end.exitCode, 3, failureText(end));
    const ended = (await bed.events()).findLast((event) => event.type === 'WorkerEnded');
    assert.deepEqual([ended?.end.exit_code, ended?.end.final_seen], [0, false]);
    const [task] = (end.answer?.['tasks'] ?? []) as { reason: string }[];
    assert.match(task?.reason ?? '', /the run counts as aborted/);
  });
});
