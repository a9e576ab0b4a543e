import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { callOf, type Argument, type CommandSpec } from '../../src/cli/shell/command';
import { commands } from './everyCommand';
import { CliBed, cliFile, decision, start, until, type Ended } from './cliBed';

interface Refused {
  readonly code: string;
  readonly reason: string;
  readonly next: readonly string[];
}

function needed({ takes = [] }: CommandSpec): readonly Argument[] {
  return takes.filter(({ isOptional }) => !isOptional);
}

/** Takes apart a line that a person copies, as a shell does. */
function shellWords(line: string): readonly string[] {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' });
  return stdout.trimEnd().split('\n');
}

describe('next steps of a refusal', function () {
  this.timeout(300_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const refusal = (ended: Ended, code: string): Refused => {
    const told = ended.json as unknown as Refused;
    assert.equal(told.code, code, ended.stdout);
    return told;
  };
  /** The commands that the steps name, with a person's own words for NAME, TEXT and ID. */
  const commandsOf = (next: readonly string[]): readonly (readonly string[])[] =>
    next.flatMap((step) => {
      const command = /^(?:Or: )?mission (.+)$/.exec(step)?.[1];
      if (command === undefined) return [];
      assert.doesNotMatch(command, /\b(?:FILE|DIR|PLAN|MISSION)\b/, step);
      return [shellWords(command).map((word) => ({ NAME: 'Ada', TEXT: 'why', ID: 'T1' })[word] ?? word)];
    });
  const follow = async (next: readonly string[]): Promise<readonly Ended[]> => {
    const commands = commandsOf(next);
    assert.ok(commands.length > 0, next.join('\n'));
    const ended: Ended[] = [];
    for (const words of commands) {
      const yes = words.includes('approve') ? ['--yes'] : [];
      // A person of a fleet has its database; none answers there.
      const database =
        words[0] === 'fleet' && !words.includes('--help') ? ['--database', 'postgres://127.0.0.1:1/fleet'] : [];
      ended.push(await bed.mission(...words, ...yes, ...database));
      assert.notEqual(ended.at(-1)?.code, 2, `mission ${words.join(' ')}: ${ended.at(-1)?.stdout}`);
    }
    return ended;
  };

  it('of a plan that is not valid: validation says the same, also with another default worker', async () => {
    const plan = bed.plan('wanting', [{ script: start, worker: undefined, command: undefined }]);
    const told = refusal(await bed.mission('run', plan, '--worker', 'command'), 'PLAN_INVALID');
    const [validated] = await follow(told.next);
    assert.deepEqual([validated?.code, validated?.json.valid], [1, false]);
    assert.match(validated?.stdout ?? '', /COMMAND_MISSING/);
  });

  it('of a plan that lacks only its approval: it is approved where it lies', async () => {
    const plan = bed.plan(
      'lacking',
      [{ script: `${start}fs.writeFileSync('docs/out/a', 'a');` }],
      {},
      { status: 'DRAFT' },
    );
    const told = refusal(await bed.mission('run', plan), 'PLAN_INVALID');
    assert.deepEqual(told.next, [`mission plan approve ${plan} --by NAME`]);
    assert.match(told.reason, /^The plan has 1 error: status must be exactly APPROVED;/);
    await follow(told.next);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 0, run.stdout);
  });

  it('of a plan without a record of its approval: it is approved where it lies', async () => {
    const plan = bed.plan('unrecorded', [{ script: `${start}fs.writeFileSync('docs/out/a', 'a');` }]);
    const told = refusal(await bed.mission('run', plan, '--require-approval-record'), 'APPROVAL_RECORD_REQUIRED');
    await follow(told.next);
    const run = await bed.mission('run', plan, '--require-approval-record');
    assert.equal(run.code, 0, run.stdout);
  });

  it('of orch: a task before the start, and a start after the start', async () => {
    const plan = bed.plan('orch', [{ script: start }]);
    const early = await bed.mission('orch', 'task', '--plan', plan, '--task', 'T1', '--phase', 'START');
    await follow(refusal(early, 'EVIDENCE_MISSING').next);
    await follow(refusal(await bed.mission('orch', 'start', '--plan', plan), 'MISSION_OPEN').next);
  });

  it('of a word that is no command or option: the nearest one has help', async () => {
    for (const [words, near] of [
      [['stauts'], 'status'],
      [['plan', 'validat'], 'plan validate'],
      [['evidence', 'verfy', 'x'], 'evidence verify'],
      [['resmue', 'm'], 'resume'],
    ] as const) {
      const ended = await bed.mission(...words);
      const told = refusal(ended, 'USAGE');
      assert.equal(ended.code, 2);
      assert.ok(told.reason.includes(`Did you mean "${near}"?`), told.reason);
      const [help] = await follow(told.next);
      assert.equal(help?.code, 0);
    }
    const option = refusal(await bed.mission('list', '--worksapce', 'x'), 'USAGE');
    assert.match(option.reason, /did you mean --workspace\?/);
  });

  it('of a word that only begins commands: the words that may follow are named, and all of them have help', async () => {
    const begin = new Set(commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])));
    assert.ok(begin.has('plan') && begin.has('evidence') && begin.size > 6, [...begin].join(' '));
    for (const word of begin) {
      const ended = await bed.mission(word);
      assert.equal(ended.code, 2, word);
      const { reason, next } = refusal(ended, 'USAGE');
      const group = commands.filter(({ name }) => name.startsWith(`${word} `));
      for (const { name } of group) assert.ok(reason.includes(name.slice(word.length + 1)), `${name}: ${reason}`);
      assert.deepEqual(next, [`mission ${word} --help`]);
      const [help] = await follow(next);
      assert.deepEqual(
        help?.json.commands.map(({ name }) => name),
        group.map(({ name }) => name),
      );
    }
    const { reason } = refusal(await bed.mission('evidence'), 'USAGE');
    assert.equal(reason, 'mission evidence lacks a word: write mission evidence verify PLAN_ID.');
  });

  it('of a call without an argument name it, the whole form and where to look it up', async () => {
    const wanting = commands.filter((spec) => needed(spec).length > 0);
    assert.ok(wanting.length > 20, String(wanting.length));
    for (const spec of wanting)
      for (const [given, argument] of needed(spec).entries()) {
        const { name, needs = [] } = spec;
        const call = callOf(spec);
        assert.ok(
          call.split(/[ |]/).some((word) => word.replace('...', '') === argument.name),
          call,
        );
        const ended = await bed.mission(...name.split(' '), ...Array.from({ length: given }, () => 'x'));
        assert.equal(ended.code, 2, name);
        const { reason, next } = refusal(ended, 'USAGE');
        assert.ok(reason.startsWith(`${argument.name} is missing: ${argument.is}. Write ${call}`), reason);
        for (const option of needs) assert.ok(reason.includes(`--${option} `), reason);
        assert.deepEqual(next, [...(argument.step === undefined ? [] : [argument.step]), `mission ${name} --help`]);
        await follow(next);
      }
    const pause = refusal(await bed.mission('pause'), 'USAGE');
    assert.deepEqual(
      [pause.reason, ...pause.next],
      [
        'MISSION is missing: the id of a mission, or of its plan. Write mission pause MISSION --by NAME --reason TEXT.',
        'mission list',
        'mission pause --help',
      ],
    );
    // A clone has evidence and no journal, so a list of missions names no plan there.
    const verify = refusal(await bed.mission('evidence', 'verify'), 'USAGE');
    assert.match(verify.next[0] ?? '', /docs\/ops\/executions/);
    const resolve = await bed.spawn(process.execPath, [cliFile, 'packet', 'resolve', '--help']).ended;
    assert.equal(resolve.stdout.split('retry-repair').length, 2, 'each outcome is listed once');
  });

  it('of a call without a required option: the option is named, with what it can be', async () => {
    const wanting = commands.filter(({ needs = [] }) => needs.length > 0);
    assert.ok(wanting.length > 15, String(wanting.length));
    for (const spec of wanting) {
      const { name, needs = [] } = spec;
      const ended = await bed.mission(...name.split(' '), ...needed(spec).map(() => 'x'));
      const { reason, next } = refusal(ended, 'USAGE');
      assert.match(
        reason,
        new RegExp(`^--${needs[0]} \\S+ is missing \\(.+\\)\\. Write mission ${name} .*--${needs[0]} `),
        name,
      );
      assert.deepEqual(next, [`mission ${name} --help`]);
    }
    const resolve = refusal(await bed.mission('packet', 'resolve', 'x'), 'USAGE');
    assert.match(resolve.reason, /\(what happens now: resume, ask-user, /);
  });

  it('a malformed id is a mistake of the call, wherever one is taken', async () => {
    const takers = commands.filter(({ takes = [] }) => takes.some(({ isId }) => isId));
    assert.ok(takers.length > 12, String(takers.length));
    for (const spec of takers) {
      const { name, needs = [] } = spec;
      const ids = Array.from({ length: Math.max(1, needed(spec).length) }, () => '../x');
      const options = needs.flatMap((option) => [`--${option}`, option === 'outcome' ? 'retry-repair' : 'why']);
      const ended = await bed.mission(...name.split(' '), ...ids, ...options);
      assert.equal(ended.code, 2, name);
      assert.match(refusal(ended, 'USAGE').reason, /is no id/, name);
    }
    assert.equal((await bed.mission('evidence', 'verify', '../x')).code, 2);
    assert.equal(bed.exists('.mission-control'), false);
  });

  const failing = `${start}if (!fs.existsSync('docs/go')) process.exit(7); fs.writeFileSync('docs/out/a', 'a');`;
  /** A mission whose only task is blocked. */
  const blocked = async (planId: string): Promise<Ended> => {
    const ended = await bed.mission('run', bed.plan(planId, [{ script: failing }]));
    assert.equal(ended.code, 3, ended.stderr);
    return ended;
  };

  it('of a blocked task: run, resume, pause, stop, packets and outcomes lead on', async () => {
    const { json } = await blocked('stuck');
    const mission = json.mission_id;
    const packet = json.packets[0]?.packet_id ?? '';
    await follow(refusal(await bed.mission('stop', mission, 'T1', ...decision), 'TASK_NOT_RUNNING').next);
    await follow(refusal(await bed.mission('retry', mission, 'T9', ...decision), 'TASK_UNKNOWN').next);
    await follow(refusal(await bed.mission('packet', 'show', 'nobody'), 'PACKET_UNKNOWN').next);
    await follow(refusal(await bed.mission('accept', mission, 'T1', 'x', ...decision), 'CHANGE_UNKNOWN').next);
    const resolve = (id: string, outcome: string): Promise<Ended> =>
      bed.mission('packet', 'resolve', id, '--outcome', outcome, ...decision);
    const unavailable = refusal(await resolve(packet, 'resume'), 'OUTCOME_UNAVAILABLE');
    assert.equal(unavailable.next.length, 2);
    // Each is possible; the one that leaves the packet answerable comes first.
    assert.deepEqual(
      (await follow([...unavailable.next].reverse())).map(({ code }) => code),
      [0, 3],
    );
    const { missions } = (await bed.mission('status', mission)).json;
    const [block] = (missions[0] as unknown as { blocks: readonly { packet_id: string }[] }).blocks;
    const next = block?.packet_id ?? '';
    assert.equal((await resolve(next, 'leave-blocked')).code, 0);
    await follow(refusal(await resolve(next, 'leave-blocked'), 'PACKET_CLOSED').next);
    const open = refusal(await bed.mission('resume', mission, ...decision), 'PACKET_OPEN');
    assert.equal((await bed.mission('pause', mission, ...decision)).code, 0);
    assert.deepEqual(refusal(await bed.mission('pause', mission, ...decision), 'ALREADY_PAUSED').next, open.next);
    const started = refusal(await bed.mission('run', 'docs/plans/PLAN_stuck.json'), 'MISSION_OPEN');
    assert.equal((await follow(started.next)).at(-1)?.code, 0);
  });

  it('of a packet that is not written yet: resumed, or looked at while the owner is at work', async () => {
    const run = bed.start(
      'run',
      bed.plan('unwritten', [{ script: `${start}${bed.waitAt('fails')} process.exit(7);` }]),
    );
    await bed.waitsAt('fails');
    const mission = await bed.missionId();
    const folder = `.mission-control/missions/${mission}`;
    for (const inTheWay of ['recovery-packets', 'moved-aside']) writeFileSync(bed.at(`${folder}/${inTheWay}`), '');
    bed.open('fails');
    const halted = await run.ended;
    assert.equal(halted.code, 4, halted.stdout);
    const packet = (await bed.mission('packet', 'list')).json.packets[0]?.packet_id ?? '';
    const shown = async (): Promise<readonly string[]> =>
      refusal(await bed.mission('packet', 'show', packet), 'PACKET_UNKNOWN').next;
    assert.deepEqual(await shown(), [`mission resume ${mission} --by NAME --reason TEXT`]);
    const other = bed.start('run', bed.plan('beside', [{ script: `${start}${bed.waitAt('gate')}` }]));
    await bed.waitsAt('gate');
    const owned = await shown();
    assert.deepEqual(owned, [`mission status ${mission}`]);
    await follow(owned);
    bed.open('gate');
    assert.equal((await other.ended).code, 0);
    for (const inTheWay of ['recovery-packets', 'moved-aside']) rmSync(bed.at(`${folder}/${inTheWay}`));
    assert.equal((await follow(await shown()))[0]?.code, 3);
    assert.equal((await bed.mission('packet', 'show', packet)).code, 0);
  });

  it('of a mission that has ended: the plan runs again', async () => {
    const plan = bed.plan('over', [{ script: `${start}fs.writeFileSync('docs/out/a', String(process.pid));` }]);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 0, run.stderr);
    const { mission_id } = run.json;
    const steps = refusal(await bed.mission('pause', mission_id, ...decision), 'MISSION_CLOSED').next;
    assert.equal((await follow(steps))[0]?.code, 0);
    await follow(refusal(await bed.mission('acknowledge', mission_id, ...decision), 'NOTHING_TO_ACKNOWLEDGE').next);
    await follow(refusal(await bed.mission('handoff', 'export', mission_id), 'MISSION_CLOSED').next);
    for (const words of [['status'], ['journal', 'verify'], ['packet', 'list'], ['handoff', 'export']])
      await follow(refusal(await bed.mission(...words, 'nobody'), 'MISSION_UNKNOWN').next);
    await follow(refusal(await bed.mission('retry', 'nothing', ...decision), 'TASK_UNKNOWN').next);
    await follow(refusal(await bed.mission('retry', mission_id, ...decision), 'TASK_UNKNOWN').next);
    await follow(refusal(await bed.mission('grant', 'docs', ...decision), 'MISSION_UNKNOWN').next);
    await follow(refusal(await bed.mission('answer', 'docs', '--text', 'x', ...decision), 'MISSION_UNKNOWN').next);
  });

  it('of a handoff: what was not given away is taken over, and what is missing comes from its diff', async () => {
    bed.git('add', '.');
    const plan = bed.plan('given', [{ script: `${start}fs.writeFileSync('docs/out/a', 'a');` }, { script: failing }]);
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
    const there = path.join(bed.scratch, 'there');
    bed.git('clone', '-q', '.', there);
    const { json } = await bed.mission('run', plan);
    const folder = path.join(bed.root, '.mission-control/missions', json.mission_id, 'handoff');
    const [handoff = ''] = readdirSync(folder).map((name) => path.join(folder, name));
    const inClone = async (...words: string[]): Promise<Ended> => bed.mission(...words, '--workspace', there);
    const taken = refusal(await inClone('handoff', 'resume', handoff), 'HUMAN_ONLY');
    const [takeOver = []] = commandsOf(taken.next);
    const missing = refusal(await inClone(...takeOver), 'LEDGER_INCONSISTENT');
    const [fromDiff = []] = commandsOf(missing.next);
    assert.ok(fromDiff.includes('--apply-diff') && fromDiff.includes(handoff), missing.next.join('\n'));
    assert.equal((await inClone(...fromDiff)).code, 3);
    await bed.mission('cancel', 'given', '--workspace', there, ...decision);
  });

  it('of a run that was given away: a copied handoff goes on in another clone, and comes back', async () => {
    const plan = bed.plan('moves', [{ script: `${start}if (!fs.existsSync('docs/go')) process.exit(7);` }]);
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
    const there = path.join(bed.scratch, 'there');
    bed.git('clone', '-q', '.', there);
    const { json } = await bed.mission('run', plan);
    const moved = await bed.mission('handoff', 'export', json.mission_id, '--move', ...decision);
    assert.equal(moved.code, 0, moved.stderr);
    const { next } = refusal(await bed.mission('retry', json.mission_id, 'T1', ...decision), 'MISSION_CLOSED');
    const [folder = ''] = next.flatMap((step) => /copy (\S+) to another clone/.exec(step)?.[1] ?? []);
    const copy = path.join(bed.scratch, 'copy');
    cpSync(bed.at(folder), copy, { recursive: true });
    assert.equal((await bed.mission('handoff', 'resume', copy, '--workspace', there)).code, 3);
    const [back = ''] = next.flatMap((step) => /The command there: (.+)$/.exec(step)?.[1] ?? []);
    const [words = []] = commandsOf([back]);
    const given = await bed.mission(...words, '--workspace', there);
    assert.equal(given.code, 0, given.stdout);
    const { dir } = given.json as unknown as { readonly dir: string };
    assert.equal((await bed.mission('handoff', 'resume', dir)).code, 3);
    await follow(refusal(await bed.mission('run', plan), 'MISSION_OPEN').next);
  });

  it('of a worker CLI: the doctor and a refused run name the option that helps, no setting of VS Code', async () => {
    const plan = bed.plan('agent', [{ worker: 'codex', prompt: 'x' }]);
    const told = refusal(await bed.mission('run', plan), 'WORKER_MISSING');
    const codex = path.join(bed.scratch, 'codex');
    writeFileSync(codex, '#!/bin/sh\necho "codex-cli 0.50.0"\nexit 3\n');
    chmodSync(codex, 0o755);
    const looked = await bed.mission('doctor');
    const check = looked.json.checks.find(({ id }) => id === 'codex');
    for (const step of [told.next[0] ?? '', check?.fix ?? '']) {
      assert.doesNotMatch(step, /missionControl\./);
      const option = /--cli codex=\S+/.exec(step)?.[0].replace(/=\S+/, `=${codex}`).split(' ') ?? [];
      assert.equal(option.length, 2, step);
      assert.notEqual(
        (await bed.mission('doctor', ...option)).json.checks.find(({ id }) => id === 'codex')?.detail,
        check?.detail,
      );
    }
    const option = ['--cli', `codex=${codex}`];
    assert.equal((await bed.mission('run', plan, ...option)).code, 3);
  });

  it('of the doctor: what it says to do, done, is in order', async () => {
    await blocked('ill');
    const state = bed.at('.mission-control');
    const checkOf = async (id: string, ...words: string[]): Promise<Ended['json']['checks'][number] | undefined> =>
      (await bed.mission('doctor', ...words)).json.checks.find((check) => check.id === id);
    chmodSync(state, 0o755);
    const [program = '', ...args] = shellWords((await checkOf('state-folder'))?.fix ?? '');
    assert.equal((await bed.spawn(program, args).ended).code, 0);
    assert.equal((await checkOf('state-folder'))?.ok, true);
    writeFileSync(path.join(state, 'lease.db'), 'not empty');
    assert.match((await checkOf('lease'))?.fix ?? '', /^Delete .*lease\.db/);
    assert.equal((await checkOf('lease', '--repair', '--yes'))?.ok, true);
  });

  it('of a command in a subfolder, and of an owner that runs another mission', async () => {
    const gate = bed.plan('first', [{ script: `${start}${bed.waitAt('gate')}` }]);
    const running = bed.start('run', gate);
    await bed.waitsAt('gate');
    const { mission_id } = (await bed.mission('list')).json.missions[0]!;
    const elsewhere = path.join(bed.root, 'sub');
    mkdirSync(elsewhere);
    const below = bed.spawn(process.execPath, [path.resolve('dist/cli.js'), 'list', '--json'], { cwd: elsewhere });
    await follow(refusal(await below.ended, 'WORKSPACE_ABOVE').next);
    const other = bed.plan('second', [{ script: start }]);
    assert.ok(refusal(await bed.mission('run', other), 'LEASE_HELD').next.length > 0);
    const moving = await bed.mission('handoff', 'export', mission_id, '--move', ...decision);
    const steps = refusal(moving, 'MISSION_ACTIVE').next;
    await follow(steps);
    bed.open('gate');
    await running.ended;
    await until(async () => (await bed.mission('list')).json.missions[0]?.live === null);
  });

  it('of a file that is not there: no word of the system, and the file by name', async () => {
    const ended = await bed.mission('journal', 'verify', '--file', 'nowhere.jsonl');
    const told = refusal(ended, 'FILE_UNREADABLE');
    assert.match(told.reason, /nowhere\.jsonl/);
    assert.doesNotMatch(told.reason, /ENOENT|open '/);
  });

  it('of a new plan: each command says the next one', async () => {
    const texts = async (...words: string[]): Promise<readonly string[]> => {
      const { stdout, code, stderr } = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), ...words]).ended;
      assert.equal(code, 0, stderr);
      return [...stdout.matchAll(/next: .*?(mission .+)/g)].map(([, step = '']) => step);
    };
    const approve = commandsOf(await texts('plan', 'new', 'fresh', '--from', 'command'))[0] ?? [];
    const run = commandsOf(await texts(...approve, '--yes'))[0] ?? [];
    assert.notEqual((await bed.mission(...run)).code, 2);
  });
});
