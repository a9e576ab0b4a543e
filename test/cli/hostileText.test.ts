import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { AgentBed } from './agentBed';
import { CliBed, cliFile, start, type Ended } from './cliBed';

/** What a terminal, an editor or a browser acts on, or a person cannot see. Line feeds are looked at apart. */
const acts = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?!\n)\p{Cc}/u;
const conceal = '\u001b[8m';
const clipboard = '\u001b]52;c;cm0gLXJmIH4=\u0007';
const hidden = `\u009b8m\u202e\u2066\u200b\u2028\u2029\u{e0041}\ufe00`;
/** A text that would pass for lines of ours, conceal what follows, and fill the clipboard. */
const attack = `x\n  Approved: nothing to see\r${conceal}${clipboard}${hidden}|\`# h [l](http://evil.test) <img src=x>`;
/** The same where a name is on disk. */
const name = `a\nMission completed\u001b[8m\u202eb\`|.txt`;

describe('hostile text of plans, workers and people', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const words = (...args: string[]): Promise<Ended> => bed.spawn(process.execPath, [cliFile, ...args]).ended;
  function harmless(text: string, where: string): void {
    assert.doesNotMatch(text, acts, `${where}: ${JSON.stringify(text)}`);
    assert.doesNotMatch(text, /^\s*(?:Approved: nothing|Mission completed\\x1b|# h)/m, where);
  }
  function check(ended: Ended, where: string): void {
    harmless(ended.stdout, `${where}, stdout`);
    harmless(ended.stderr, `${where}, stderr`);
  }

  it('is shown whole on the approval screen, argument by argument', async () => {
    const long = 'y'.repeat(900);
    const plan = bed.plan(
      'screen',
      [
        {
          description: attack,
          paths: [`docs/out/${long}/`, 'docs/a, docs/b'],
          command: ['rm', '-rf x', `${long}${conceal}`, ''],
          verify: [['echo', 'a"b', attack]],
          acceptance_criteria: [attack],
        },
      ],
      { env: ['HOME'] },
      { goal_id: attack, success_criteria: [attack], status: 'DRAFT', approval: { required: true } },
    );
    const approve = await words('plan', 'approve', plan, '--by', attack, '--yes');
    check(approve, 'plan approve');
    assert.match(approve.stdout, /x\\n {2}Approved: nothing to see\\r\\x1b\[8m\\x1b\]52;c;/);
    assert.match(approve.stdout, new RegExp(String.raw`runs {12}rm "-rf x" "${long}\\x1b\[8m" ""\n`));
    assert.match(approve.stdout, /is verified by {2}echo "a\\"b" "x\\n/);
    assert.match(approve.stdout, new RegExp(`Tasks may write .*docs/out/${long}`));
    assert.match(approve.stdout, /"docs\/a, docs\/b"/);
    check(await words('plan', 'validate', plan), 'plan validate');
    check(await words('plan', 'validate', attack), 'plan validate of an odd name');
    check(await words('plan', 'approve', plan, '--by', attack, '--yes', '--json'), '--json');
    check(await words(attack, '--yes'), 'an odd command');
  });

  it('in an exported journal is escaped on a terminal, and its exact bytes in a file', async () => {
    const who = `Ann${hidden}`;
    const run = await bed.mission('run', bed.plan('exported', [{ script: start, writes: false }]), '--by', who);
    const id = run.json.mission_id;
    const piped = await words('journal', 'export', id);
    assert.ok(piped.stdout.includes(who), piped.stdout);
    const file = `${bed.scratch}/export.jsonl`;
    writeFileSync(file, piped.stdout);
    assert.equal((await bed.mission('journal', 'verify', '--file', file)).code, 0);
    const terminal = bed.terminal(`'${process.execPath}' '${cliFile}' journal export ${id}`);
    assert.equal(await terminal.code, 0);
    const screen = terminal.screen().replaceAll('\r\n', '\n');
    assert.match(screen, /Ann\\u009b8m\\u202e/);
    harmless(screen, 'journal export on a terminal');
  });

  it('of a worker does nothing in the progress, the status, the packets and the summary', async () => {
    const script = `${start}
      fs.writeFileSync('docs/out/' + ${JSON.stringify(name)}, 'a');
      fs.writeFileSync(${JSON.stringify(name)}, 'out of scope');
      fs.writeFileSync('.git/hooks/pre-push', '');
      console.log(${JSON.stringify(attack)});
      console.error(${JSON.stringify(attack)});`;
    const plan = bed.plan(
      'worker',
      [{ script, description: attack, verify: [['node', '-e', 'Number(0)', attack]] }],
      {},
      {
        goal_id: attack,
        success_criteria: ['validator_passes', attack],
      },
    );
    const run = await words('run', plan, '--by', attack);
    check(run, 'run');
    assert.match(run.stdout, /SCOPE_VIOLATION/);
    for (const args of [['status'], ['list'], ['status', '--json'], ['evidence', 'verify', 'worker']])
      check(await words(...args), args.join(' '));
    const summary = bed.read('docs/ops/executions/worker/EXECUTION_SUMMARY.md');
    harmless(summary, 'summary');
    assert.match(summary, /a\\nMission completed\\x1b\[8m\\u202eb/);
    markdownOfOurs(summary);
  });

  for (const [what, times, says] of [
    ['a question', 1, /Approved: nothing to see/],
    ['a question of a megabyte', 350_000, /Its structured output is larger than 2 MiB, so it was not kept\./],
  ] as const)
    it(`of a worker that asks ${what} does nothing where it is shown`, async () => {
      const agents = new AgentBed([]);
      try {
        agents.speaks(
          `asks(${JSON.stringify(`${attack}\u0000`)} + '\\u202e\\u0000x'.repeat(${times}), ${JSON.stringify(attack)} + ' May I?');`,
        );
        const say = (...args: string[]): Promise<Ended> =>
          agents.spawn(process.execPath, [cliFile, ...args, ...agents.claudeOptions]).ended;
        const run = await say('run', agents.agentPlan('asked'));
        check(run, 'run');
        assert.equal(run.code, 3, run.stdout);
        const { packets } = (await agents.mission('packet', 'list')).json;
        const [packet] = packets;
        assert.ok(packet);
        for (const args of [
          ['status'],
          ['status', 'asked'],
          ['list'],
          ['packet', 'list'],
          ['packet', 'show', packet.packet_id],
          ['packet', 'show', packet.packet_id, '--json'],
          ['evidence', 'verify', 'asked'],
        ]) {
          const shown = await agents.spawn(process.execPath, [cliFile, ...args]).ended;
          check(shown, args.join(' '));
          if (args[1] === 'show') assert.match(shown.stdout, says, 'it is shown');
          assert.ok(shown.stdout.length < 200_000, `${args.join(' ')} prints ${shown.stdout.length} characters`);
        }
        const folder = packet.path.slice(0, packet.path.lastIndexOf('/'));
        for (const file of readdirSync(agents.at(folder)).filter((entry) => entry.endsWith('.md'))) {
          harmless(agents.read(`${folder}/${file}`), file);
          markdownOfOurs(agents.read(`${folder}/${file}`));
        }
      } finally {
        await agents.dispose();
      }
    });

  it('of a validator does nothing where its report is shown', async () => {
    const agents = new AgentBed([]);
    try {
      agents.speaks(`
        const text = ${JSON.stringify(`${attack}\u0000`)};
        say({ type: 'result', subtype: 'success', is_error: false, result: text, structured_output: {
          schemaVersion: 1, runId: named('runId'), milestoneId: named('milestoneId'), status: 'fail', summary: text, commandsRun: [],
          assertions: [{ assertionId: 'A1', status: 'fail', evidence: text }],
          defects: [{ id: 'D1', severity: 'critical', title: text, description: text, reproduction: text, suggestedFix: text }],
          procedureFindings: [{ id: text, severity: 'critical', title: text, description: text, evidence: text }], recommendation: 'fix' } });`);
      const plan = agents.plan(
        'judged',
        [{ task_id: 'T1', milestone: 'M1', script: `${start}fs.writeFileSync('docs/out/a', 'one');` }],
        { confinement: 'off', delegation: { claude_code: true } },
        { milestones: [{ id: 'M1', title: 'x', validate: { worker: 'claude', assertions: ['It is so.'] } }] },
      );
      const run = await agents.spawn(process.execPath, [cliFile, 'run', plan, ...agents.claudeOptions]).ended;
      check(run, 'run');
      assert.equal(run.code, 3, run.stdout);
      const { packets } = (await agents.mission('packet', 'list')).json;
      assert.ok(
        packets[0] && /says fail: x/.test((packets[0] as unknown as Ended['json']).reason),
        JSON.stringify(packets),
      );
      for (const args of [
        ['status', 'judged'],
        ['packet', 'list'],
        ['packet', 'show', packets[0].packet_id],
      ])
        check(await agents.spawn(process.execPath, [cliFile, ...args]).ended, args.join(' '));
      const folder = packets[0].path.slice(0, packets[0].path.lastIndexOf('/'));
      for (const file of readdirSync(agents.at(folder)).filter((entry) => entry.endsWith('.md'))) {
        harmless(agents.read(`${folder}/${file}`), file);
        markdownOfOurs(agents.read(`${folder}/${file}`));
      }
    } finally {
      await agents.dispose();
    }
  });

  it('of a person and a failing worker does nothing in a packet, on paper and on the screen', async () => {
    const script = `${start} console.error(${JSON.stringify(attack)}); process.exit(3);`;
    const plan = bed.plan('packet', [{ script, description: attack }]);
    const run = await words('run', plan, '--by', attack);
    check(run, 'run');
    const [mission] = (await bed.mission('status')).json.missions;
    assert.ok(mission);
    const { packets } = (await bed.mission('packet', 'list')).json;
    const [packet] = packets;
    assert.ok(packet);
    check(await words('packet', 'show', packet.packet_id), 'packet show');
    check(await words('packet', 'list'), 'packet list');
    const folder = packet.path.slice(0, packet.path.lastIndexOf('/'));
    for (const file of readdirSync(bed.at(folder)).filter((entry) => entry.endsWith('.md'))) {
      harmless(bed.read(`${folder}/${file}`), file);
      markdownOfOurs(bed.read(`${folder}/${file}`));
    }
    const cancel = await words('cancel', mission.mission_id, '--by', attack, '--reason', attack);
    check(cancel, 'cancel');
    check(await words('status', mission.mission_id), 'status');
    const summary = bed.read('docs/ops/executions/packet/EXECUTION_SUMMARY.md');
    harmless(summary, 'summary');
    markdownOfOurs(summary);
  });
});

/** No link, image, HTML or heading but ours, and every row of a table has the cells of its head. */
function markdownOfOurs(text: string): void {
  const outside = text
    .replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '')
    .replace(/(?<![\\`])(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, 'CODE');
  assert.doesNotMatch(outside, /(?<!\\)[<>[\]]/);
  assert.doesNotMatch(outside, /(?<!\\):\/\//);
  let cells = 0;
  for (const line of outside.split('\n')) {
    const count = line.startsWith('|') ? [...line.matchAll(/(?<!\\)\|/g)].length : 0;
    if (count > 0 && cells > 0) assert.equal(count, cells, line);
    cells = count;
  }
}
