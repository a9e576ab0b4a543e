import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { HandoffBundle, MissionHandoff } from '../../src/contracts/handoff';
import { CliBed, decision, start, type Ended } from './cliBed';

type Written<T> = T extends readonly (infer E)[]
  ? Written<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Written<T[K]> }
    : T;
type Loose<T> = Written<T> & Record<string, unknown>;
type Given = Loose<MissionHandoff>;
type Change = (given: Given, folder: string, bundle: Loose<HandoffBundle>) => void;

/** What a forger writes into a handoff whose digests they calculate anew: `dist/cli.js` as real processes. */
describe('mission handoff: attacks', function () {
  this.timeout(180_000);
  let bed: CliBed;
  let source: string;
  let there: string;
  before(async () => {
    bed = new CliBed();
    const fails = `${start}fs.writeFileSync('docs/out/part.txt', 'p'); process.exit(7);`;
    const plan = bed.plan('run', [
      { script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` },
      { script: fails, depends_on: ['T1'] },
    ]);
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
    assert.equal((await bed.mission('run', plan)).code, 3);
    source = path.join(bed.scratch, 'source');
    assert.equal((await bed.mission('handoff', 'export', 'run', '--out', source, ...decision)).code, 0);
  });
  beforeEach(() => {
    there = path.join(bed.scratch, 'there');
    bed.git('clone', '-q', '.', there);
    execFileSync('git', ['apply', path.join(source, 'changes.diff')], { cwd: there });
  });
  afterEach(() => rmSync(there, { recursive: true, force: true }));
  after(() => bed.dispose());

  const secret = (): string => path.join(bed.scratch, 'outside.txt');
  const forged = (name: string, change: Change, seals: boolean): string => {
    const folder = path.join(bed.scratch, `forged-${name.replaceAll(/\W+/g, '-')}`);
    cpSync(source, folder, { recursive: true });
    const file = path.join(folder, 'bundle.json');
    const bundle = JSON.parse(readFileSync(file, 'utf8')) as Loose<HandoffBundle>;
    change(bundle.x_mission as Given, folder, bundle);
    if (seals) seal(folder, bundle);
    return folder;
  };
  const resume = (folder: string): Promise<Ended> =>
    bed.mission('handoff', 'resume', folder, ...decision, '--workspace', there);

  const extra =
    (file: string): Change =>
    (given) =>
      given.files.push({ file, bytes: 1, sha256: digest('x') });

  const attacks: Readonly<Record<string, readonly [codes: readonly string[], change: Change, sealed?: false]>> = {
    'a file of a folder above': [['UNTRUSTED_CONTEXT_BLOCK'], extra('../outside.txt')],
    'a file by its absolute path': [['UNTRUSTED_CONTEXT_BLOCK'], (given, ...more) => extra(secret())(given, ...more)],
    'a name with a line feed': [['UNTRUSTED_CONTEXT_BLOCK'], extra('a\nb')],
    'a name with a null character': [['SCHEMA_INVALID'], extra('a\0b')],
    'the name of the folder itself': [['UNTRUSTED_CONTEXT_BLOCK'], extra('.')],
    'a backslash that leads elsewhere': [['UNTRUSTED_CONTEXT_BLOCK'], extra('..\\outside.txt')],
    'a link to a file outside': [
      ['UNTRUSTED_CONTEXT_BLOCK'],
      (_given, folder) => {
        const file = path.join(folder, 'TASK_T1.json');
        writeFileSync(secret(), readFileSync(file));
        rmSync(file);
        symlinkSync(secret(), file);
      },
    ],
    'a pipe in the place of a file': [
      ['UNTRUSTED_CONTEXT_BLOCK'],
      (_given, folder) => {
        rmSync(path.join(folder, 'role.md'));
        execFileSync('mkfifo', [path.join(folder, 'role.md')]);
      },
      false,
    ],
    'a file that is larger than memory': [
      ['UNTRUSTED_CONTEXT_BLOCK'],
      (_given, folder) => truncateSync(path.join(folder, 'TASK_T1.json'), 2 ** 40),
      false,
    ],
    'a bundle that is larger than memory': [
      ['MISSING_REQUIRED_INPUT'],
      (_given, folder) => truncateSync(path.join(folder, 'bundle.json'), 2 ** 40),
      false,
    ],
    'half a bundle': [
      ['SCHEMA_INVALID'],
      (_given, folder) => truncateSync(path.join(folder, 'bundle.json'), 1000),
      false,
    ],
    'half an evidence': [['SCHEMA_INVALID'], (_given, folder) => truncateSync(path.join(folder, 'TASK_T1.json'), 300)],
    'a digest twice': [
      ['UNTRUSTED_CONTEXT_BLOCK'],
      (_given, folder) => {
        const file = path.join(folder, 'SHA256SUMS');
        writeFileSync(file, `${digest('another')}  bundle.json\n${readFileSync(file, 'utf8')}`);
      },
      false,
    ],
    'a file twice, with two digests': [
      ['SCHEMA_INVALID'],
      (given) => given.files.unshift({ file: 'TASK_T1.json', bytes: 1, sha256: digest('another') }),
    ],
    'the evidence of another run': [
      ['LEDGER_INCONSISTENT'],
      (_given, folder) => edit(folder, 'TASK_T1.json', (evidence) => (evidence['run_id'] = 'B'.repeat(64))),
    ],
    'the evidence of another task': [
      ['LEDGER_INCONSISTENT'],
      (_given, folder) => cpSync(path.join(folder, 'TASK_T2.json'), path.join(folder, 'TASK_T1.json')),
    ],
    'the mission of another plan': [
      ['SCHEMA_INVALID'],
      (given) => (given.mission_id = given.mission_id.replace(/^run-/, 'other-')),
    ],
    'a mission that leads elsewhere': [['SCHEMA_INVALID'], (given) => (given.mission_id = '../../../x')],
    'a plan that lies outside': [['PLAN_MISPLACED'], (given) => (given.plan_path = '../outside/PLAN_run.json')],
    'a plan in a folder of git': [['PLAN_MISPLACED'], (given) => (given.plan_path = '.git/PLAN_run.json')],
    'no journal': [
      ['MISSING_REQUIRED_INPUT'],
      (given, folder) => {
        rmSync(path.join(folder, 'journal.jsonl'));
        given.files.splice(0, given.files.length, ...given.files.filter(({ file }) => file !== 'journal.jsonl'));
      },
    ],
    'an empty journal': [['LEDGER_INCONSISTENT'], (_given, folder) => truncateSync(path.join(folder, 'journal.jsonl'))],
    'half a journal': [
      ['LEDGER_INCONSISTENT'],
      (_given, folder) => truncateSync(path.join(folder, 'journal.jsonl'), 5000),
    ],
    'a journal that is larger than memory': [
      ['UNTRUSTED_CONTEXT_BLOCK'],
      (_given, folder) => truncateSync(path.join(folder, 'journal.jsonl'), 2 ** 40),
      false,
    ],
    'an entry that was changed in the journal': [
      ['LEDGER_INCONSISTENT'],
      journal((entries) => (entries[2]!.event = { type: 'PlanLocked', plan_sha256: digest('x') }), false),
    ],
    'the journal of another run': [
      ['LEDGER_INCONSISTENT'],
      journal((entries) => entries.forEach((entry) => (entry.run_id = 'B'.repeat(64)))),
    ],
    'the journal of another mission': [
      ['LEDGER_INCONSISTENT'],
      journal(([first]) => (first!.event['mission_id'] = 'run-20260101T000000Z-abcdef')),
    ],
    'the journal of another plan': [
      ['LEDGER_INCONSISTENT'],
      journal(([first]) => (first!.event['plan_sha256'] = digest('another'))),
    ],
    'the journal of another handoff': [
      ['LEDGER_INCONSISTENT'],
      journal((entries) => (entries.findLast(is('HandoffRequested'))!.event['n'] = 7)),
    ],
    'a journal that ends before its task was done': [
      ['LEDGER_INCONSISTENT'],
      journal((entries) => entries.splice(entries.findIndex((entry) => entry.event['to'] === 'done'))),
    ],
    'a journal in which no attempt has ended': [
      ['LEDGER_INCONSISTENT'],
      journal((entries) => entries.splice(0, entries.length, ...entries.filter((one) => !is('AttemptEnded')(one)))),
    ],
    'a journal with an event that is none': [
      ['LEDGER_INCONSISTENT'],
      journal((entries) => (entries.at(-1)!.event = { type: 'toString' })),
    ],
    'a journal whose first event is not the mission': [['LEDGER_INCONSISTENT'], journal((entries) => entries.shift())],
    'a journal with an event of a task that is none': [
      ['LEDGER_INCONSISTENT'],
      journal((entries) => (entries.find(is('RowTransitioned'))!.event['task_id'] = 'T9')),
    ],
    'a journal with a task more, which went on': [
      ['LEDGER_INCONSISTENT'],
      journal((entries) => {
        const { tasks } = entries[0]!.event['plan'] as { tasks: Record<string, unknown>[] };
        tasks.push({ ...tasks[0], task_id: 'T9' });
        const event = {
          type: 'RowTransitioned',
          task_id: 'T9',
          from: 'todo',
          to: 'in_progress',
          code: null,
          reason: '',
        };
        entries.push({ ...entries.at(-1)!, event });
      }),
    ],
    'a journal that takes a done task back': [
      ['LEDGER_INCONSISTENT'],
      journal((entries, { ledger }) => {
        ledger[0]!.version! += 3;
        // The journal's own plan says that the task validates a milestone, so the fold lets it.
        for (const task of (entries[0]!.event['plan'] as { tasks: Record<string, unknown>[] }).tasks)
          task['validator'] = true;
        const edge = { type: 'RowTransitioned', task_id: 'T1', code: null, reason: 'again' };
        for (const [from, to] of [
          ['done', 'todo'],
          ['todo', 'in_progress'],
          ['in_progress', 'done'],
        ])
          entries.push({ ...entries.at(-1)!, event: { ...edge, from, to } });
      }),
    ],
    'a journal with more launches than can be counted': [
      ['LEDGER_INCONSISTENT'],
      journal((entries) => {
        const decision = { actor: { kind: 'human', name: 'Ada' }, reason: 'x', at: '2026-01-01T00:00:00Z' };
        const source = { bundle_sha256: digest('x'), bundles: [], decision };
        const event = { type: 'HandoffImported', source, rows: [], launches: Number.MAX_SAFE_INTEGER };
        entries.push({ ...entries.at(-1)!, event });
      }),
    ],
    'a journal with a question that is none': [
      ['LEDGER_INCONSISTENT'],
      journal((entries) => (entries.findLast(is('PacketIssued'))!.event['question'] = { text: 7, choices: 'x' })),
    ],
  };

  for (const [what, [codes, change, sealed]] of Object.entries(attacks))
    it(`${what} is refused, with a code and a step, and nothing is written`, async () => {
      writeFileSync(secret(), 'x');
      const ended = await resume(forged(what, change, sealed ?? true));
      assert.equal(ended.code, 2, ended.stdout + ended.stderr);
      const { code, reason, next } = ended.json;
      assert.ok(codes.includes(code), `${code}: ${reason}`);
      assert.ok(next.length > 0, reason);
      const shown = [reason, ...next].join('');
      assert.doesNotMatch(shown, /\p{Cc}/u);
      assert.doesNotMatch(next.join('\n'), /^(?:cp|chmod|ln|mkdir|rm|rmdir) /m);
      assert.equal(existsSync(path.join(there, 'docs/ops')), false);
      const missions = path.join(there, '.mission-control/missions');
      assert.deepEqual(existsSync(missions) ? readdirSync(missions) : [], []);
    });

  it('without a change of the forger the same handoff is resumed', async () => {
    const folder = forged('nothing', () => undefined, true);
    const ended = await resume(folder);
    assert.equal(ended.code, 3, ended.stdout + ended.stderr);
    assert.equal(ended.json.mission.status, 'blocked', ended.stdout);
  });
});

interface ForgedEntry extends Record<string, unknown> {
  run_id: string;
  event: Record<string, unknown>;
}

/** Changes the entries of the journal. @param chained calculates numbers and hashes anew */
function journal(change: (entries: ForgedEntry[], bundle: Loose<HandoffBundle>) => unknown, chained = true): Change {
  return (_given, folder, bundle) => {
    const file = path.join(folder, 'journal.jsonl');
    const entries = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ForgedEntry);
    change(entries, bundle);
    let prev_hash = '0'.repeat(64);
    const lines = entries.map(({ stream, seq, run_id, at, actor, fence, event, ...was }, index) => {
      const own = { stream, seq: chained ? index + 1 : seq, run_id, at, actor, fence, event };
      const text = JSON.stringify(chained ? { ...own, prev_hash } : { ...own, prev_hash: was['prev_hash'] });
      prev_hash = chained ? digest(text) : String(was['hash']);
      return `${text.slice(0, -1)},"hash":"${prev_hash}"}\n`;
    });
    writeFileSync(file, lines.join(''));
  };
}

function is(type: string): (entry: ForgedEntry) => boolean {
  return ({ event }) => event['type'] === type;
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').toUpperCase();
}

function edit(folder: string, name: string, change: (value: Record<string, unknown>) => void): void {
  const file = path.join(folder, name);
  const value = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  change(value);
  writeFileSync(file, JSON.stringify(value));
}

/** Calculates anew what says that nothing was changed: the digests in the bundle and those beside it. */
function seal(folder: string, bundle: Loose<HandoffBundle>): void {
  const given = bundle.x_mission as Given;
  const seen = new Set<string>();
  for (const entry of [...given.files].reverse() as Loose<Given['files'][number]>[]) {
    const file = path.join(folder, entry.file);
    if (seen.has(entry.file) || /[/\\\p{Cc}]|^\.$/u.test(entry.file)) continue;
    seen.add(entry.file);
    entry.sha256 = digest(readFileSync(file));
  }
  writeFileSync(path.join(folder, 'bundle.json'), JSON.stringify(bundle));
  const lines = [...seen, 'bundle.json'].map((name) => `${digest(readFileSync(path.join(folder, name)))}  ${name}\n`);
  const more = given.files.filter(({ file }) => !seen.has(file)).map(({ file, sha256 }) => `${sha256}  ${file}\n`);
  writeFileSync(path.join(folder, 'SHA256SUMS'), [...lines, ...more].join(''));
}
