import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stages, type Stage, type StageScript } from './missionSuite';
import type { MissionBed, ProgramEnd } from './missionRun';
import { finishTurn, packetFor, writeFileTurn } from './turns';

const helloCreated = [{ resource: 'src/hello.txt', action: 'created' }];
const decision = ['--by', 'Ada', '--reason', 'It is right.'];

/** What the real CLIs refuse, and what becomes of it. */
describe('a launch that a real CLI refuses', function () {
  this.timeout(240_000);

  describe('Gemini in a folder that it does not trust', () => {
    const stage = stages('gemini');

    it('is launched once more with --skip-trust, and completes', async () => {
      const { bed, failureText } = await stage(
        'trust',
        (_place, hello) => (request, index) =>
          index === 0 ? writeFileTurn('gemini', hello, 'x') : finishTurn('gemini', packetFor(request, helloCreated)),
        { refusesFolder: true },
      );
      const end = await bed.run();
      assert.equal(end.exitCode, 0, failureText(end));
      const task = await bed.task();
      const launches = task?.attempts?.[0]?.launches ?? [];
      assert.deepEqual(
        launches.map(({ argv, exit_code }) => [argv.includes('--skip-trust'), exit_code]),
        [
          [false, 55],
          [true, 0],
        ],
      );
      const [relaunch, ...others] = task?.recovery?.relaunches ?? [];
      assert.deepEqual(others, []);
      const { issue_type, action_taken, status, retry_count, allowed_by } = relaunch?.payload ?? {};
      assert.deepEqual(
        [issue_type, action_taken, status, retry_count, allowed_by],
        ['FOLDER_TRUST_ERROR', 'RELAUNCH_WITH_SKIP_TRUST', 'success', 1, 'execution.recovery.allow: trust_workspace'],
      );
      assert.ok(relaunch?.payload.arguments?.added.includes('--skip-trust'));
      assert.equal((await bed.verify()).exitCode, 0);
    });

    it('is for a person where the plan does not allow it; a grant of the workspace is one step', async () => {
      const { bed, place, failureText } = await stage(
        'untrusted',
        (_place, hello) => (request, index) =>
          index === 0 ? writeFileTurn('gemini', hello, 'x') : finishTurn('gemini', packetFor(request, helloCreated)),
        {
          members: { execution: { mode: 'sequential', delegation: { claude_code: true, constraints: [] } } },
          refusesFolder: true,
        },
      );
      const end = await bed.run();
      assert.deepEqual([end.exitCode, end.answer?.['status']], [3, 'paused'], failureText(end));
      const granted = await bed.mission('grant', place.workspace, ...decision);
      assert.equal(granted.exitCode, 0, failureText(granted));
    });
  });

  describe('Codex outside a git repository', () => {
    const stage = stages('codex');

    it('is launched once more with --skip-git-repo-check, and completes', async () => {
      const base = await mkdtemp(path.join(tmpdir(), 'mission-agents-'));
      try {
        const { bed, place, failureText } = await stage(
          'git',
          (_place, hello) => (request, index) =>
            index === 0 ? writeFileTurn('codex', hello, 'x') : finishTurn('codex', packetFor(request, helloCreated)),
          { base },
        );
        await rm(path.join(place.workspace, '.git'), { recursive: true });
        const end = await bed.run();
        assert.equal(end.exitCode, 0, failureText(end));
        assert.deepEqual(await reactions(bed), ['GIT_TRUST_ERROR RELAUNCH_WITH_SKIP_GIT_CHECK success 1']);
      } finally {
        await rm(base, { recursive: true });
      }
    });
  });

  for (const agent of ['claude', 'codex', 'gemini', 'opencode'] as const)
    describe(`${agent} and a directory outside its workspace`, () => {
      const stage = stages(agent);

      const approving = (directories: readonly string[]) => ({
        members: {
          execution: {
            mode: 'sequential',
            recovery: { allow: ['add_directory', 'trust_workspace'], directories },
            delegation: { claude_code: true, constraints: [] },
          },
        },
      });
      /** Each launch writes into the next directory and, when that is denied, reports that it is blocked. */
      const through =
        (names: readonly string[]): StageScript =>
        (place) =>
        (request, index) =>
          index % 2 === 0
            ? writeFileTurn(agent, path.join(place.outside, names[index / 2] ?? '', 'note.txt'), 'x')
            : finishTurn(agent, packetFor(request, [], 'blocked'));

      it('four approved ones in a row: three relaunches, then the mission is paused', async () => {
        const names = ['d1', 'd2', 'd3', 'd4'];
        const { bed, place, failureText } = await stage(
          'four',
          through(names),
          approving(names.map((name) => `../outside/${name}`)),
        );
        for (const name of names) await mkdir(path.join(place.outside, name));
        const end = await bed.run();
        assert.deepEqual([end.exitCode, end.answer?.['status']], [3, 'paused'], failureText(end));
        assert.deepEqual(await relaunchesIn(bed), ['relaunch 1', 'relaunch 2', 'relaunch 3', 'escalated 4']);
      });

      // Two tests look at one mission: its first launch meets a directory that is approved, its second one that is not.
      let grant: Promise<Stage & { readonly end: ProgramEnd; readonly granted: ProgramEnd }> | null = null;
      const grantMission = (): NonNullable<typeof grant> => {
        grant ??= (async () => {
          const on = await stage(
            'grant',
            (at, hello) => (request, index) =>
              [
                writeFileTurn(agent, path.join(at.outside, 'd1', 'note.txt'), 'x'),
                finishTurn(agent, packetFor(request, [], 'blocked')),
                writeFileTurn(agent, path.join(at.outside, 'd2', 'note.txt'), 'x'),
                finishTurn(agent, packetFor(request, [], 'blocked')),
                writeFileTurn(agent, hello, 'x'),
              ][index] ?? finishTurn(agent, packetFor(request, helloCreated)),
            approving(['../outside/d1']),
          );
          for (const name of ['d1', 'd2']) await mkdir(path.join(on.place.outside, name));
          await writeFile(path.join(on.place.outside, 'd2', 'here.txt'), 'here');
          const end = await on.bed.run();
          return { ...on, end, granted: await on.bed.mission('grant', path.join(on.place.outside, 'd2'), ...decision) };
        })();
        return grant;
      };

      it('one that is approved, then one that is not: one relaunch, then a person, with the path', async () => {
        const { bed, place, failureText, end } = await grantMission();
        assert.deepEqual([end.exitCode, end.answer?.['status']], [3, 'paused'], failureText(end));
        const [first, ...others] = (await bed.events()).filter((event) => event.type === 'RecoveryEscalated');
        assert.deepEqual([first?.path, others], [path.join(place.outside, 'd2', 'note.txt'), []], failureText(end));
        assert.deepEqual(await relaunchesIn(bed), ['relaunch 1', 'escalated 2']);
      });

      it('which the plan does not approve is named by a grant, and the next attempt has it', async () => {
        const { bed, failureText, granted } = await grantMission();
        assert.equal(granted.exitCode, 0, failureText(granted));
        const attempts = (await bed.task())?.attempts ?? [];
        assert.ok(attempts[1]?.launches[0]?.granted?.some(({ permission }) => permission === 'add_directory'));
      });
    });
});

/** Relaunches with a directory, and what a person was asked, in order. */
async function relaunchesIn(bed: MissionBed): Promise<readonly string[]> {
  return (await bed.events()).flatMap((event) =>
    event.type === 'RecoveryRequested' && event.adjustment.widening.add_directories.length > 0
      ? [`relaunch ${event.retry_count}`]
      : event.type === 'RecoveryEscalated'
        ? [`escalated ${event.retry_count}`]
        : [],
  );
}

/** What recovery did for the task, in order. */
async function reactions(bed: MissionBed): Promise<readonly string[]> {
  const { relaunches = [] } = (await bed.task())?.recovery ?? {};
  return relaunches.map(
    ({ payload }) => `${payload.issue_type} ${payload.action_taken} ${payload.status} ${payload.retry_count}`,
  );
}
