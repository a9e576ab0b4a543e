import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import type { PermissionIssue } from '../../src/contracts/vocabulary/permission';
import { classifyDenial } from '../../src/core/recovery/permission/classify';
import type { WorkerSignal } from '../../src/contracts/launch';
import { stages } from './missionSuite';
import { makePlace } from './homes';
import { startMockModel } from './mockModel';
import { runAgent, type RunOptions } from './runAgent';
import { finishTurn, packetFor, shellTurn, writeFileTurn } from './turns';

/** What permission recovery makes of the real words, and whether the CLI said that it waits. */
async function refused(
  agent: AgentName,
  status: number,
  options: Partial<RunOptions> & { readonly settings?: string } = {},
): Promise<{ readonly issues: readonly PermissionIssue[]; readonly waits: boolean; readonly text: string }> {
  const place = await makePlace(`${agent}-refused`);
  if (options.settings !== undefined)
    await writeFile(path.join(place.home, '.gemini', 'settings.json'), options.settings);
  const model = await startMockModel({ '': () => ({ error: 'slow down please', status }) });
  try {
    const { signals, summary, stdout, stderr } = await runAgent(agent, place, {
      prompt: 'Hello.',
      modelUrl: model.url,
      ...options,
    });
    // As the runner sees it when the launch has ended.
    const { finalOk, finalReason } = summary;
    const end: WorkerSignal = { kind: 'final', ok: finalOk, reason: finalReason, text: null, structured: null };
    const issues = [...summary.denials, end].flatMap((one) => classifyDenial(agent, summary.cliVersion, one) ?? []);
    return {
      issues: issues.map(({ issue }) => issue),
      waits: signals.some(({ kind }) => kind === 'waiting'),
      text: `${stdout}\n${stderr}`.slice(-4000),
    };
  } finally {
    await model.stop();
  }
}

const without = (name: string): Partial<RunOptions> => ({
  // With a display, on which a browser could be opened.
  alter: (line) => ({ ...line, env: { DISPLAY: ':99', ...line.env, [name]: '' } }),
});

describe('a real CLI whose provider refuses it', function () {
  this.timeout(120_000);

  const statuses: readonly [AgentName, number, PermissionIssue, waits: boolean][] = [
    ['claude', 401, 'LOGIN_REQUIRED', true],
    ['claude', 429, 'RATE_LIMITED', true],
    ['claude', 529, 'RATE_LIMITED', true],
    ['codex', 401, 'LOGIN_REQUIRED', true],
    ['codex', 429, 'RATE_LIMITED', true],
    ['gemini', 401, 'LOGIN_REQUIRED', false],
    ['gemini', 429, 'RATE_LIMITED', true],
    ['gemini', 529, 'RATE_LIMITED', true],
    ['opencode', 401, 'LOGIN_REQUIRED', true],
    ['opencode', 429, 'RATE_LIMITED', true],
  ];
  for (const [agent, status, issue, waits] of statuses)
    it(`${agent} with ${status} is ${issue}${waits ? ', and says that it waits' : ''}`, async () => {
      const found = await refused(agent, status);
      assert.deepEqual([found.issues, found.waits], [[issue], waits], found.text);
    });

  const unsigned: readonly [AgentName, string, string?][] = [
    ['claude', 'ANTHROPIC_API_KEY'],
    ['codex', 'CODEX_API_KEY'],
    ['gemini', 'GEMINI_API_KEY'],
    ['gemini', 'GEMINI_API_KEY', '{}'],
    ['gemini', 'GEMINI_API_KEY', '{"security":{"auth":{"selectedType":"oauth-personal"}}}'],
  ];
  for (const [agent, name, settings] of unsigned)
    it(`${agent} without a key${settings === undefined ? '' : `, with the settings ${settings},`} is LOGIN_REQUIRED`, async () => {
      const found = await refused(agent, 401, { ...without(name), ...(settings === undefined ? {} : { settings }) });
      assert.deepEqual(found.issues, ['LOGIN_REQUIRED'], found.text);
    });

  describe('in a mission', () => {
    const gemini = stages('gemini');
    const claude = stages('claude');
    const codex = stages('codex');

    it('a missing key pauses it for a person, who reads how to sign in; nothing is launched again', async () => {
      const { bed, failureText } = await gemini('nokey', () => () => ({ say: 'never' }), {
        environment: { GEMINI_API_KEY: '' },
        members: {
          execution: {
            mode: 'sequential',
            recovery: { allow: ['trust_workspace'] },
            delegation: { claude_code: true, constraints: [] },
          },
        },
      });
      const end = await bed.run();
      assert.deepEqual([end.exitCode, end.answer?.['status']], [3, 'paused'], failureText(end));
      const told = (await bed.events()).flatMap((event) => (event.type === 'RecoveryEscalated' ? [event.issue] : []));
      assert.deepEqual(told, ['LOGIN_REQUIRED'], failureText(end));
    });

    it('a rate limit blocks its task as RATE_LIMITED; nothing is launched again', async () => {
      const { bed, failureText } = await claude('limit', () => () => ({
        error: 'slow down please',
        status: 429,
      }));
      const end = await bed.run();
      assert.equal(end.exitCode, 3, failureText(end));
      assert.match(end.stdout, /RATE_LIMITED/);
      assert.match(end.stderr, /waits for the provider/);
      assert.equal((await bed.events()).filter(({ type }) => type === 'LaunchRequested').length, 1);
    });

    it('words of a denial that Codex only quotes do not matter where it delivers a result', async () => {
      const quoted = 'bash: /opt/data/f.txt: Read-only file system\ncat: /opt/x: Permission denied\n';
      const { bed, failureText } = await codex('quotes', (_place, hello) => (request, index) => {
        if (index === 0) return shellTurn('codex', `printf '%s' '${quoted}'; exit 1`);
        return index === 1
          ? writeFileTurn('codex', hello, 'x')
          : finishTurn('codex', packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }]));
      });
      const end = await bed.run();
      assert.equal(end.exitCode, 0, failureText(end));
      const [attempt] = (await bed.task())?.attempts ?? [];
      assert.equal(attempt?.launches.length, 1);
    });
  });
});
