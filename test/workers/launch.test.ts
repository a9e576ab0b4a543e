import assert from 'node:assert/strict';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { agentWorkers, forbiddenArguments } from '../../src/workers/registry';
import type { LaunchLine, LaunchRequest } from '../../src/workers/worker';
import { launched, sessionId } from './launched';

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
              const line = launched(agent, {
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
      assert.throws(() => launched(agent, { extraArgs: ['--yolo'] }), /Invariant/);
    });

    it('starts without the corrective flags of permission recovery', () => {
      const { argv } = launched(agent);
      for (const flag of ['--skip-trust', '--skip-git-repo-check', '--add-dir', '--include-directories'])
        assert.equal(argv.includes(flag), false, flag);
    });

    it('keeps its files inside the run directory and what it writes in its folder work', () => {
      const line = launched(agent);
      for (const { path } of line.files) assert.ok(!path.startsWith('/') && !path.split('/').includes('..'), path);
      assert.equal(line.env['TMPDIR'], '/w/.mission-control/run 1/work/tmp');
      assert.ok(!line.files.some(({ path }) => path.startsWith('work/')));
      assert.ok((line.lastMessageFile ?? 'work/').startsWith('work/'));
      if (line.lastMessageFile !== null)
        assert.equal(after(line, '-o'), `/w/.mission-control/run 1/${line.lastMessageFile}`);
    });

    it("takes a model, further directories, a session to continue and the user's own arguments", () => {
      const line = launched(agent, {
        model: 'big',
        addDirectories: ['/d1', '/d 2'],
        resumeSessionId: 'old-session',
        extraArgs: ['--verbose-extra', 'v'],
      });
      for (const value of ['--model=big', '--verbose-extra']) assert.ok(line.argv.includes(value), value);
      // A session of OpenCode belongs to the folder it began in, and each launch has its own.
      assert.equal(line.argv.includes('old-session'), agent !== 'opencode');
      // OpenCode takes directories in its configuration: the test of its own launch line below names them.
      for (const directory of agent === 'opencode' ? [] : ['/d1', '/d 2'])
        assert.ok(line.argv.includes(directory), directory);
      assert.equal(line.argv.includes(sessionId), false);
    });

    it('lets no model of a plan stand as an option of its own', () => {
      for (const model of ['--yolo', '-y', '--dangerously-skip-permissions', '-c', 'a b', '=x']) {
        const { argv } = launched(agent, { model });
        const without = launched(agent).argv;
        assert.deepEqual(
          argv.filter((argument) => argument !== `--model=${model}`),
          without,
        );
        assert.equal(argv.length, without.length + 1);
      }
    });

    it('names in its home, with a reason each, what it must write, and nothing that a later launch would run', () => {
      const places = agentWorkers[agent].home;
      assert.notEqual(places.length, 0);
      const runs = /settings|config|hook|plugin|extension|mcp|polic|trust|skill|command|agents|\.md$/i;
      for (const { below, otherwise, entries } of places) {
        assert.ok([below, otherwise].every((folder) => !folder.startsWith('/') && !folder.split('/').includes('..')));
        for (const entry of entries) {
          assert.match(entry.reason, /^[A-Z].+\.$/);
          assert.equal(entry.access === 'write' && runs.test(entry.path), false, entry.path);
        }
      }
    });

    it('says that a sandbox around the paths of its task holds it, where one does', () => {
      const line = launched(agent, { heldBy: { by: 'sandbox', writable: ['/w/src'] } });
      assert.equal(line.confinement, 'task_sandbox');
      assert.match(line.confinementDetail, /a sandbox around the approved paths of its task/);
      assert.doesNotMatch(line.confinementDetail, /no operating system sandbox/);
      const alone = launched(agent, { heldBy: { by: 'own', writable: ['/w/src'], sealed: [] } });
      assert.equal(alone.confinement, agent === 'codex' ? 'os_sandbox' : 'tool_limits');
    });

    it('carries no secret', () => {
      assert.equal(
        Object.keys(launched(agent).env).some((name) => /key|token|secret/i.test(name)),
        false,
      );
    });
  });
}

