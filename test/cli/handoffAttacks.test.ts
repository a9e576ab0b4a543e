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
    'an output outside': [
      ['LEDGER_INCONSISTENT'],
      (given) => given.outputs.push({ task_id: 'T1', path: '../outside.txt', sha256: digest('x') }),
    ],
    'an output that is a link among the hooks of git': [
      ['LEDGER_INCONSISTENT'],
      (given) =>
        given.outputs.push({ task_id: 'T1', path: '.git/hooks/pre-commit', sha256: null, link: '/etc/passwd' }),
    ],
    'an event of a task that is none': [
      ['LEDGER_INCONSISTENT'],
      (given) => given.events.push({ ...given.events[0]!, task_id: 'T9' }),
    ],
    'a packet of another mission': [
      ['LEDGER_INCONSISTENT'],
      (given) =>
        given.decisions.push({
          ...{ decision: 'retry-repair', task_id: 'T2', packet_id: 'other-20260101T000000Z-abcdef.p1' },
          ...{ actor: { kind: 'human', name: 'Ada' }, reason: 'x', at: '2026-01-01T00:00:00Z' },
        }),
    ],
    'a decision about a task that is none': [
      ['LEDGER_INCONSISTENT'],
      (given) =>
        given.decisions.push({
          ...{ decision: 'retry-repair', task_id: 'T9', packet_id: null },
          ...{ actor: { kind: 'human', name: 'Ada' }, reason: 'x', at: '2026-01-01T00:00:00Z' },
        }),
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
