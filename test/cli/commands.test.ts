import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, decision, start, type Ended } from './cliBed';

const names = [
  ...['check', 'plan new', 'plan draft', 'plan validate', 'plan approve', 'plan revise', 'context new'],
  ...['run', 'status', 'list', 'diff', 'pause', 'resume', 'cancel', 'acknowledge', 'stop'],
  ...['retry', 'rerun-validation', 'intervene', 'undo', 'skip', 'accept', 'grant', 'answer'],
  ...['packet list', 'packet show', 'packet resolve', 'packet revise'],
  ...['memory confirm', 'memory list', 'memory show', 'memory verify', 'memory set-aside'],
  ...['handoff export', 'handoff resume'],
  ...['evidence verify', 'journal export', 'journal verify', 'audit export', 'audit verify'],
  ...['fleet setup', 'fleet submit', 'fleet list', 'fleet show', 'fleet cancel', 'fleet watch', 'fleet host'],
  ...['doctor', 'clean', 'events serve', 'orch start', 'orch task', 'worker signals'],
];

describe('mission: commands', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('stand in the guide, each of them, and those that README names are among them', () => {
    const rowsOf = (file: string): readonly string[] =>
      [...readFileSync(file, 'utf8').matchAll(/^\| `mission ([a-z][a-z-]*(?: [a-z][a-z-]*)?)\b[^`]*`/gm)].map(
        ([, name = '']) => name,
      );
    assert.deepEqual([...rowsOf('docs/reference/commands.md')].sort(), [...names].sort());
    const ofReadme = rowsOf('README.md');
    assert.equal(ofReadme.length, 10);
    assert.deepEqual(
      ofReadme.filter((name) => !names.includes(name)),
      [],
    );
  });

  it('has help for every command, also as JSON', async () => {
    const { json, code } = await bed.mission('--help');
    assert.equal(code, 0);
    assert.deepEqual(
      json.commands.map(({ name }) => name),
      names,
    );
    for (const name of ['run', 'packet resolve', 'doctor']) {
      const text = await bed.spawn(process.execPath, [cliFile, ...name.split(' '), '--help']).ended;
      assert.equal(text.code, 0);
      assert.match(text.stdout, new RegExp(`^Usage: mission ${name}`));
      assert.match(text.stdout, /^Exit codes:\n {2}0 /m);
      // oxlint-disable-next-line no-control-regex -- colours are for terminals
      assert.doesNotMatch(text.stdout, /\u001b/);
    }
  });

  it('does the first mission that its help shows, line by line', async () => {
    const help = await bed.spawn(process.execPath, [cliFile, '--help']).ended;
    const lines = help.stdout.split('\n').filter((line) => line.startsWith('  mission '));
    assert.equal(lines.length, 4);
    for (const line of lines) {
      const [, ...args] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
      // Where no terminal asks, a person says yes beforehand.
      const { code, stdout } = await bed.mission(...args, ...(args.includes('approve') ? ['--yes'] : []));
      assert.equal(code, 0, `${line}: ${stdout}`);
    }
  });

  it('answers wrong calls with exit 2 and one JSON document', async () => {
    const calls = [
      [],
      ['nonsense'],
      ['plan'],
      ['run'],
      ['run', 'a', 'b'],
      ['run', 'a', '--nonsense'],
      ['check', 'nonsense', 'a'],
      ['pause', 'x', '--by', 'A'],
      ['retry', 'x', '--reason', 'r'],
      ['answer', 'x', ...decision],
      ['answer', 'x', '--text', 't', '--choice', '1', ...decision],
      ['handoff', 'export', 'x', '--move'],
      ['handoff', 'export', 'x', '--out', ' '],
    ];
    for (const call of calls) {
      const { code, json } = await bed.mission(...call);
      if (call.length > 0) assert.deepEqual([code, json.accepted, json.code], [2, false, 'USAGE'], call.join(' '));
      else assert.equal(code, 2);
    }
    const handoff = await bed.mission('check', 'worker-handoff', 'a');
    assert.deepEqual([handoff.code, handoff.json.files[0]?.code], [2, 'FILE_NOT_FOUND'], 'its kind is known');
    for (const port of ['0', '65536', 'x', '-1']) {
      const { code, json } = await bed.mission('events', 'serve', `--port=${port}`);
      assert.deepEqual([code, json.code], [2, 'USAGE'], port);
    }
    for (const call of [
      ['pause', 'x', ...decision],
      ['answer', 'x', '--text', 'y', ...decision],
      ['intervene', 'x', 'T1', ...decision],
      ['handoff', 'export', 'x'],
      ['status', 'x'],
      ['journal', 'verify', 'x'],
      ['audit', 'verify', 'x'],
      ['packet', 'list', 'x'],
    ]) {
      const { code, json } = await bed.mission(...call);
      assert.deepEqual([code, json.code], [2, 'MISSION_UNKNOWN'], call.join(' '));
    }
    assert.equal(bed.exists('.mission-control/state.db'), false, 'nothing was created for a mission nobody knows');
  });

  it('answers unusual files and places with a code and an exit code', async () => {
    bed.write('list.json', '[]');
    bed.write('folder/bundle.json', '[]');
    bed.write('empty.jsonl', '');
    const odd: readonly (readonly [readonly string[], number, string])[] = [
      [['handoff', 'resume', 'folder', ...decision], 2, 'SCHEMA_INVALID'],
      [['handoff', 'resume', 'nowhere', ...decision], 2, 'MISSING_REQUIRED_INPUT'],
      [['run', 'list.json'], 1, 'PLAN_INVALID'],
      [['run', 'folder'], 2, 'FILE_NOT_REGULAR'],
      [['orch', 'start', '--plan', 'nofile.json'], 2, 'FILE_NOT_FOUND'],
      [['orch', 'start', '--plan', 'folder'], 2, 'FILE_NOT_REGULAR'],
      [['journal', 'verify', '--file', 'nofile'], 2, 'FILE_UNREADABLE'],
      [['status', '--workspace', 'README.md'], 2, 'USAGE'],
    ];
    for (const [call, exit, code] of odd) {
      const ended = await bed.mission(...call);
      assert.deepEqual([ended.code, ended.json.code], [exit, code], call.join(' '));
      assert.doesNotMatch(ended.stderr, /\bat .*\.js:/, call.join(' '));
    }
    const empty = await bed.mission('journal', 'verify', '--file', 'empty.jsonl');
    assert.deepEqual([empty.code, empty.json.valid], [1, false]);
    const evidence = await bed.mission('evidence', 'verify', '../x');
    assert.deepEqual([evidence.code, evidence.json.findings[0]?.code], [2, 'PLAN_ID_INVALID']);
    const shown = (await bed.spawn(process.execPath, [cliFile, 'evidence', 'verify', '../x']).ended).stdout;
    assert.match(shown, /error PLAN_ID_INVALID/);
    assert.doesNotMatch(shown, /does not hold/);
    const nameless = await bed.mission('resume', 'x');
    assert.match(nameless.stdout, /--by NAME is missing \(who decides\)\./);
  });

  it('runs, verifies and hands over below a path with spaces and umlauts, and verifies evidence beside a foreign journal', async () => {
    const folder = path.join(bed.root, 'mit Leerzeichen und Ümläut');
    const plan = bed.plan('GROSS-1.a', [
      { command: ['sh', '-c', "mkdir -p 'öut dir' && echo ü > 'öut dir/ü b.txt'"], paths: ['öut dir/'] },
      { command: ['false'], paths: ['öut dir/'] },
    ]);
    mkdirSync(path.join(folder, 'docs/plans'), { recursive: true });
    cpSync(bed.at(plan), path.join(folder, plan));
    const there = (...args: readonly string[]): ReturnType<CliBed['mission']> =>
      bed.mission(...args, '--workspace', folder);
    const run = await bed.mission('run', path.join(folder, plan), '--workspace', folder);
    assert.equal(run.code, 3, run.stderr);
    const exported = await there('handoff', 'export', 'GROSS-1.a', '--out', path.join(bed.scratch, 'aus gabe ä'));
    assert.equal(exported.code, 0, exported.stderr);
    assert.equal((await there('cancel', 'GROSS-1.a', ...decision)).code, 0);
    for (const command of ['evidence', 'journal']) assert.equal((await there(command, 'verify', 'GROSS-1.a')).code, 0);
    for (const place of ['docs/ops/executions/GROSS-1.a/', './docs/plans/PLAN_GROSS-1.a.json'])
      assert.equal((await there('evidence', 'verify', place)).code, 0, place);
    const unknown = await there('status', 'gross-1.A');
    assert.deepEqual([unknown.code, unknown.json.code], [2, 'MISSION_UNKNOWN']);
    rmSync(path.join(folder, '.mission-control'), { recursive: true });
    symlinkSync(bed.scratch, path.join(folder, '.mission-control'));
    const alone = await there('evidence', 'verify', 'GROSS-1.a');
    assert.deepEqual([alone.code, alone.json.findings.map(({ code }) => code)], [0, ['JOURNAL_ABSENT']]);
    assert.match(alone.stderr, /left aside: .*symbolic link/);
  });

  it('shows status and list of an unused workspace, and creates nothing in it', async () => {
    const status = await bed.mission('status');
    assert.deepEqual([status.code, status.json.owner, status.json.missions], [0, 'none', []]);
    assert.equal((await bed.mission('list')).code, 0);
    assert.equal(bed.exists('.mission-control'), false);
  });

  it('writes a draft that validates except for its approval', async () => {
    for (const template of ['agent', 'command', 'milestones']) {
      const written = await bed.mission('plan', 'new', `new-${template}`, '--from', template);
      assert.deepEqual([written.code, written.json.plan_path], [0, `docs/plans/PLAN_new-${template}.json`]);
      const { code, json } = await bed.mission('plan', 'validate', written.json.plan_path);
      assert.equal(code, 1);
      assert.deepEqual(
        json.files[0]!.findings.map((finding) => finding.code),
        ['STATUS_NOT_APPROVED'],
      );
      const approved = await bed.mission('plan', 'approve', written.json.plan_path, '--by', 'Ada', '--yes');
      assert.equal(approved.code, 0, approved.stdout);
    }
    const twice = await bed.mission('plan', 'new', 'new-agent');
    assert.deepEqual([twice.code, twice.json.code], [2, 'PLAN_ID_REUSED']);
    for (const [name, id] of [
      ['PLAN_named', 'named'],
      ['PLAN_whole.json', 'whole'],
    ] as const) {
      const { code, json } = await bed.mission('plan', 'new', name);
      assert.deepEqual([code, json.plan_id, json.plan_path], [0, id, `docs/plans/PLAN_${id}.json`]);
      assert.equal(bed.json(json.plan_path).plan_id, id);
    }
    for (const id of ['../up', 'a/b', '']) assert.equal((await bed.mission('plan', 'new', id)).code, 2, id);
    const begins =
      'must start with a letter or digit and hold at most 80 letters, digits, dots, hyphens and underscores.';
    for (const [name, reason] of [
      ['PLAN_', `The plan id "", which "PLAN_" names, ${begins}`],
      ['PLAN_-x.json', `The plan id "-x", which "PLAN_-x.json" names, ${begins}`],
    ] as const) {
      const { code, json } = await bed.mission('plan', 'new', name);
      assert.deepEqual([code, json.code, json.reason], [2, 'COMMAND_INVALID', reason]);
    }
  });

  it('takes the plan that README shows, which lacks only its approval', async () => {
    const [, plan = ''] = /```json\n([^]*?)\n```/.exec(readFileSync('README.md', 'utf8')) ?? [];
    bed.write('docs/plans/PLAN_hello-1.json', plan);
    const { code, json } = await bed.mission('plan', 'validate', 'docs/plans/PLAN_hello-1.json');
    assert.equal(code, 1);
    assert.deepEqual(
      json.files[0]!.findings.map((finding) => finding.code),
      ['STATUS_NOT_APPROVED'],
    );
  });

  it('says what follows a new plan, in words that do not fail', async () => {
    const { stdout } = await bed.spawn(process.execPath, [cliFile, 'plan', 'new', 'words']).ended;
    assert.match(stdout, /next: edit it, then mission plan approve docs\/plans\/PLAN_words\.json --by NAME/);
    assert.doesNotMatch(stdout, /next:.*plan validate/);
  });

  it('refuses to work in a subfolder without plans, names the workspace above and creates nothing', async () => {
    const plan = bed.plan('above', [{ script: start }]);
    bed.write('src/deep/x', '');
    const cwd = bed.at('src/deep');
    const inside = (...args: string[]): Promise<Ended> =>
      bed.spawn(process.execPath, [cliFile, ...args, '--json'], { cwd }).ended;
    for (const args of [
      ['status'],
      ['plan', 'approve', bed.at(plan), '--by', 'Ann', '--yes'],
      ['run', bed.at(plan)],
      ['plan', 'new', 'here'],
    ]) {
      const refused = await inside(...args);
      assert.deepEqual([refused.code, refused.json.code], [2, 'WORKSPACE_ABOVE'], args.join(' '));
      assert.ok(refused.json.reason.includes(bed.root));
      assert.ok((refused.json as unknown as { next: string[] }).next[0]?.endsWith(`--workspace "${bed.root}"`));
    }
    assert.ok(!bed.exists('src/deep/.mission-control') && !bed.exists('src/deep/docs'));
    assert.equal((await inside('status', '--workspace', bed.root)).code, 0);
    assert.equal((await inside('plan', 'new', 'here', '--workspace', '.')).code, 0);
    assert.equal((await inside('status')).code, 0, 'it has plans of its own now');
    bed.git('init', '-q', bed.at('other'));
    assert.equal(
      (await bed.spawn(process.execPath, [cliFile, 'status', '--json'], { cwd: bed.at('other') }).ended).code,
      0,
      'a repository of its own is no subfolder',
    );
  });

  it('validates plans: all findings with line and column, the hash, and files that cannot be read', async () => {
    const rocket = path.resolve('test/fixtures/plans/PLAN_RGPT-S2-B-04-001.json');
    const valid = await bed.mission('plan', 'validate', rocket);
    assert.deepEqual([valid.code, valid.json.valid, valid.json.files[0]!.code], [0, true, 'OK']);
    assert.match(valid.json.files[0]!.plan_sha256, /^[0-9A-F]{64}$/);
    const bad = bed.plan(
      'bad',
      [
        { script: start, paths: ['../up'] },
        { task_id: 'T1', script: start },
      ],
      {},
      { risk: { level: 9, notes: '' } },
    );
    const { code, json } = await bed.mission('check', 'plan', rocket, bad);
    assert.deepEqual([code, json.valid, json.files.length], [1, false, 2]);
    const findings = json.files[1]!.findings;
    for (const expected of ['RISK_TOO_HIGH', 'PATH_INVALID', 'TASK_ID_DUPLICATE'])
      assert.ok(
        findings.some((finding) => finding.code === expected && finding.line > 1 && finding.column > 0),
        expected,
      );
    assert.equal((await bed.mission('check', 'plan', 'none.json')).code, 2);
    bed.write('broken.json', '{"a": ');
    assert.equal((await bed.mission('check', 'header', 'broken.json')).json.files[0]!.code, 'JSON_SYNTAX');
    assert.equal((await bed.mission('check', 'header', 'docs')).code, 2);
  });

  it('refuses to approve a plan with other errors, and asks questions only on a terminal', async () => {
    const bad = bed.plan('cure', [{ script: start, paths: ['../up'] }], {}, { status: 'DRAFT' });
    const before = bed.read(bad);
    assert.equal((await bed.mission('plan', 'approve', bad, '--by', 'Ada', '--yes')).code, 1);
    const good = bed.plan('good', [{ script: start }], {}, { status: 'DRAFT' });
    const unasked = await bed.mission('plan', 'approve', good, '--by', 'Ada');
    assert.deepEqual([unasked.code, unasked.json.code], [2, 'USAGE']);
    assert.equal((await bed.mission('plan', 'approve', good, '--yes')).code, 2);
    assert.equal(bed.read(bad), before);
    assert.match(bed.read(good), /"DRAFT"/);
  });

  it('records the execution of another executor', async () => {
    const plan = bed.plan('orch', [{ script: start }, { script: start }]);
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
    const early = await bed.mission('orch', 'task', '--plan', plan, '--task', 'T1', '--phase', 'START');
    assert.deepEqual([early.code, early.json.code], [2, 'EVIDENCE_MISSING']);
    const started = await bed.mission('orch', 'start', '--plan', plan);
    assert.deepEqual(
      [started.code, started.json.state, started.json.executor],
      [0, 'LOCKED', 'external'],
      started.stdout,
    );
    for (const task of ['T1', 'T2']) {
      assert.equal((await bed.mission('orch', 'task', '--plan', plan, '--task', task, '--phase', 'START')).code, 0);
      const end = await bed.mission(
        'orch',
        'task',
        '--plan',
        plan,
        '--task',
        task,
        '--phase',
        'END',
        '--status',
        'SUCCESS',
        '--notes',
        'fine',
      );
      assert.deepEqual([end.code, end.json.status, end.json.task_id], [0, 'SUCCESS', task]);
      assert.equal(end.json.commit_sha, bed.git('rev-parse', 'HEAD').trim());
    }
    assert.equal((await bed.mission('evidence', 'verify', 'orch')).code, 0);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 2);
  });

  it('exports and verifies the journal, and finds what was changed in an export', async () => {
    const run = await bed.mission(
      'run',
      bed.plan('chain', [{ script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` }]),
    );
    assert.equal(run.code, 0, run.stderr);
    const text = await bed.spawn(process.execPath, [cliFile, 'journal', 'export', run.json.mission_id]).ended;
    const file = path.join(bed.scratch, 'export.jsonl');
    writeFileSync(file, text.stdout);
    const good = await bed.mission('journal', 'verify', '--file', file);
    assert.deepEqual(
      [good.code, good.json],
      [0, { valid: true, events: text.stdout.trim().split('\n').length, first_bad: null }],
    );
    writeFileSync(file, text.stdout.replace('"PlanLocked"', '"PlanLacked"'));
    const bad = await bed.mission('journal', 'verify', '--file', file);
    assert.deepEqual([bad.code, bad.json.valid, bad.json.first_bad], [1, false, 3]);
    assert.equal((await bed.mission('journal', 'verify', 'chain')).code, 0);
  });

  it('shows what a transcript yields, for each of the three CLIs', async () => {
    for (const cli of ['claude', 'codex', 'gemini']) {
      const base = path.resolve('test/workers/transcripts', cli, 'write-in-scope');
      const expected = JSON.parse(readFileSync(`${base}.expected.json`, 'utf8')) as {
        signals: unknown[];
        summary: { sessionId: string; usage: { inputTokens: number } };
      };
      const { code, json } = await bed.mission(
        'worker',
        'signals',
        '--cli',
        cli,
        `${base}.stdout.jsonl`,
        '--stderr',
        `${base}.stderr.log`,
      );
      assert.equal(code, 0);
      assert.deepEqual(
        [json.cli, json.session_id, json.usage.input_tokens, json.outcome, json.permission_matches],
        [cli, expected.summary.sessionId, expected.summary.usage.inputTokens, 'completed', []],
      );
      assert.equal(json.signals.length, expected.signals.length);
      const denied = path.resolve('test/workers/transcripts', cli, 'denied-out-of-scope');
      const { json: denial } = await bed.mission(
        'worker',
        'signals',
        '--cli',
        cli,
        `${denied}.stdout.jsonl`,
        '--stderr',
        `${denied}.stderr.log`,
      );
      assert.ok(
        (denial.signals as { kind: string }[]).some(({ kind }) => kind === 'denial'),
        cli,
      );
      const [match] = denial.permission_matches as { issue_type: string; action: string; path: string; line: number }[];
      assert.ok(match !== undefined && match.line > 0, cli);
      assert.deepEqual(
        [match.issue_type, match.action, match.path],
        {
          claude: ['SANDBOX_ERROR', 'RELAUNCH_WITH_ADD_DIR', '/place/outside/no.txt'],
          codex: ['SANDBOX_ERROR', 'RELAUNCH_WITH_ADD_DIR', '/place/outside/no.txt'],
          gemini: ['DIR_SCOPE_ERROR', 'RELAUNCH_WITH_INCLUDE_DIRECTORIES', '/place/outside/no.txt'],
        }[cli],
      );
      const cut = path.resolve('test/workers/transcripts', cli, 'final-missing.stdout.jsonl');
      assert.equal((await bed.mission('worker', 'signals', '--cli', cli, cut)).json.outcome, 'aborted');
    }
    assert.equal((await bed.mission('worker', 'signals', '--cli', 'claude', 'none')).code, 2);
    assert.equal((await bed.mission('worker', 'signals', '--cli', 'other', 'none')).code, 2);
  });

  it('prints text for people without control characters from files or workers', async () => {
    const plan = bed.plan('esc', [{ script: 'console.error("\\u001b]0;owned\\u0007\\u001b[2Jbad"); process.exit(1)' }]);
    const run = await bed.spawn(process.execPath, [cliFile, 'run', plan]).ended;
    assert.equal(run.code, 3);
    // oxlint-disable-next-line no-control-regex -- that is the point
    assert.doesNotMatch(run.stdout + run.stderr, /[\u0000-\u0008\u000b-\u001f]/);
    assert.match(run.stdout, /next {4}mission retry/);
  });
});
