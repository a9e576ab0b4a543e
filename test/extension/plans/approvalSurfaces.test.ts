import assert from 'node:assert/strict';
import type { ApprovalSummary, MachineConfinement } from '../../../src/core/plan/approvalSummary';
import { recoveryWords } from '../../../src/base/text/words';
import { command, includes, page, screen, set, surfaces } from './surfaces';
import { bare, harmless, sandboxedMachine, summaryOf, type Change } from './summaries';

/** The command line of the first task. */
function argvOf({ tasks }: Pick<ApprovalSummary, 'tasks'>): readonly string[] {
  const [argv] = tasks[0]?.rows.find(({ label }) => label === 'runs')?.values ?? [];
  return typeof argv === 'object' ? argv : [];
}

describe('the page and the screen of an approval', () => {
  for (const [name, shown] of Object.entries(surfaces)) {
    it(`say on the ${name} of which bytes the digest is`, () => {
      const written = shown(summaryOf(harmless));
      includes(written, 'of the file as your approval writes it');
      assert.ok(!written.includes('approved bytes'), written);
      const approval = { required: true, approved_by: 'Ada', approved_at: '2026-01-02T00:00:00Z' };
      includes(
        shown(summaryOf((plan) => Object.assign(plan, { status: 'APPROVED', approval }))),
        'of the approved bytes',
      );
    });

    it(`say on the ${name} which rule keeps the evidence out of git`, () => {
      const by = { evidence_ignored: { file: '.gitignore', line: 3, pattern: 'docs/' } };
      const said =
        /because line 3 of \.gitignore \(docs\/\) ignores it\.\s*What mends it\. Take that line out, or add the evidence with git add/;
      assert.match(shown({ ...summaryOf(), ...by }), said);
      assert.ok(!shown(summaryOf()).includes('git add'));
    });
  }

  it('name what commands reach of the machine, and warn of what it leads to', () => {
    const network = ['localhost:5432', 'unix:/var/run/docker.sock', 'unix:/run/user/1000/bus', 'unix:/run/x.sock'];
    const open: Change = (plan, task) => {
      harmless(plan, task);
      Object.assign(plan['execution'] as object, { network, devices: ['/dev/kvm', '/dev/sda', '/dev/mem'] });
    };
    const summary = summaryOf(open, sandboxedMachine);
    includes(
      page(summary),
      'Commands reach localhost:5432.',
      'Commands reach unix:/var/run/docker.sock, which is root on this machine: what it starts may write every file.',
      'Commands reach unix:/run/user/1000/bus, which starts programs of this user outside the sandbox.',
      'Commands reach unix:/run/x.sock, and what listens there works outside the sandbox.',
      'Commands reach /dev/kvm.',
      'Commands reach /dev/sda, which is a disk: it holds every file of it, approved or not.',
      'Commands reach /dev/mem, which is the memory of this machine, with all that it holds.',
    );
    assert.doesNotMatch(page(summaryOf(harmless, sandboxedMachine)), /Commands reach/);
  });

  it('say where the sandbox of this machine refuses what commands reach, and what helps', () => {
    const open: Change = (plan, task) => {
      Object.assign(plan['execution'] as object, { network: ['localhost:5432'], devices: ['/dev/kvm'] });
      Object.assign(task, { worker: 'command', command: ['true'], prompt: undefined });
    };
    const mac: MachineConfinement = {
      wanted: null,
      standing: { kind: 'available', means: 'seatbelt', not_nested: null, no_layers: null },
    };
    const why = 'the sandbox of macOS opens no single port, socket or device';
    const summary = summaryOf(open, mac);
    includes(page(summary), `reach localhost:5432 (refused here: ${why}).`, `reach /dev/kvm (refused here: ${why}).`);
    for (const one of [summary.verify, ...summary.workers])
      assert.match(
        one?.detail ?? '',
        new RegExp(`^No command of the plan starts here, because ${why}\\. Write "execution\\.network"`),
      );
    includes(page(summary), 'No command of the plan starts here');
    for (const other of [
      summaryOf(open, sandboxedMachine),
      summaryOf(open, bare),
      summaryOf(open, { ...mac, wanted: 'off' }),
    ])
      assert.doesNotMatch(JSON.stringify(other), /macOS/);
  });

  it('name the files whose instructions agents follow, with their digests, or that the plan names no file', () => {
    const withFile = (file: string): ApprovalSummary =>
      summaryOf(set({ project_instructions: [file] }), bare, {
        instructions: [{ kind: 'read', file: { path: file, bytes: 10, sha256: 'AB12', text: 'x' } }],
      });
    const gemini: Change = (_, task) => Object.assign(task, { worker: 'gemini' });
    for (const shown of Object.values(surfaces)) {
      includes(shown(withFile('AGENTS.md')), 'Agents follow the instructions of AGENTS.md (10 bytes, SHA-256 AB12).');
      const none = 'Agents follow no instructions of the project: none is given AGENTS.md';
      includes(shown(summaryOf()), `${none}, CLAUDE.md or GEMINI.md.`);
      includes(shown(summaryOf(gemini)), `${none} or CLAUDE.md, and Gemini reads GEMINI.md by itself.`);
      assert.doesNotMatch(shown(summaryOf(command)), /instructions of/);
    }
  });

  it('show what holds Codex back where our sandbox is there, cannot be had, or leaves no room for its own', () => {
    const codex: Change = (plan, task) => {
      harmless(plan, task);
      task['worker'] = 'codex';
    };
    const crowded = {
      ...sandboxedMachine.standing,
      not_nested: 'None can be built in it.',
    } as MachineConfinement['standing'];
    const told = (machine: MachineConfinement): readonly [string, string] => {
      const { workers, tasks } = summaryOf(codex, machine);
      const profile = argvOf({ tasks }).find((argument) => argument.startsWith('permissions.')) ?? '';
      return [`${workers[0]?.confinement}: ${workers[0]?.detail}`, profile];
    };
    const [around, itsProfile] = told(sandboxedMachine);
    assert.match(around, /^task_sandbox: .*Inside it Codex runs its commands in a sandbox of its own/);
    assert.match(itsProfile, /"<approved folders>"="write"/);
    for (const [machine, reason] of [
      [bare, 'There is no bwrap.'],
      [{ wanted: null, standing: crowded }, 'None can be built in it.'],
    ] as const) {
      const [alone, profile] = told(machine);
      assert.match(alone, /^os_sandbox: .*writes only the approved folders of its task/);
      assert.ok(alone.endsWith(`It is the only sandbox around it: ${reason}`), alone);
      assert.match(profile, /"<approved folders>"="write"/);
    }
    assert.doesNotMatch(told({ ...bare, wanted: 'off' })[1], /approved folders/);
  });

  it('say what nothing confines, why, and what mends it', () => {
    const lacking = { kind: 'unavailable', reason: 'There is no bwrap.', next: 'Install bubblewrap.' } as const;
    const cases = [
      [{ wanted: null, standing: lacking }, 'There is no bwrap.', 'Install bubblewrap.'],
      [bare, 'There is no bwrap.', 'Run mission doctor, which names what is missing.'],
      [
        { ...sandboxedMachine, wanted: 'off' },
        'Confinement is off for this mission.',
        'Set missionControl.confinement',
      ],
    ] as const;
    const free = 'Nothing confines the worker command and verify commands, so they may read, write and reach all';
    for (const shown of Object.values(surfaces)) {
      for (const [machine, why, next] of cases)
        includes(shown(summaryOf(command, machine)), `${free} that this user may. ${why}`, `What mends it. ${next}`);
      const required = shown(summaryOf(command, { wanted: 'required', standing: lacking }));
      includes(
        required,
        'Nothing of it starts here, because it requires a sandbox. There is no bwrap.',
        'Install bubblewrap.',
      );
      assert.doesNotMatch(required, /Nothing confines/);
      assert.doesNotMatch(shown(summaryOf(command, sandboxedMachine)), /Nothing confines|Only their own CLIs/);
      includes(shown(summaryOf(harmless)), 'Only their own CLIs hold the agents');
    }
  });

  it('show Claude Code with its file tools alone, whatever constraints the plan names', () => {
    for (const constraints of [['no_new_tasks'], []]) {
      const { tasks, workers } = summaryOf((plan, task) => {
        harmless(plan, task);
        (plan['execution'] as { delegation: object }).delegation = { claude_code: true, constraints };
      });
      const argv = argvOf({ tasks });
      assert.equal(argv[argv.indexOf('--tools') + 1], 'Read,Glob,Grep,Edit,Write,NotebookEdit');
      assert.match(workers[0]?.detail ?? '', /only its file tools, limited to the workspace; no shell/);
    }
  });

  it('name the model of the plan, else that of the settings, else that the CLI chooses it', () => {
    const named: Change = (plan, task) => {
      harmless(plan, task);
      task['model'] = 'opus';
    };
    const models = { claude: 'sonnet', codex: 'gpt-5' };
    for (const [change, machine, model, argument] of [
      [harmless, bare, 'the model that the CLI chooses: tier A, profile claude_default', null],
      [harmless, { ...bare, models }, 'model sonnet (claude-sonnet): tier A, profile claude_high', 'sonnet'],
      [named, { ...bare, models }, 'model opus (claude-opus): tier A, profile claude_high', 'opus'],
    ] as const) {
      const summary = summaryOf(change, machine);
      assert.deepEqual(summary.tasks[0]?.rows.find(({ label }) => label === 'model')?.values, [model]);
      assert.deepEqual(
        argvOf(summary).filter((one) => one.includes('model')),
        argument === null ? [] : [`--model=${argument}`],
      );
      includes(screen(summary), model);
      includes(page(summary), `model\n${model}\n`);
    }
  });

  it('say once what a sandbox holds back', () => {
    const text = page(summaryOf(command, sandboxedMachine));
    includes(
      text,
      'command and verify commands: A sandbox around the approved paths of its task holds it back (bubblewrap), without a network.',
    );
    assert.equal(text.split('holds it back (bubblewrap)').length, 2);
    assert.doesNotMatch(text, /task\. A sandbox/);
  });

  it('say why nothing holds them back, and that nothing will start where the plan requires it', () => {
    includes(page(summaryOf()), 'No sandbox around the approved paths of its task holds it back: There is no bwrap.');
    const required: Change = (plan) => Object.assign(plan['execution'] as object, { confinement: 'required' });
    includes(page(summaryOf(required)), 'The mission requires one, so nothing will start here.');
    const off: Change = (plan) => Object.assign(plan['execution'] as object, { confinement: 'off' });
    assert.doesNotMatch(page(summaryOf(off, sandboxedMachine)), /sandbox around its/);
    includes(page(summaryOf(off, { ...sandboxedMachine, wanted: 'preferred' })), 'a sandbox around');
  });

  it('say of Seatbelt that it was not tried, and that Codex holds itself there', () => {
    const standing = { kind: 'available', means: 'seatbelt', not_nested: 'It cannot.', no_layers: null } as const;
    const seatbelt: MachineConfinement = { wanted: null, standing };
    const untried = 'It is written for macOS and was not tried there';
    includes(page(summaryOf(undefined, seatbelt)), 'claude: Claude Code runs in a sandbox around', untried);
    const codex: Change = (_, task) => Object.assign(task, { worker: 'codex' });
    const text = page(summaryOf(codex, seatbelt));
    includes(
      text,
      'codex: confined by the sandbox of the operating system.',
      'It is the only sandbox around it: It cannot.',
      'default_permissions',
    );
    assert.doesNotMatch(text.replace(/verify commands: .*/, ''), new RegExp(untried));
  });

  it('say which hosts an agent reaches where its network is held, and where it cannot be', () => {
    const agent: Change = (plan, task) => {
      harmless(plan, task);
      task['worker'] = 'codex';
    };
    const provider: Change = (plan, task) => {
      agent(plan, task);
      Object.assign(plan['execution'] as object, { agent_network: 'provider' });
    };
    const hosts = { codex: ['gateway.example.com:8443'] };
    const only =
      'Its network: only hosts of its provider (api.openai.com, chatgpt.com, auth.openai.com, gateway.example.com:8443).';
    includes(page(summaryOf(provider, { ...sandboxedMachine, agent_network: 'open', hosts })), only);
    includes(page(summaryOf(agent, { ...sandboxedMachine, agent_network: 'provider', hosts })), only);
    assert.doesNotMatch(page(summaryOf(agent, { ...sandboxedMachine, hosts })), /only hosts/);
    const open = 'Its network is open: nothing here holds it to the hosts of its provider.';
    const standing = { kind: 'available', means: 'seatbelt', not_nested: null, no_layers: null } as const;
    for (const machine of [bare, { ...sandboxedMachine, wanted: 'off' }, { wanted: null, standing }] as const)
      includes(page(summaryOf(provider, machine)), open);
    includes(
      page(summaryOf(provider, { wanted: 'required', standing })),
      `${open} The mission requires one, so nothing will start here.`,
    );
  });

  it('have every command line, path, prompt, permission and what confines', () => {
    includes(
      page(summaryOf(), ['--verbose']),
      'Approve plan p as Ada?',
      'Nothing is approved yet. The button below the plan approves it',
      'runs\nclaude -p',
      'with the further arguments of your settings\n--verbose',
      `is verified by\nnode -e "require('node:fs')`,
      'may write\ndocs/notes',
      'verify commands: confined by nothing',
      'Write docs/notes/first.md with three sentences',
    );
  });

  it('name recovery permissions in plain words', () => {
    const allow = ['add_directory', 'skip_git_repo_check', 'trust_workspace', 'fix_permissions'] as const;
    const text = page(summaryOf((plan) => Object.assign(plan['execution'] as object, { recovery: { allow } })));
    includes(text, ...allow.map((permission) => recoveryWords[permission].short));
    for (const permission of allow) assert.ok(!text.includes(permission), text);
  });

  it('leave nothing out of a long plan, and hide nothing behind blanks or empty lines', () => {
    const hidden = `true #${' '.repeat(30_000)}; rm -rf everything`;
    const summary = summaryOf((plan, task) => {
      plan['tasks'] = Array.from({ length: 40 }, (_, n) => ({ ...task, task_id: `T${n}`, paths: [`docs/${n}`] }));
      Object.assign(task, { verify: [['bash', '-c', hidden]], description: hidden });
      task['prompt'] = `One line.\n\n\nTwo.${'\n \n'.repeat(300)}The last one.`;
      (plan['tasks'] as object[])[39] = { ...task, task_id: 'T39', paths: ['docs/39'] };
    });
    for (const shown of Object.values(surfaces)) {
      const text = shown(summary);
      includes(
        text,
        'T0',
        'T39',
        '40 tasks',
        'Commands, 40 in all and each below',
        '599 empty lines}',
        'The last one.',
      );
      assert.equal(text.split(String.raw`true #\{30000 blanks}; rm -rf everything`).length, 3, text);
      assert.doesNotMatch(text, / {40}/);
      assert.equal(text.split('is verified by').length, 41);
    }
  });

  it('name the host of each agent', () => {
    const summary = summaryOf(harmless);
    const workers = summary.workers.map((one) => ({ ...one, speaks_to: 'house.example:443 (settings.json)' }));
    for (const shown of Object.values(surfaces)) {
      includes(shown({ ...summary, workers }), 'claude talks to house.example:443 (settings.json).');
      assert.ok(!shown(summary).includes('talks to'));
    }
  });

  it('escape invisible characters, once', () => {
    const text = page(
      summaryOf((_, task) => {
        task['verify'] = [['node', '-e', 'one\ntwo\u202e \\n']];
        task['prompt'] = 'Line one\nLine \u200b two';
      }),
    );
    includes(text, String.raw`node -e "one\ntwo\u202e \\n"`, 'is given\nLine one\nLine \\u200b two\n');
  });
});