describe('launch lines, one by one', () => {
  const profile = (changes: Partial<LaunchRequest>): string | undefined =>
    launched('codex', changes).argv.find((arg) => arg.startsWith('permissions.mission-control.filesystem='));

  it('codex held by more than itself writes only the approved folders, by a profile instead of its usual sandbox', () => {
    const writable = ['/w/src', '/w/a "b"'];
    const line = launched('codex', {
      heldBy: { by: 'sandbox', writable },
      addDirectories: ['/d'],
      resumeSessionId: 'old',
    });
    for (const flag of ['-s', '--add-dir', 'sandbox_workspace_write.exclude_slash_tmp=true'])
      assert.equal(line.argv.includes(flag), false, flag);
    assert.ok(line.argv.indexOf('default_permissions="mission-control"') < line.argv.indexOf('resume'));
    assert.equal(
      profile({ heldBy: { by: 'sandbox', writable }, addDirectories: ['/d'] }),
      'permissions.mission-control.filesystem={":root"="read","/w/src"="write","/w/a \\"b\\""="write","/d"="write","/w/.mission-control/run 1/work"="write","/tmp"="write"}',
    );
  });
  it('codex without our sandbox is held by its own, by folders, without what is sealed in them', () => {
    const heldBy = { by: 'own', writable: ['/w/src'], sealed: ['/w/src/plans'] } as const;
    assert.equal(
      profile({ heldBy }),
      'permissions.mission-control.filesystem={":root"="read","/w/src"="write","/w/.mission-control/run 1/work"="write","/w/src/plans"="read"}',
    );
    assert.match(launched('codex', { heldBy }).confinementDetail, /it writes only the approved folders of its task/);
  });
  it('codex that only reads may write no approved folder', () => {
    assert.doesNotMatch(
      profile({ heldBy: { by: 'own', writable: ['/w/src'], sealed: [] }, writes: false }) ?? '',
      /src/,
    );
  });
  it('codex takes no profile from the user', () => {
    for (const key of ['default_permissions="x"', 'permissions.x.filesystem={":root"="write"}'])
      assert.deepEqual(forbiddenArguments(['-c', key]), [key]);
  });

  it('claude reads no settings and no MCP servers of the repository', () => {
    const line = launched('claude');
    assert.equal(after(line, '--setting-sources'), 'user');
    assert.ok(line.argv.includes('--strict-mcp-config'));
  });
  it('claude gets a shell only when the task writes and is not file-level only', () => {
    assert.equal(after(launched('claude'), '--tools'), 'Read,Glob,Grep,Edit,Write,NotebookEdit');
    assert.equal(
      after(launched('claude', { fileLevelOnly: false }), '--tools'),
      'Read,Glob,Grep,Edit,Write,NotebookEdit,Bash',
    );
    assert.equal(after(launched('claude', { fileLevelOnly: false, writes: false }), '--tools'), 'Read,Glob,Grep');
    assert.equal(after(launched('claude', { writes: false }), '--permission-mode'), 'dontAsk');
  });
  it('codex chooses its sandbox before `resume` and reads the prompt from stdin', () => {
    const line = launched('codex', { resumeSessionId: 'thread' });
    assert.ok(line.argv.indexOf('-s') < line.argv.indexOf('resume'));
    assert.deepEqual(line.argv.slice(-3), ['resume', 'thread', '-']);
    assert.equal(after(launched('codex', { writes: false }), '-s'), 'read-only');
  });
  it('gemini opens no browser to sign in, which it would ask on stdout', () => {
    assert.equal(launched('gemini').env['NO_BROWSER'], 'true');
  });
  it('gemini denies writing by policy when the task only reads, and never has a shell', () => {
    const policy = (line: LaunchLine): string => line.files.find(({ path }) => path === 'policy.toml')?.content ?? '';
    assert.match(policy(launched('gemini', { writes: false })), /"write_file", "replace"/);
    assert.doesNotMatch(policy(launched('gemini')), /write_file/);
    assert.match(policy(launched('gemini', { fileLevelOnly: false })), /"run_shell_command"/);
    assert.ok(launched('gemini', { trustWorkspace: true }).argv.includes('--skip-trust'));
  });
});

