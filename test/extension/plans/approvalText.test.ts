import assert from 'node:assert/strict';
import type { ApprovalSummary, MachineConfinement } from '../../../src/core/plan/approvalSummary';
import { ui } from '../../../src/base/text/ui';
import { recoveryWords } from '../../../src/extension/plans/approvalLines';
import { approvalPage } from '../../../src/extension/plans/approvalPage';
import { approvalDialog } from '../../../src/extension/plans/approvalText';
import { textOfHtml } from '../../support/textOfHtml';
import { bare, harmless, sandboxedMachine, summaryOf, type Change } from './summaries';

const asked = { question: ui`Approve plan p as Ada?` };
const page = (summary: ApprovalSummary, extra: readonly string[] = []): string =>
  textOfHtml(approvalPage(summary, asked, () => extra).toString());

function includes(text: string, ...parts: readonly string[]): void {
  for (const part of parts) assert.ok(text.includes(part), `${part} in\n${text}`);
}

describe('the approval dialog', () => {
  it('says of which bytes the digest is: of the file as the approval writes it, or of those approved already', () => {
    for (const shown of [(one: ApprovalSummary) => approvalDialog(one).text.toString(), page]) {
      const written = shown({ ...summaryOf(harmless), as_written: true });
      includes(written, 'of the file as your approval writes it');
      assert.ok(!written.includes('approved bytes'), written);
      includes(shown(summaryOf(harmless)), 'of the approved bytes');
    }
  });

  it('says which rule keeps the evidence out of git: in short, as a whole, and on the page', () => {
    const by = { evidence_ignored: { file: '.gitignore', line: 3, pattern: 'docs/' } };
    const said =
      'because line 3 of .gitignore (docs/) ignores it. Take that line out, or add the evidence with git add';
    for (const summary of [summaryOf(harmless), summaryOf()]) {
      for (const shown of [(one: ApprovalSummary) => approvalDialog(one).text.toString(), page]) {
        includes(shown({ ...summary, ...by }), said);
        assert.ok(!shown(summary).includes('git add'));
      }
    }
  });

  it('names what commands reach of the machine, warns of what it leads to, and shows the page', () => {
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
    assert.ok(approvalDialog(summary).mustReview.includes('its commands reach what a sandbox hides'));
    assert.doesNotMatch(page(summaryOf(harmless, sandboxedMachine)), /Commands reach/);
  });

  it('says where the sandbox of this machine refuses what commands reach, and what helps', () => {
    const open: Change = (plan, task) => {
      Object.assign(plan['execution'] as object, { network: ['localhost:5432'], devices: ['/dev/kvm'] });
      Object.assign(task, { worker: 'command', command: ['true'], prompt: undefined });
    };
    const mac: MachineConfinement = {
      wanted: null,
      standing: { kind: 'available', means: 'seatbelt', not_nested: null },
    };
    const why = 'the sandbox of macOS opens no single port, socket or device';
    const summary = summaryOf(open, mac);
    assert.deepEqual(summary.services, [`localhost:5432 (refused here: ${why})`, `/dev/kvm (refused here: ${why})`]);
    for (const { detail } of [summary.verify, ...summary.workers])
      assert.match(
        detail,
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

  it('names the files whose instructions agents follow, with their digests, where the plan names any', () => {
    const summary = summaryOf(harmless);
    const file = { path: 'AGENTS.md', bytes: 10, sha256: 'AB12' };
    for (const shown of [(one: ApprovalSummary) => approvalDialog(one).text.toString(), page]) {
      includes(
        shown({ ...summary, instructions: [file] }),
        'Instructions of the project: AGENTS.md (10 bytes, SHA-256 AB12).',
      );
      includes(
        shown(summary),
        'Instructions of the project: none; no agent is given AGENTS.md, CLAUDE.md or GEMINI.md.',
      );
    }
    const gemini = summaryOf((plan, task) => {
      harmless(plan, task);
      task['worker'] = 'gemini';
    });
    for (const shown of [approvalDialog(gemini).text.toString(), page(gemini)]) {
      includes(
        shown,
        'Instructions of the project: none; no agent is given AGENTS.md or CLAUDE.md, and Gemini reads GEMINI.md by itself.',
      );
      assert.doesNotMatch(shown, /no agent is given[^.]*\.md[^.]* or GEMINI/);
    }
    const command: Change = (_, task) =>
      Object.assign(task, { worker: 'command', command: ['true'], prompt: undefined });
    assert.equal(summaryOf(command).instructions, undefined);
    assert.doesNotMatch(page(summaryOf(command)), /Instructions of the project/);
  });

  it('shows what holds Codex back where our sandbox is there, cannot be had, or leaves no room for its own', () => {
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
      const profile = tasks[0]?.argv.find((argument) => argument.startsWith('permissions.')) ?? '';
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

  it('says what nothing confines, why, and what mends it', () => {
    const command: Change = (_, task) =>
      Object.assign(task, { worker: 'command', command: ['node', '-v'], prompt: undefined, type: 'automation' });
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
    for (const [machine, why, next] of cases) {
      const summary = summaryOf(command, machine);
      includes(page(summary), `Not confined: the worker command and verify commands.\n${why}\nWhat mends it. ${next}`);
      includes(
        approvalDialog(summary).text.toString(),
        `NOT CONFINED: the worker command and verify commands. ${why}\nWhat mends it. ${next}`,
      );
    }
    const confined = summaryOf(command, sandboxedMachine);
    for (const text of [page(confined), page(summaryOf(harmless)), approvalDialog(confined).text.toString()])
      assert.doesNotMatch(text, /not confined/i);
  });

  it('shows everything where that is short and confined, with each command line', () => {
    const summary = summaryOf(harmless);
    const { text, mustReview } = approvalDialog(summary);
    assert.deepEqual(mustReview, []);
    includes(
      text.toString(),
      'risk level 1',
      'T1 (claude, intent code_generation (',
      'runs claude -p --output-format stream-json',
      'may write docs/notes',
      'claude is confined by limits on its tools',
      'file_level_only',
      'May be corrected without asking: nothing.',
      'the base list only',
      summary.plan_sha256,
    );
  });

  it('shows Claude Code with its file tools alone, whatever constraints the plan names', () => {
    for (const constraints of [['no_new_tasks'], []]) {
      const { tasks, workers } = summaryOf((plan, task) => {
        harmless(plan, task);
        (plan['execution'] as { delegation: object }).delegation = { claude_code: true, constraints };
      });
      const argv = tasks[0]?.argv ?? [];
      assert.equal(argv[argv.indexOf('--tools') + 1], 'Read,Glob,Grep,Edit,Write,NotebookEdit');
      assert.match(workers[0]?.detail ?? '', /only its file tools, limited to the workspace; no shell/);
    }
  });

  it('names the model of the plan, else that of the settings, else that the CLI chooses it', () => {
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
      const [task] = summary.tasks;
      assert.equal(task?.model, model);
      assert.deepEqual(
        task.argv.filter((one) => one.includes('model')),
        argument === null ? [] : [`--model=${argument}`],
      );
      includes(approvalDialog(summary).text.toString(), model);
      includes(page(summary), `model\n${model}\n`);
    }
  });

  const reasons: readonly (readonly [string, Change, RegExp])[] = [
    [
      'a command, which nothing confines',
      (_, task) => {
        harmless({}, task);
        Object.assign(task, { worker: 'command', command: ['node', '-v'], type: 'automation' });
        delete task['prompt'];
      },
      /^nothing confines the worker command$/,
    ],
    ['verify commands, which nothing confines', () => undefined, /^nothing confines verify commands$/],
    [
      'a risk level of 2',
      (plan, task) => {
        harmless(plan, task);
        plan['risk'] = { level: 2, notes: 'Some.' };
      },
      /^the risk level is 2$/,
    ],
    [
      'more than 20 lines',
      (plan, task) => {
        harmless(plan, task);
        plan['tasks'] = [1, 2, 3, 4, 5].map((n) => ({ ...task, task_id: `T${n}`, paths: [`docs/notes/${n}`] }));
      },
      /^it is too long for a dialog$/,
    ],
  ];
  it('offers Approve where a sandbox holds the commands of the plan, and says so', () => {
    const command: Change = (_, task) => {
      Object.assign(task, { worker: 'command', command: ['node', '-v'], type: 'automation' });
      delete task['prompt'];
    };
    assert.match(
      approvalDialog(summaryOf(command)).mustReview.join(),
      /nothing confines the worker command and verify/,
    );
    const { text, mustReview } = approvalDialog(summaryOf(command, sandboxedMachine));
    assert.deepEqual(mustReview, []);
    includes(
      text.toString(),
      'command is confined by a sandbox around the approved paths of its task. A sandbox around the approved paths of its task holds it back (bubblewrap), without a network.',
      'verify commands are confined by a sandbox around the approved paths of its task.',
    );
  });

  it('says why nothing holds them back, and that nothing will start where the plan requires it', () => {
    includes(page(summaryOf()), 'No sandbox around the approved paths of its task holds it back: There is no bwrap.');
    const required: Change = (plan) => Object.assign(plan['execution'] as object, { confinement: 'required' });
    includes(page(summaryOf(required)), 'The mission requires one, so nothing will start here.');
    const off: Change = (plan) => Object.assign(plan['execution'] as object, { confinement: 'off' });
    assert.doesNotMatch(page(summaryOf(off, sandboxedMachine)), /sandbox around/);
    includes(page(summaryOf(off, { ...sandboxedMachine, wanted: 'preferred' })), 'confined by a sandbox around');
  });

  it('says of Seatbelt that it was not tried, and that Codex holds itself there', () => {
    const standing = { kind: 'available', means: 'seatbelt', not_nested: 'It cannot.' } as const;
    const seatbelt: MachineConfinement = { wanted: null, standing };
    const untried = 'It is written for macOS and was not tried there';
    includes(page(summaryOf(undefined, seatbelt)), 'claude is confined by a sandbox around', untried);
    const codex: Change = (_, task) => Object.assign(task, { worker: 'codex' });
    const text = page(summaryOf(codex, seatbelt));
    includes(
      text,
      'codex is confined by the sandbox of the operating system.',
      'It is the only sandbox around it: It cannot.',
      'default_permissions',
    );
    assert.doesNotMatch(text.replace(/verify commands are confined.*/, ''), new RegExp(untried));
  });

  it('says which hosts an agent reaches where its network is held, and where it cannot be', () => {
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
    assert.doesNotMatch(page(summaryOf(agent, { ...sandboxedMachine, hosts })), /Its network/);
    const open = 'Its network is open: nothing here holds it to the hosts of its provider.';
    const standing = { kind: 'available', means: 'seatbelt', not_nested: null } as const;
    for (const machine of [bare, { ...sandboxedMachine, wanted: 'off' }, { wanted: null, standing }] as const)
      includes(page(summaryOf(provider, machine)), open);
    includes(
      page(summaryOf(provider, { wanted: 'required', standing })),
      `${open} The mission requires one, so nothing will start here.`,
    );
  });

  it('names scratch paths', () => {
    const scratch: Change = (plan) => Object.assign(plan['execution'] as object, { scratch: ['coverage/'] });
    includes(page(summaryOf(scratch)), 'Scratch that commands may write, never counted as work: coverage.');
  });

  for (const [name, change, reason] of reasons)
    it(`is left out for ${name}: the page says why it has to be read`, () => {
      const summary = summaryOf(change);
      const { mustReview } = approvalDialog(summary, 'A note.');
      assert.match(mustReview.join('; '), reason);
      const shown = approvalPage(summary, { ...asked, note: 'A note.', because: mustReview }, () => []);
      includes(textOfHtml(shown.toString()), 'A note.', `Read all of it first, because ${mustReview.join('; ')}.`);
    });
});

describe('the page behind Review', () => {
  it('has every command line, path, prompt, permission and what confines', () => {
    includes(
      page(summaryOf(), ['--verbose']),
      'Approve plan p as Ada?',
      'Nothing is approved yet. The button below the plan approves it',
      'runs\nclaude -p',
      'with the further arguments of your settings\n--verbose',
      `is verified by\nnode -e "require('node:fs')`,
      'may write\ndocs/notes',
      'verify commands are confined by nothing',
      'Write docs/notes/first.md with three sentences',
      'May be corrected without asking: nothing.',
    );
  });

  it('names recovery permissions in plain words', () => {
    const allow = ['add_directory', 'skip_git_repo_check', 'trust_workspace', 'fix_permissions'] as const;
    const text = page(summaryOf((plan) => Object.assign(plan['execution'] as object, { recovery: { allow } })));
    includes(text, ...allow.map((permission) => recoveryWords[permission].short));
    for (const permission of allow) assert.ok(!text.includes(permission), text);
  });

  it('says, as the dialog does, where a task goes on by itself after a limit, and only there', () => {
    const said = 'After a used-up limit of a provider: a task goes on by itself when the limit ends, at most 3 times,';
    const resumes: Change = (plan, task) => {
      Object.assign(plan['execution'] as object, { recovery: { after_limit: 'resume' } });
      if (plan['plan_id'] === 'short') harmless(plan, task);
    };
    const short: Change = (plan, task) => resumes(Object.assign(plan, { plan_id: 'short' }), task);
    for (const change of [resumes, short]) {
      includes(page(summaryOf(change)), said);
      includes(approvalDialog(summaryOf(change)).text.toString(), said);
    }
    const waits = summaryOf((plan) =>
      Object.assign(plan['execution'] as object, { recovery: { after_limit: 'wait' } }),
    );
    assert.ok(!page(waits).includes('After a used-up limit'));
  });

  it('leaves nothing out of a long plan, and hides nothing behind a long line', () => {
    const hidden = `${' '.repeat(30_000)}rm -rf everything`;
    const text = page(
      summaryOf((plan, task) => {
        plan['tasks'] = Array.from({ length: 40 }, (_, n) => ({ ...task, task_id: `T${n}`, paths: [`docs/${n}`] }));
        task['verify'] = [['node', '-e', hidden]];
        (plan['tasks'] as object[])[39] = { ...task, task_id: 'T39', paths: ['docs/39'] };
      }),
    );
    includes(text, 'T0\n', 'T39\n', '40 tasks', '80 command lines, each of them below', `${hidden}"\n`);
    assert.equal(text.split('is verified by').length, 41);
  });

  it('names what one launch may take, where the plan says other than the default', () => {
    const text = page(
      summaryOf((plan) =>
        Object.assign(plan['execution'] as object, { limits: { processes: 50, memory_mb: 512, file_mb: 16_384 } }),
      ),
    );
    includes(text, 'Each launch takes at most: 50 processes at once, 512 MB of memory.');
    assert.ok(!page(summaryOf()).includes('Each launch takes'));
  });

  it('names the host of each agent, in the dialog as well as on the page', () => {
    const summary = summaryOf(harmless);
    const workers = summary.workers.map((one) => ({ ...one, speaks_to: 'house.example:443 (settings.json)' }));
    for (const shown of [(one: ApprovalSummary) => approvalDialog(one).text.toString(), page]) {
      includes(shown({ ...summary, workers }), 'claude talks to house.example:443 (settings.json).');
      assert.ok(!shown(summary).includes('talks to'));
    }
  });

  it('escapes invisible characters, once', () => {
    const text = page(
      summaryOf((_, task) => {
        task['verify'] = [['node', '-e', 'one\ntwo\u202e \\n']];
        task['prompt'] = 'Line one\nLine \u200b two';
      }),
    );
    includes(text, String.raw`node -e "one\ntwo\u202e \\n"`, 'is given\nLine one\nLine \\u200b two\n');
  });
});
