import assert from 'node:assert/strict';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { strictSchema } from '../../src/workers/codex/schema';
import { agentWorkers, forbiddenArguments } from '../../src/workers/registry';
import type { LaunchLine, LaunchRequest } from '../../src/workers/worker';

const request = (changes: Partial<LaunchRequest> = {}): LaunchRequest => ({
  executable: '/usr/bin/agent',
  version: null,
  workspaceDir: '/w',
  runDir: '/w/.mission-control/run 1',
  sessionId: '11111111-2222-4333-8444-555555555555',
  resumeSessionId: null,
  model: null,
  fileLevelOnly: true,
  writes: true,
  addDirectories: [],
  skipGitRepoCheck: false,
  trustWorkspace: false,
  resultSchema: { type: 'object', properties: { a: { type: 'string' } } },
  extraArgs: [],
  ...changes,
});
const launch = (agent: AgentName, changes: Partial<LaunchRequest> = {}): LaunchLine =>
  agentWorkers[agent].launch(request(changes));
const after = (line: LaunchLine, flag: string): string | undefined => line.argv[line.argv.indexOf(flag) + 1];

for (const agent of agentNames) {
  describe(`launch line of ${agent}`, () => {
    it('is the registry entry of its own name', () => {
      assert.equal(agentWorkers[agent].name, agent);
    });

    it('never switches safety off, whatever is asked of it', () => {
      for (const writes of [true, false])
        for (const fileLevelOnly of [true, false])
          for (const trustWorkspace of [true, false])
            for (const resumeSessionId of [null, 'abc']) {
              const line = launch(agent, {
                writes,
                fileLevelOnly,
                trustWorkspace,
                resumeSessionId,
                skipGitRepoCheck: true,
                addDirectories: ['/d'],
              });
              assert.deepEqual(forbiddenArguments(line.argv), []);
              assert.notEqual(line.confinement, 'none');
              assert.equal(line.argv[0], '/usr/bin/agent');
            }
      assert.throws(() => launch(agent, { extraArgs: ['--yolo'] }), /Invariant/);
    });

    it('starts without the corrective flags of permission recovery', () => {
      const { argv } = launch(agent);
      for (const flag of ['--skip-trust', '--skip-git-repo-check', '--add-dir', '--include-directories'])
        assert.equal(argv.includes(flag), false, flag);
    });

    it('keeps its files inside the run directory and makes its temporary folder', () => {
      const line = launch(agent);
      for (const { path } of line.files) assert.ok(!path.startsWith('/') && !path.split('/').includes('..'), path);
      assert.equal(line.env['TMPDIR'], '/w/.mission-control/run 1/tmp');
      assert.ok(line.files.some(({ path }) => path.startsWith('tmp/')));
    });

    it("takes a model, further directories, a session to continue and the user's own arguments", () => {
      const line = launch(agent, {
        model: 'big',
        addDirectories: ['/d1', '/d 2'],
        resumeSessionId: 'old-session',
        extraArgs: ['--verbose-extra', 'v'],
      });
      for (const value of ['--model=big', '/d1', '/d 2', 'old-session', '--verbose-extra'])
        assert.ok(line.argv.includes(value), value);
      assert.equal(line.argv.includes(request().sessionId), false);
    });

    it('lets no model of a plan stand as an option of its own', () => {
      for (const model of ['--yolo', '-y', '--dangerously-skip-permissions', '-c', 'a b', '=x']) {
        const { argv } = launch(agent, { model });
        const without = launch(agent).argv;
        assert.deepEqual(
          argv.filter((argument) => argument !== `--model=${model}`),
          without,
        );
        assert.equal(argv.length, without.length + 1);
      }
    });

    it('carries no secret', () => {
      assert.equal(
        Object.keys(launch(agent).env).some((name) => /key|token|secret/i.test(name)),
        false,
      );
    });
  });
}

