import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, decision, start, until, type Ended } from './cliBed';

interface Check {
  readonly list: string;
  readonly item: string;
  readonly result: string;
  readonly code: string | null;
}
interface Entry {
  readonly run_id: string;
  readonly actor: { readonly name: string };
  readonly event: {
    readonly type: string;
    readonly task_id?: string;
    readonly from?: string;
    readonly to?: string;
    readonly code?: string | null;
    readonly reason?: string;
    readonly outcome?: string;
    readonly why?: string;
    readonly decision?: { readonly actor: { readonly name: string }; readonly reason: string };
  };
}

const writes = (name: string): string => `${start}fs.writeFileSync('docs/out/${name}.txt', '${name}\\n');`;
const failing = `${start}if (!fs.existsSync('tools/fixed')) { fs.writeFileSync('docs/out/part.txt', 'p'); process.exit(7); } fs.writeFileSync('docs/out/b.txt', 'b\\n');`;

/** Handoffs through `dist/cli.js`, between folders that share nothing but the repository. */
describe('mission handoff', () => {
  let bed: CliBed;
  let plan: string;
  beforeEach(() => {
    bed = new CliBed();
    plan = bed.plan(
      'run',
      [{ script: writes('a') }, { script: failing, depends_on: ['T1'] }, { script: writes('c'), depends_on: ['T2'] }],
      {},
      { success_criteria: ['validator_passes', 'no_scope_violation', 'deterministic_execution'] },
    );
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
  });
  afterEach(() => bed.dispose());

  const at = (name: string): string => path.join(bed.scratch, name);
  const clone = (name: string): string => {
    bed.git('clone', '-q', '.', at(name));
    return at(name);
  };
  const inFolder = (folder: string, ...args: string[]): Promise<Ended> => bed.mission(...args, '--workspace', folder);
  const resume = (folder: string, handoff: string, ...args: string[]): Promise<Ended> =>
    inFolder(folder, 'handoff', 'resume', handoff, ...args);
  const checks = (ended: Ended): readonly Check[] => (ended.json as unknown as { checks: readonly Check[] }).checks;
  const failedCodes = (ended: Ended): readonly (string | null)[] =>
    checks(ended).flatMap((check) => (check.result === 'failed' ? [check.code] : []));
  const handoffs = (folder: string): readonly string[] => {
    const missions = path.join(folder, '.mission-control/missions');
    const [mission = ''] = readdirSync(missions);
    const place = path.join(missions, mission, 'handoff');
    return existsSync(place) ? readdirSync(place).map((n) => path.join(place, n)) : [];
  };
  const journal = async (folder: string, mission: string): Promise<readonly Entry[]> => {
    const file = path.join(bed.scratch, `journal-${path.basename(folder)}.jsonl`);
    rmSync(file, { force: true });
    const exported = bed.spawn(process.execPath, [
      path.resolve('dist/cli.js'),
      ...['journal', 'export', mission, '--workspace', folder],
    ]);
    const { stdout } = await exported.ended;
    return stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Entry);
  };
  const story = (entries: readonly Entry[]): { transitions: unknown[]; decisions: unknown[] } => ({
    transitions: entries.flatMap(({ event }) =>
      event.type === 'RowTransitioned' ? [[event.task_id, event.from, event.to, event.code, event.reason]] : [],
    ),
    decisions: entries.flatMap(({ event }) =>
      event.type === 'PacketResolved' ? [[event.outcome, event.decision?.actor.name, event.decision?.reason]] : [],
    ),
  });
  /** Runs to the block of T2. */
  const block = async (): Promise<string> => {
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 3, run.stderr);
    return run.json.mission_id;
  };

  it('writes one handoff for a block and one for a pause, each file with its digest', async () => {
    await block();
    const [first, ...more] = handoffs(bed.root);
    assert.equal(more.length, 0);
    execFileSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: first });
    assert.deepEqual(readdirSync(first!).sort(), [
      ...['PLAN.locked.json', 'SHA256SUMS', 'TASK_T1.json', 'TASK_T2.json', 'bundle.json', 'changes.diff'],
      ...['contracts.md', 'error-codes.md', 'journal.jsonl', 'role.md'],
    ]);
    assert.equal((await bed.mission('check', 'handoff', path.join(first!, 'bundle.json'))).code, 0);

    const other = bed.plan('pauses', [{ script: `${start}${bed.waitAt('gate')}` }, { script: writes('d') }]);
    await bed.mission('cancel', 'run', ...decision);
    const running = bed.start('run', other);
    await bed.waitsAt('gate');
    const paused = await bed.mission('pause', 'pauses', ...decision);
    assert.equal(paused.code, 0, paused.stderr);
    bed.open('gate');
    const ended = await running.ended;
    assert.deepEqual([ended.code, ended.json.status], [3, 'paused']);
    const entries = await journal(bed.root, ended.json.mission_id);
    assert.deepEqual(
      entries.flatMap(({ event }) => (event.type === 'HandoffRequested' ? [event.why] : [])),
      ['paused'],
    );
    assert.equal(entries.filter(({ event }) => event.type === 'HandoffWritten').length, 1);
  });

  it('completes in another clone with the same statuses, transitions and decisions', async () => {
    const mission = await block();
    const out = at('bundle');
    const exported = await bed.mission('handoff', 'export', 'run', '--out', out);
    assert.equal(exported.code, 0, exported.stderr);
    const there = clone('there');
    const resumed = await resume(there, out, ...decision, '--apply-diff');
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
    assert.ok(checks(resumed).every(({ result }) => result === 'passed'));
    assert.equal(checks(resumed).length, 10);
    assert.deepEqual(
      resumed.json.mission.tasks.map(({ status }) => status),
      ['done', 'blocked', 'todo'],
    );
    const [packet] = resumed.json.mission.packets;
    assert.equal(packet?.category, 'child_exit_nonzero');
    // The worker ended in the source, so this packet claims no exit code of its own.
    const checked = await bed.mission('check', 'recovery-packet', path.join(there, packet.path));
    assert.equal(checked.code, 0, checked.stdout);
    const twin = readFileSync(path.join(there, packet.path.replace(/json$/, 'md')), 'utf8');
    assert.match(twin, /The worker exited with 7\./);
    assert.match(twin, /No exit code of the worker is recorded here\./);
    for (const folder of [bed.root, there]) {
      mkdirSync(path.join(folder, 'tools'), { recursive: true });
      writeFileSync(path.join(folder, 'tools/fixed'), '');
      const retried = await inFolder(folder, 'retry', 'run', 'T2', ...decision);
      assert.equal(retried.code, 0, retried.stderr);
      assert.equal(retried.json.mission.status, 'completed');
      assert.deepEqual(
        retried.json.mission.tasks.map(({ status, attempts }) => [status, attempts]),
        [
          ['done', 1],
          ['done', 2],
          ['done', 1],
        ],
      );
      const verified = await inFolder(folder, 'evidence', 'verify', 'run');
      assert.deepEqual([verified.code, verified.json], [0, { valid: true, findings: [] }]);
    }
    const [here, elsewhere] = [await journal(bed.root, mission), await journal(there, mission)];
    assert.deepEqual(story(elsewhere), story(here));
    assert.equal(elsewhere[0]?.run_id, here[0]?.run_id);
    assert.equal((await inFolder(there, 'journal', 'verify', mission)).code, 0);
    const header = JSON.parse(
      readFileSync(path.join(there, 'docs/ops/executions/run/EXECUTION_HEADER.json'), 'utf8'),
    ) as { resumed_from: { mission_id: string; decision: { actor: { name: string } }; moved: boolean } };
    assert.equal(header.resumed_from.mission_id, mission);
    assert.deepEqual([header.resumed_from.decision.actor.name, header.resumed_from.moved], ['Grace', false]);
    const attempts = (folder: string): unknown =>
      (
        JSON.parse(readFileSync(path.join(folder, 'docs/ops/executions/run/TASK_T2.json'), 'utf8')) as {
          attempts: { decided_by: { actor: { name: string } } | null }[];
        }
      ).attempts.map(({ decided_by }) => decided_by?.actor.name ?? null);
    assert.deepEqual(attempts(there), [null, 'Grace']);
    assert.match(
      readFileSync(path.join(there, 'docs/ops/executions/run/EXECUTION_SUMMARY.md'), 'utf8'),
      /Resumed from handoff/,
    );
    const again = await resume(there, out, ...decision);
    assert.deepEqual([again.code, again.json.code], [2, 'MISSION_CLOSED']);
  });

  it('ends a moved run at the source, and lets it come back', async () => {
    const mission = await block();
    const out = at('moved');
    const unnamed = await bed.mission('handoff', 'export', 'run', '--move');
    assert.equal(unnamed.code, 2);
    const moved = await bed.mission('handoff', 'export', 'run', '--move', '--out', out, ...decision);
    assert.equal(moved.code, 0, moved.stderr);
    const list = await bed.mission('list');
    assert.equal(list.json.missions[0]?.status, 'cancelled');
    const header = bed.json('docs/ops/executions/run/EXECUTION_HEADER.json');
    assert.deepEqual([header.code, header.outcome], ['MOVED', 'FAILED']);
    const given =
      /^Grace gave mission \S+ of plan run away at [\d-]+ [\d:]+ UTC with handoff 2 \(bundle [0-9A-F]{8}\): \S.*\.$/;
    assert.match(header.reason, given);
    assert.equal((await bed.mission('evidence', 'verify', 'run')).code, 0);
    for (const verb of [
      ['resume', 'run'],
      ['retry', 'run', 'T2'],
      ['handoff', 'export', 'run'],
    ]) {
      const refused = await bed.mission(...verb, ...decision);
      assert.deepEqual([refused.code, refused.json.code], [2, 'MISSION_CLOSED']);
      assert.ok(refused.json.reason.startsWith(header.reason), refused.json.reason);
    }
    const there = clone('there');
    const resumed = await resume(there, out, '--apply-diff');
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
    assert.equal(resumed.json.mission.mission_id, mission);
    const back = at('back');
    assert.equal((await inFolder(there, 'handoff', 'export', 'run', '--move', '--out', back, ...decision)).code, 0);
    bed.write('tools/fixed', '');
    const home = await bed.mission('handoff', 'resume', back);
    assert.equal(home.code, 3, home.stdout + home.stderr);
    assert.notEqual(home.json.mission.mission_id, mission);
    const retried = await bed.mission('retry', home.json.mission.mission_id, 'T2', ...decision);
    assert.equal(retried.json.mission.status, 'completed', retried.stderr);
    const verified = await bed.mission('evidence', 'verify', 'run');
    assert.deepEqual([verified.code, verified.json.findings], [0, []]);
  });

  it('says what is done in the place that takes the run, without a folder of this machine', async () => {
    const mission = await block();
    const out = at('moved');
    const words = ['handoff', 'export', mission, '--move', '--out', out, ...decision];
    const { code, stdout, stderr } = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), ...words]).ended;
    assert.equal(code, 0, stderr);
    const steps = stdout.split('\n').slice(stdout.split('\n').findIndex((line) => line.includes('  next')));
    assert.match(steps.join('\n'), /copy this folder, bundle\.json and all beside it/);
    assert.match(steps.join('\n'), /^ {2}then, in that place: mission handoff resume DIR$/m);
    for (const line of steps) assert.ok(!line.includes(bed.scratch), line);
  });

  it('shows in another clone what the tasks changed that were done before', async () => {
    bed.write('docs/out/a.txt', 'as committed\n');
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'more');
    await block();
    const out = at('bundle');
    assert.equal((await bed.mission('handoff', 'export', 'run', '--out', out)).code, 0);
    const there = clone('there');
    assert.equal((await resume(there, out, ...decision, '--apply-diff')).code, 3);
    const shown = await inFolder(there, 'diff', 'run', 'T1');
    assert.equal(shown.code, 0, shown.stderr);
    const { files, notes } = shown.json as unknown as {
      readonly files: readonly { readonly path: string; readonly tasks: string[]; readonly patch: string | null }[];
      readonly notes: readonly string[];
    };
    assert.deepEqual(
      files.map(({ path: file, tasks }) => [file, tasks]),
      [['docs/out/a.txt', ['T1']]],
    );
    assert.match(files[0]?.patch ?? '', /^-as committed\n\+a$/m);
    assert.match(notes.join(), /^T1 ran before the handoff\./);
  });

  it('says that another clone resumes a handoff of a run that was not given away', async () => {
    const mission = await block();
    const words = ['handoff', 'export', mission];
    const { code, stdout, stderr } = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), ...words]).ended;
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^ {2}next, in another clone: mission handoff resume .* --by NAME --reason TEXT$/m);
  });

  it('refuses what is incomplete, changed, of an unknown version, or not in this tree', async () => {
    await block();
    const [source = ''] = handoffs(bed.root);
    const there = clone('there');
    const broken = (name: string, change: (folder: string) => void): string => {
      const folder = at(name);
      cpSync(source, folder, { recursive: true });
      change(folder);
      return folder;
    };
    const edit = (folder: string, name: string, to: (text: string) => string): void =>
      writeFileSync(path.join(folder, name), to(readFileSync(path.join(folder, name), 'utf8')));
    const refused = async (code: string, folder: string, ...args: string[]): Promise<Ended> => {
      const ended = await resume(there, folder, ...args);
      assert.deepEqual([ended.code, ended.json.code], [2, code], ended.stdout);
      assert.ok(failedCodes(ended).length === 0 || failedCodes(ended).includes(code));
      assert.equal(existsSync(path.join(there, 'docs/ops')), false);
      return ended;
    };
    const nowhere = (await refused('MISSING_REQUIRED_INPUT', at('nowhere'), ...decision)).json;
    assert.equal(nowhere.reason, `There is no bundle.json in ${at('nowhere')}.`);
    assert.match(nowhere.next[0] ?? '', /^Check the path of the folder\./);
    const good = broken('good', () => undefined);
    const copied = await refused('HUMAN_ONLY', good);
    assert.match(copied.json.reason, /because this handoff did not give it away\. Only a person takes it over here\.$/);
    await refused('HUMAN_ONLY', good, '--by', 'Grace');
    const names = [
      'bundle.json',
      'contracts.md',
      'error-codes.md',
      'role.md',
      'PLAN.locked.json',
      'SHA256SUMS',
      'TASK_T1.json',
    ];
    for (const name of names)
      await refused(
        'MISSING_REQUIRED_INPUT',
        broken(`without-${name}`, (folder) => rmSync(path.join(folder, name))),
        ...decision,
      );
    for (const name of names.filter((candidate) => candidate !== 'SHA256SUMS'))
      await refused(
        'UNTRUSTED_CONTEXT_BLOCK',
        broken(`changed-${name}`, (folder) => edit(folder, name, (text) => `${text} `)),
        ...decision,
      );
    await refused(
      'UNKNOWN_SCHEMA_VERSION',
      broken('version', (folder) => edit(folder, 'bundle.json', (text) => text.replace('"1.0.0"', '"2.0.0"'))),
      ...decision,
    );
    const tree = await refused('LEDGER_INCONSISTENT', good, ...decision);
    assert.match(tree.json.reason, /docs\/out\/a\.txt/);
    assert.match(tree.stdout, /git apply .*changes\.diff/);
    // The commit is checked out already; one that is not is named.
    assert.ok(!tree.json.next.some((step) => step.startsWith('git checkout')), tree.json.next.join('\n'));
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
        cwd: there,
        encoding: 'utf8',
      });
    const base = git('rev-parse', 'HEAD').trim();
    git('commit', '-q', '--allow-empty', '-m', 'later');
    assert.equal((await refused('LEDGER_INCONSISTENT', good, ...decision)).json.next[0], `git checkout ${base}`);
    git('reset', '-q', '--hard', base);
    // Another content than the one that was left there.
    mkdirSync(path.join(there, 'docs/out'), { recursive: true });
    writeFileSync(path.join(there, 'docs/out/a.txt'), 'other\n');
    await refused('LEDGER_INCONSISTENT', good, ...decision, '--apply-diff');
    assert.equal(readFileSync(path.join(there, 'docs/out/a.txt'), 'utf8'), 'other\n');
    rmSync(path.join(there, 'docs/out'), { recursive: true });
    const planFile = path.join(there, plan);
    const bytes = readFileSync(planFile);
    writeFileSync(planFile, `${bytes.toString()}\n`);
    await refused('PLAN_HASH_MISMATCH', good, ...decision);
    rmSync(planFile);
    await refused('MISSING_REQUIRED_INPUT', good, ...decision);
    writeFileSync(planFile, bytes);
    // The advice, followed to the letter.
    execFileSync('git', ['apply', path.join(good, 'changes.diff')], { cwd: there });
    const resumed = await resume(there, good, ...decision);
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
    const open = await resume(there, good, ...decision);
    assert.deepEqual([open.code, open.json.code], [2, 'MISSION_OPEN']);
  });

  it('writes the plan of the handoff where the clone has none, byte for byte, and only when a person asks', async () => {
    await block();
    const [source = ''] = handoffs(bed.root);
    const there = clone('there');
    const file = path.join(there, plan);
    rmSync(path.dirname(file), { recursive: true });
    const lacking = await resume(there, source, ...decision);
    assert.deepEqual([lacking.code, lacking.json.code], [2, 'MISSING_REQUIRED_INPUT'], lacking.stdout);
    assert.match(lacking.json.next[0] ?? '', /^mission handoff resume .* --apply-diff --by NAME --reason TEXT$/);
    // A resume that is refused for another reason leaves no plan behind.
    mkdirSync(path.join(there, 'docs/out'), { recursive: true });
    writeFileSync(path.join(there, 'docs/out/a.txt'), 'other\n');
    const other = await resume(there, source, ...decision, '--apply-diff');
    assert.deepEqual([other.code, other.json.code], [2, 'LEDGER_INCONSISTENT'], other.stdout);
    assert.equal(existsSync(file), false);
    rmSync(path.join(there, 'docs/out'), { recursive: true });

    const words = ['handoff', 'resume', source, ...decision, '--apply-diff', '--workspace', there];
    const resumed = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), ...words]).ended;
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
    assert.match(resumed.stdout, /^The items are quoted from a contract for agents\..*\nSession reset protocol\n/);
    assert.match(resumed.stdout, new RegExp(`^${plan} was written from the handoff$`, 'm'));
    assert.deepEqual(readFileSync(file), readFileSync(path.join(source, 'PLAN.locked.json')));
    writeFileSync(path.join(there, 'tools/fixed'), '');
    const retried = await inFolder(there, 'retry', 'run', 'T2', ...decision);
    assert.deepEqual([retried.code, retried.json.mission.status], [0, 'completed'], retried.stdout);
    assert.equal((await inFolder(there, 'evidence', 'verify', 'run')).code, 0);
  });

  it('exports while a task runs; resumed elsewhere, that task is blocked, and one that needs its paths waits', async () => {
    const slow = bed.plan('slow', [
      { script: writes('a') },
      { script: `${start}${bed.waitAt('gate')} fs.writeFileSync('docs/out/b.txt', 'b');` },
      { script: writes('c'), depends_on: ['T2'] },
      { script: writes('d') },
    ]);
    bed.git('add', 'docs/plans', 'tools');
    bed.git('commit', '-q', '-m', 'slow');
    const running = bed.start('run', slow);
    await bed.waitsAt('gate');
    const moved = await bed.mission('handoff', 'export', 'slow', '--move', ...decision);
    assert.deepEqual([moved.code, moved.json.code], [2, 'MISSION_ACTIVE']);
    const out = at('live');
    const exported = await bed.mission('handoff', 'export', 'slow', '--out', out);
    assert.equal(exported.code, 0, exported.stdout + exported.stderr);
    const there = clone('there');
    const resumed = await resume(there, out, ...decision, '--apply-diff');
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
    assert.deepEqual(
      resumed.json.mission.tasks.map(({ status }) => status),
      ['done', 'blocked', 'todo', 'todo'],
    );
    assert.equal(resumed.json.mission.packets[0]?.category, 'awaiting_user');
    assert.equal((await inFolder(there, 'cancel', 'slow', ...decision)).code, 0);
    bed.open('gate');
    const ended = await until(() => running.ended);
    assert.equal(ended.json.status, 'completed');
  });
});