describe('launch line of opencode', () => {
  interface Configuration {
    readonly default_agent?: string;
    readonly agent: Readonly<Record<string, { readonly disable?: boolean; readonly permission: Rules }>>;
  }
  type Rules = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

  const configuration = (changes: Partial<LaunchRequest> = {}): Configuration =>
    JSON.parse(launched('opencode', changes).env['OPENCODE_CONFIG_CONTENT'] ?? '') as Configuration;
  const permission = (changes: Partial<LaunchRequest> = {}): Rules =>
    configuration(changes).agent['mission-control']?.permission ?? assert.fail('our agent is not there');
  /** Decides as OpenCode does: the last rule that fits; a star is any text. */
  const decision = (name: string, pattern: string): string | undefined => {
    const fits = (rule: string, text: string): boolean =>
      new RegExp(`^${rule.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's').test(text);
    return Object.entries(permission())
      .flatMap(([permitted, rule]) =>
        (typeof rule === 'string' ? [['*', rule] as const] : Object.entries(rule)).map(
          ([of, action]) => [permitted, of, action] as const,
        ),
      )
      .findLast(([permitted, of]) => fits(permitted, name) && fits(of, pattern))?.[2];
  };

  it('denies every tool but the ones that it names, whatever is asked of it', () => {
    for (const fileLevelOnly of [true, false])
      for (const writes of [true, false]) {
        const rules = Object.entries(permission({ fileLevelOnly, writes }));
        assert.deepEqual(rules[0], ['*', 'deny'], 'the last rule that fits decides');
        const named = rules.slice(1).filter(([, rule]) => rule !== 'deny');
        assert.deepEqual(
          named.map(([name]) => name),
          ['read', 'glob', 'grep', 'list', ...(writes ? ['edit'] : []), 'external_directory'],
        );
      }
  });

  it('starts as our agent, and has no other to fall back to', () => {
    const { default_agent, agent } = configuration();
    assert.equal(after(launched('opencode'), '--agent'), 'mission-control');
    assert.equal(default_agent, 'mission-control');
    for (const native of ['build', 'plan', 'general', 'explore']) assert.equal(agent[native]?.disable, true, native);
  });

  it('writes nothing into the folder that it is started in', () => {
    assert.deepEqual(
      ['plugin/x.js', 'opencode.json', '../../../src/a.ts'].map((pattern) => decision('edit', pattern)),
      ['deny', 'deny', 'allow'],
    );
  });

  it('reads files, but no resources of MCP servers and no files with secrets', () => {
    const read = (pattern: string): string | undefined => decision('read', pattern);
    assert.deepEqual(
      ['src/a.ts', 'src/.env.example', 'src/.env', '.env.local', 'mcp:server:file:///x', 'mcp:server:*'].map(read),
      ['allow', 'allow', 'deny', 'deny', 'deny', 'deny'],
    );
  });

  it('opens further directories one by one, and none whose name would be a pattern or a variable', () => {
    const rules = permission({ addDirectories: ['/d1', '/d*', '/{file:x}', 'C:\\d 2'] })['external_directory'];
    assert.ok(typeof rules === 'object');
    assert.equal(Object.keys(rules)[0], '*');
    assert.equal(rules['*'], 'deny');
    assert.deepEqual(
      Object.keys(rules).filter((pattern) => rules[pattern] === 'allow'),
      ['/w/*', '/d1/*', 'C:/d 2/*'],
    );
  });

  it('reads no configuration that the repository brings or that a variable points to, and loads no plugin', () => {
    const line = launched('opencode');
    const { env, argv, files } = line;
    const own = `opencode-${sessionId}`;
    // Seen: with any other folder it loads plugins of the repository, whatever its settings say.
    assert.equal(after(line, '--dir'), env['OPENCODE_CONFIG_DIR']);
    assert.ok(
      files.some(({ path }) => path === `${own}/.git/HEAD`),
      'the root of a repository of its own',
    );
    assert.equal(env['OPENCODE_DISABLE_PROJECT_CONFIG'], 'true');
    assert.equal(env['OPENCODE_DB'], ':memory:', 'it shares no sessions with others');
    assert.ok(argv.includes('--pure'));
    assert.equal(env['OPENCODE_CONFIG_DIR'], `/w/.mission-control/run 1/${own}`);
    assert.ok(files.some(({ path }) => path === `${own}/package.json`));
    for (const name of ['OPENCODE_CONFIG', 'OPENCODE_PERMISSION', 'OPENCODE_TUI_CONFIG']) {
      assert.equal(env[name], '', name);
      assert.equal(agentWorkers.opencode.environmentNames.includes(name), false, name);
    }
  });

  for (const args of [
    ...[['--auto'], ['--auto=true'], ['--no-auto'], ['--auto.x=1'], ['--AUTO'], ['--agent', 'b'], ['--agent=build']],
    ...[['--no-agent'], ['--agent.x=y'], ['--attach', 'u'], ['--dir', '..'], ['--dir=..'], ['--command', 'x']],
    ...[['--continue'], ['-c'], ['--session', 'ses_1'], ['-s', 'ses_1'], ['-s=ses_1'], ['-s1'], ['--fork']],
    ...[['--file', '/x'], ['-f/etc/x'], ['-f', '/x'], ['-i'], ['--interactive'], ['--no-pure'], ['--share']],
  ]) {
    it(`is refused ${args.join(' ')}, which other CLIs may get`, () => {
      assert.deepEqual(forbiddenArguments(args, 'opencode'), args.slice(0, 1));
      assert.throws(() => launched('opencode', { extraArgs: args }), /Invariant/);
      for (const other of ['claude', 'codex', 'gemini'] as const) assert.deepEqual(forbiddenArguments(args, other), []);
    });
  }

  it('gets arguments that change nothing of that', () => {
    assert.deepEqual(forbiddenArguments(['--variant', 'high', '--thinking', '--title', 'a-s-f'], 'opencode'), []);
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
    ['--yolo.x=1'],
    ['--no-yolo'],
    ['-y=true'],
    ['-dy.x=1'],
    ['--no-y'],
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
    assert.deepEqual(JSON.parse(launched('codex', { resultSchema: schema }).files[0]?.content ?? ''), {
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
