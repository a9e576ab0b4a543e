import assert from 'node:assert/strict';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { sha256Of } from '../../src/adapters/files/bytes/sha256';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { AgentBed } from './agentBed';
import { cliFile, decision, type Ended } from './cliBed';

const sound = readFileSync('test/fixtures/ai-project/sound.json', 'utf8');

const packet = JSON.parse(readFileSync('test/fixtures/fresh-context/result/sound.json', 'utf8')) as object;

const store = {
  domain: 'architecture',
  key: 'store',
  decision: 'files, no database',
  rationale: 'git shows every change',
};
const cloud = {
  domain: 'constraints',
  key: 'no-cloud',
  decision: 'nothing leaves the machine',
  rationale: 'the customers say so',
};

/** Whole missions with a CLI that proposes to remember something: `dist/cli.js` as real processes, each another owner. */
describe('mission memory', function () {
  this.timeout(180_000);
  let bed: AgentBed;
  beforeEach(() => {
    bed = new AgentBed([]);
    bed.write('ai.project.json', sound);
    bed.git('add', '.');
    bed.git('commit', '-qm', 'a project');
  });
  afterEach(() => bed.dispose());

  const proposes = (...entries: readonly unknown[]): void =>
    bed.speaks(`
      fs.mkdirSync('docs/out', { recursive: true });
      fs.writeFileSync('docs/out/prompt.txt', prompt);
      x_memory = JSON.parse(${JSON.stringify(JSON.stringify(entries))});
      end('done', 'docs/out/prompt.txt');`);
  const plan = (name: string, intent = 'architecture'): string =>
    bed.plan(name, [{ worker: 'claude', type: 'work', prompt: 'Choose a store.', intent }], {
      confinement: 'off',
      delegation: { claude_code: true, constraints: [] },
    });
  const waiting = async (name: string): Promise<string> => {
    const { code, json, stdout, stderr } = await bed.withClaude('run', plan(name));
    assert.deepEqual([code, json.status, json.packets.length], [3, 'paused', 0], `${stdout}\n${stderr}`);
    return json.mission_id;
  };
  const confirm = (id: string, ...options: readonly string[]): Promise<Ended> =>
    bed.withClaude('memory', 'confirm', id, '--task', 'T1', ...options, '--by', 'Grace', '--reason', 'we agreed on it');
  const attemptOf = (name: string): NonNullable<TaskEvidence['attempts']>[number] =>
    (JSON.parse(bed.read(`docs/ops/executions/${name}/TASK_T1.json`)) as TaskEvidence).attempts!.at(-1)!;
  const files = (): readonly string[] =>
    bed.exists('.mission-control/memory') ? readdirSync(bed.at('.mission-control/memory')) : [];
  const records = (): readonly Record<string, unknown>[] =>
    files().map((name) => JSON.parse(bed.read(`.mission-control/memory/${name}`)) as Record<string, unknown>);
  const remove = (relative: string): void => rmSync(bed.at(relative), { recursive: true, force: true });
  const pointsReached = (): readonly string[] => readFileSync(bed.pointsFile, 'utf8').trim().split('\n');
  const text = async (...args: readonly string[]): Promise<string> =>
    (await bed.spawn(process.execPath, [cliFile, ...args]).ended).stdout;
  const saved = async (name: string, ...entries: readonly unknown[]): Promise<string> => {
    proposes(...entries);
    const id = await waiting(name);
    const done = await confirm(id, '--keep-all');
    assert.deepEqual([done.code, done.json.mission.status], [0, 'completed'], done.stdout + done.stderr);
    return id;
  };

  it('waits for a person after the seal, shows what is proposed, and gives the next task what is kept', async () => {
    proposes(store, cloud);
    const id = await waiting('first');
    const shown = await text('status', id);
    assert.match(shown, /needs you \(ASK_USER\): Task T1 is verified and waits for a person/);
    assert.match(shown, /architecture\/store and constraints\/no-cloud/);
    assert.ok(shown.includes(`next: mission memory confirm ${id} --task T1 --keep-all --by NAME --reason TEXT`), shown);
    assert.ok(!shown.includes('interrupted') && !shown.includes('last progress'), shown);
    assert.deepEqual(files(), []);

    const done = await confirm(id, '--keep', 'store');
    assert.deepEqual([done.code, done.json.mission.status], [0, 'completed'], done.stdout + done.stderr);
    assert.equal(bed.launches().length, 1, 'the worker is not launched again');
    const { memory, seal, context } = attemptOf('first');
    assert.ok(memory);
    assert.deepEqual(
      memory.entries.map(({ name, outcome, version }) => [name, outcome, version]),
      [
        ['architecture/store', 'saved', 1],
        ['constraints/no-cloud', 'discarded', null],
      ],
    );
    assert.deepEqual([memory.decision?.actor.name, memory.decision?.reason], ['Grace', 'we agreed on it']);
    assert.equal(context?.memory?.entries, 0, 'an empty memory is an empty recorded snapshot');
    assert.deepEqual(files(), ['000001.json']);
    const [record] = records();
    assert.deepEqual(
      [
        record?.['decision'],
        record?.['version'],
        record?.['seal_sha256'],
        record?.['confirmed_by'],
        record?.['mission_id'],
      ],
      [store.decision, 1, seal?.sha256, 'Grace', id],
    );
    assert.equal(sha256Of(readFileSync(bed.at('.mission-control/memory/000001.json'))), memory.entries[0]?.sha256);
    const ninth = (await bed.events(id)).find((event) => event.type === 'PhaseCompleted' && event.phase === 9);
    assert.ok(ninth?.type === 'PhaseCompleted');
    assert.deepEqual(
      [ninth.outcome, ninth.note, ninth.checks?.passed],
      [
        'PASS',
        'architecture/store saved as version 1, 1 discarded; a person was asked: Grace',
        ['no_transcript', 'one_value_for_a_key'],
      ],
    );
    assert.match(bed.read('docs/ops/executions/first/EXECUTION_SUMMARY.md'), /1 of 2 saved by Grace/);
    for (const check of [
      ['evidence', 'verify', 'first'],
      ['audit', 'verify', id],
      ['memory', 'verify'],
    ]) {
      const { code, stdout } = await bed.mission(...check);
      assert.equal(code, 0, stdout);
    }
    assert.match(await text('memory', 'list'), /architecture\/store version 1: files, no database/);
    assert.match(await text('memory', 'show', 'store'), /because: git shows every change[^]*confirmed by Grace/);

    proposes(store);
    const again = await bed.withClaude('run', plan('second'));
    assert.equal(again.code, 0, `what is known is asked of nobody: ${again.stdout}${again.stderr}`);
    assert.deepEqual(
      attemptOf('second').memory?.entries.map(({ outcome }) => outcome),
      ['known'],
    );
    const prompt = bed.read('docs/out/prompt.txt');
    const given = /<project_memory>\n([^]*?)\n<\/project_memory>/.exec(prompt)?.[1] ?? assert.fail(prompt);
    assert.deepEqual(
      (JSON.parse(given) as { key: string; decision: string }[]).map(({ key, decision: said }) => [key, said]),
      [['store', store.decision]],
    );
    assert.match(prompt, /x_memory: decisions and constraints/);
    const { kept, memory: restored } = attemptOf('second').context!;
    assert.equal(restored?.entries, 1);
    const snapshot = JSON.parse(bed.read(kept)) as { restore: { untrusted: boolean; entries: unknown[] } };
    assert.deepEqual([snapshot.restore.untrusted, snapshot.restore.entries.length], [true, 1]);
  });

  it('another value is a conflict: both are shown, keeping it unsaid is refused, and a person says which counts', async () => {
    await saved('first', store);
    proposes({ ...store, decision: 'a database' }, cloud);
    const id = await waiting('second');
    const shown = await text('status', id);
    assert.match(
      shown,
      /architecture\/store contradicts what is remembered: version 1 says "files, no database", proposed is "a database"/,
    );
    const refused = await confirm(id, '--keep-all');
    assert.deepEqual([refused.code, refused.json.code], [2, 'MEMORY_CONFLICT'], refused.stdout);
    assert.ok(
      refused.json.next.some((step) => step.includes('--keep-all --replace architecture/store')),
      refused.stdout,
    );
    const unsaid = await confirm(id, '--keep', 'no-cloud');
    assert.deepEqual([unsaid.code, unsaid.json.code], [2, 'MEMORY_UNDECIDED'], unsaid.stdout);
    assert.match(unsaid.json.reason, /^architecture\/store is not decided\./);
    const looked = await confirm(id);
    assert.deepEqual([looked.code, looked.json.code], [2, 'MEMORY_UNDECIDED'], looked.stdout);
    assert.deepEqual(looked.json.next, refused.json.next, 'whole commands');
    const resumed = await bed.withClaude('resume', id, ...decision);
    assert.deepEqual([resumed.code, resumed.json.code], [2, 'PACKET_OPEN'], resumed.stdout);
    const replaced = await confirm(id, '--keep-all', '--replace', 'store');
    assert.equal(replaced.code, 0, replaced.stdout + replaced.stderr);
    assert.deepEqual(
      records().map(({ key, version, supersedes, decision: said }) => [key, version, supersedes, said]),
      [
        ['store', 1, null, 'files, no database'],
        ['store', 2, 1, 'a database'],
        ['no-cloud', 1, null, 'nothing leaves the machine'],
      ],
    );
    assert.equal((await bed.mission('memory', 'verify')).code, 0);
  });

  it('can be stopped, judged once more without its worker, handed over as a copy, and canceled; nothing is saved before', async () => {
    proposes(store);
    const id = await waiting('given-up');
    const beside = await bed.withClaude('run', plan('beside'));
    assert.match(beside.json.reason, /waits in this workspace for a person who decides what of T1 is remembered/);
    assert.equal((await bed.mission('handoff', 'export', id, ...decision)).code, 0);
    const moved = await bed.mission('handoff', 'export', id, '--move', ...decision);
    assert.equal(moved.json.code, 'MISSION_ACTIVE', moved.stdout);
    assert.equal((await bed.withClaude('stop', id, 'T1', ...decision)).code, 0);
    const again = await bed.withClaude('rerun-validation', id, 'T1', ...decision);
    assert.equal(again.code, 3, again.stdout);
    assert.equal((await confirm(id, '--keep-all')).code, 0);
    assert.deepEqual([bed.launches().length, files().length], [1, 1]);
    proposes(cloud);
    const other = await waiting('canceled');
    assert.equal((await bed.withClaude('cancel', other, ...decision)).code, 0);
    assert.deepEqual(
      attemptOf('canceled').memory?.entries.map(({ outcome }) => outcome),
      ['undecided'],
    );
    assert.equal(files().length, 1);
    assert.equal((await bed.mission('evidence', 'verify', 'canceled')).code, 0);
  });

  for (const [title, entries, found] of [
    ['a path for a key', [{ ...store, key: '../../../etc/passwd' }], /\/x_memory\/0\/key/],
    ['control characters', [{ ...store, decision: 'a\u001b[2Jb' }], /control or invisible/],
    [
      'prototype members',
      [JSON.parse('{"__proto__":{"a":1},"domain":"architecture","key":"a","decision":"b","rationale":"c"}')],
      /no member/,
    ],
    ['a megabyte', [{ ...store, rationale: 'x'.repeat(1024 * 1024) }], /at most 4000 characters/],
    ['a domain of its own', [{ ...store, domain: 'secrets' }], /must be one of/],
    ['more than eight', Array.from({ length: 9 }, (_, index) => ({ ...store, key: `k${index}` })), /at most 8 entries/],
  ] as const) {
    it(`${title} is no valid result packet, here and for mission check`, async () => {
      proposes(...(entries as readonly unknown[]));
      const blocked = await bed.withClaude('run', plan('bad'));
      assert.deepEqual([blocked.code, blocked.json.packets[0]?.category], [3, 'invalid_handoff'], blocked.stdout);
      assert.match(bed.read(blocked.json.packets[0]!.path), found);
      assert.deepEqual(files(), []);
      bed.write('packet.json', JSON.stringify({ ...packet, x_memory: entries }));
      const checked = await bed.mission('check', 'result', 'packet.json');
      assert.equal(checked.code, 1, checked.stdout);
      assert.match(checked.stdout, found);
    });
  }

  it('of a task that declares no such intent nothing is kept, and its prompt does not speak of it', async () => {
    proposes({ ...store, key: '../x' });
    const done = await bed.withClaude('run', plan('code', 'code_generation'));
    assert.equal(done.code, 0, done.stdout + done.stderr);
    assert.match(attemptOf('code').memory?.ignored ?? '', /declare architecture, domain, refactor/);
    assert.doesNotMatch(bed.read('docs/out/prompt.txt'), /x_memory/);
  });

  it('a worker that writes the memory itself, or calls our commands, is refused or found out', async () => {
    bed.speaks(`
      fs.mkdirSync('.mission-control/memory', { recursive: true });
      fs.writeFileSync('.mission-control/memory/000001.json', '{}');
      fs.mkdirSync('docs/out', { recursive: true });
      const { spawnSync } = require('node:child_process');
      const words = [${JSON.stringify(cliFile)}, 'memory', 'set-aside', '--by', 'Ada', '--reason', 'mine', '--json'];
      fs.writeFileSync('docs/out/answer.json', spawnSync(process.execPath, words).stdout);
      end('done', 'docs/out/answer.json');`);
    const done = await bed.withClaude('run', plan('forger', 'code_generation'));
    assert.equal(done.code, 0, done.stdout + done.stderr);
    assert.equal(bed.json('docs/out/answer.json').code, 'NON_COMPLIANT');
    proposes(store);
    const blocked = await bed.withClaude('run', plan('after'));
    assert.match(bed.read(blocked.json.packets[0]!.path), /MEMORY_FILE_FOREIGN/);
  });

  it('a transcript is a HALT of phase 9', async () => {
    proposes({ ...store, rationale: 'User: files?\nAssistant: yes, files.' });
    const blocked = await bed.withClaude('run', plan('told'));
    assert.deepEqual([blocked.code, blocked.json.packets[0]?.category], [3, 'untrusted_context'], blocked.stdout);
  });

  it('a memory that a person changed by hand stops the task before it begins, and can be begun anew', async () => {
    await saved('first', store, cloud);
    const file = '.mission-control/memory/000002.json';
    const whole = bed.read(file);
    for (const [change, code] of [
      [() => bed.write(file, whole.replace('nothing leaves', 'everything leaves')), 'MEMORY_FILE_CHANGED'],
      [() => bed.write(file, whole.slice(0, 60)), 'MEMORY_FILE_CHANGED'],
      [
        () => bed.write('.mission-control/memory/000003.json', whole.replace('"number": 2', '"number": 3')),
        'MEMORY_FILE_FOREIGN',
      ],
    ] as const) {
      change();
      const damaged = await bed.mission('memory', 'verify');
      assert.deepEqual([damaged.code, damaged.json.findings[0]?.code], [1, code], damaged.stdout);
      const blocked = await bed.withClaude('run', plan(`after-${code.toLowerCase()}-${bed.launches().length}`));
      assert.deepEqual([blocked.code, blocked.json.packets[0]?.category], [3, 'project_context'], blocked.stdout);
      const told = await text('status', blocked.json.mission_id);
      assert.match(told, new RegExp(`${code} at \\.mission-control/memory/00000[23]\\.json, line \\d`));
      assert.equal((await bed.withClaude('cancel', blocked.json.mission_id, ...decision)).code, 0);
      bed.write(file, whole);
      remove('.mission-control/memory/000003.json');
    }
    assert.equal((await bed.mission('memory', 'verify')).code, 0);
    remove(file);
    assert.equal((await bed.mission('memory', 'list')).json.findings[0]?.code, 'MEMORY_FILE_GONE');
    assert.equal((await bed.mission('memory', 'set-aside', ...decision)).code, 0);
    assert.equal((await bed.mission('memory', 'verify')).code, 0);
    assert.match(await text('memory', 'list'), /Nothing is remembered/);
    await saved('anew', store);
    assert.deepEqual(
      records().map(({ number, version }) => [number, version]),
      [[1, 1]],
    );
  });

  it('a memory that cannot be written halts, and goes on when it can: what was kept is saved once', async () => {
    proposes(store);
    const id = await waiting('full');
    bed.write('.mission-control/memory/000001.json', 'mine');
    remove('.mission-control/memory/000001.json');
    remove('.mission-control/memory');
    bed.write('.mission-control/memory', 'a file in its place');
    const halted = await confirm(id, '--keep-all');
    assert.notEqual(halted.code, 0);
    assert.match(halted.stdout + halted.stderr, /MEMORY_(DAMAGED|UNWRITABLE)/);
    remove('.mission-control/memory');
    const done = await confirm(id, '--keep-all');
    assert.equal(done.code, 0, done.stdout + done.stderr);
    assert.equal(files().length, 1);
  });

  it('an owner that is killed while it saves: the next one saves the rest, and everything once', async () => {
    proposes(store, cloud);
    const args = ['--task', 'T1', '--keep-all', '--by', 'Grace', '--reason', 'agreed'];
    const rehearsal = await waiting('rehearsal');
    assert.equal((await bed.killedAt(null, 'memory', 'confirm', rehearsal, ...args)).code, 0);
    const points = pointsReached().filter((point) => /memory|00000\d/.test(point));
    assert.ok(points.length > 0, pointsReached().join('\n'));
    for (const [index, point] of [...new Set(points)].entries()) {
      assert.equal((await bed.mission('memory', 'set-aside', ...decision)).code, 0);
      const id = await waiting(`killed-${index}`);
      const killed = await bed.killedAt(point, 'memory', 'confirm', id, ...args);
      assert.equal(killed.signal, 'SIGKILL', `${point}: ${killed.stdout}${killed.stderr}`);
      const went = await bed.withClaude('resume', id, ...decision);
      assert.equal(went.code, 0, `${point}: ${went.stdout}${went.stderr}`);
      assert.deepEqual(
        records().map(({ key, version }) => [key, version]),
        [
          ['store', 1],
          ['no-cloud', 1],
        ],
        point,
      );
      assert.equal((await bed.mission('memory', 'verify')).code, 0, point);
      assert.equal((await bed.mission('evidence', 'verify', `killed-${index}`)).code, 0, point);
    }
  });
});