describe('launch lines, one by one', () => {
  it('claude reads no settings and no MCP servers of the repository', () => {
    const line = launch('claude');
    assert.equal(after(line, '--setting-sources'), 'user');
    assert.ok(line.argv.includes('--strict-mcp-config'));
  });
  it('claude gets a shell only when the task writes and is not file-level only', () => {
    assert.equal(after(launch('claude'), '--tools'), 'Read,Glob,Grep,Edit,Write,NotebookEdit');
    assert.equal(
      after(launch('claude', { fileLevelOnly: false }), '--tools'),
      'Read,Glob,Grep,Edit,Write,NotebookEdit,Bash',
    );
    assert.equal(after(launch('claude', { fileLevelOnly: false, writes: false }), '--tools'), 'Read,Glob,Grep');
    assert.equal(after(launch('claude', { writes: false }), '--permission-mode'), 'dontAsk');
  });
  it('codex chooses its sandbox before `resume` and reads the prompt from stdin', () => {
    const line = launch('codex', { resumeSessionId: 'thread' });
    assert.ok(line.argv.indexOf('-s') < line.argv.indexOf('resume'));
    assert.deepEqual(line.argv.slice(-3), ['resume', 'thread', '-']);
    assert.equal(after(launch('codex', { writes: false }), '-s'), 'read-only');
  });
  it('gemini denies writing by policy when the task only reads, and never has a shell', () => {
    const policy = (line: LaunchLine): string => line.files.find(({ path }) => path === 'policy.toml')?.content ?? '';
    assert.match(policy(launch('gemini', { writes: false })), /"write_file", "replace"/);
    assert.doesNotMatch(policy(launch('gemini')), /write_file/);
    assert.match(policy(launch('gemini', { fileLevelOnly: false })), /"run_shell_command"/);
    assert.ok(launch('gemini', { trustWorkspace: true }).argv.includes('--skip-trust'));
  });
});

describe('forbidden arguments', () => {
  const refused: readonly (readonly string[])[] = [
    ['--dangerously-skip-permissions'],
    ['--allow-dangerously-skip-permissions'],
    ['--dangerously-bypass-approvals-and-sandbox'],
    ['--DANGEROUSLY-x'],
    ['--permission-mode', 'bypassPermissions'],
    ['--permission-mode=bypassPermissions'],
    ['--settings', '{"permissions":{"defaultMode":"bypassPermissions"}}'],
    ['-s', 'danger-full-access'],
    ['-sdanger-full-access'],
    ['--sandbox=danger-full-access'],
    ['-c', 'sandbox_mode="danger-full-access"'],
    ['-c', 'sandbox_mode = "\\u0064anger-full-access"'],
    ['--config=sandbox_mode=x'],
    ['-csandbox_mode=x'],
    ['-c', 'profiles.p.sandbox_mode=x'],
    ['-c', '"sandbox_mode"=x'],
    ['-c', 'default_permissions=x'],
    ['-c', 'approval_policy=never'],
    ['--yolo'],
    ['--yolo=true'],
    ['-y'],
    ['-dy'],
    ['--y'],
    ['--approval-mode', 'yolo'],
    ['--approval-mode=yolo'],
    ['--approvalMode', 'YOLO'],
    ['--approval_mode=yolo'],
  ];
  for (const args of refused) {
    it(`refuses ${args.join(' ')}`, () => {
      assert.notDeepEqual(forbiddenArguments(args), []);
    });
  }
  it('lets ordinary arguments pass', () => {
    const args = [
      '-c',
      'model_provider=mock',
      '-c',
      'model_providers.mock.base_url=http://127.0.0.1/v1',
      '--allowedTools',
      'Bash(npm test *)',
      '-m',
      'gemini-2.5-flash',
      '--add-dir',
      '/y',
      '--debug',
      '-d',
      '--effort',
      'high',
      '--approval-mode',
      'default',
      '-s',
      'read-only',
      '--policy',
      '/a/policy.toml',
    ];
    assert.deepEqual(forbiddenArguments(args), []);
  });
});

describe('strict schema for codex', () => {
  it('requires every property and lets an optional one be null instead', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string' },
        b: {
          type: 'array',
          items: {
            type: 'object',
            properties: { c: { type: 'number', default: 1 }, d: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
          },
        },
        default: { type: ['string', 'null'] },
      },
    };
    assert.deepEqual(strictSchema(schema), {
      type: 'object',
      required: ['a', 'b', 'default'],
      additionalProperties: false,
      properties: {
        a: { type: 'string' },
        b: {
          anyOf: [
            {
              type: 'array',
              items: {
                type: 'object',
                required: ['c', 'd'],
                additionalProperties: false,
                properties: {
                  c: { anyOf: [{ type: 'number' }, { type: 'null' }] },
                  d: { anyOf: [{ type: 'string' }, { type: 'null' }] },
                },
              },
            },
            { type: 'null' },
          ],
        },
        default: { type: ['string', 'null'] },
      },
    });
  });
});
