import assert from 'node:assert/strict';
import { commands } from './everyCommand';
import { CliBed, cliFile, start } from './cliBed';

/** What a person decides, called from inside a worker's process tree. */
describe('the human override channel', function () {
  this.timeout(180_000);
  const beds: CliBed[] = [];
  afterEach(async () => {
    for (const bed of beds.splice(0)) await bed.dispose();
  });
  const bedOf = (): CliBed => {
    const bed = new CliBed();
    beds.push(bed);
    return bed;
  };

  /** These write a DRAFT, which decides nothing and which the scope gate holds against the worker that called for it. */
  const drafts = ['plan new', 'plan revise', 'plan draft'];

  it('is closed to every descendant of a supervisor, also in another workspace, in a new session and without its environment', async () => {
    const [worker, other] = [bedOf(), bedOf()];
    const blocked = await other.mission(
      'run',
      other.plan('held', [{ script: `${start}fs.writeFileSync('docs/out/held', 'x'); process.exit(3);` }]),
    );
    assert.equal(blocked.code, 3);
    other.plan('draft', [{ script: start }], {}, { status: 'DRAFT' });
    const id = blocked.json.mission_id;
    const packet = blocked.json.packets[0]?.packet_id ?? '';
    const calls: Readonly<Record<string, readonly (readonly string[])[]>> = {
      'plan approve': [['docs/plans/PLAN_draft.json', '--yes']],
      run: [['docs/plans/PLAN_draft.json']],
      pause: [[id]],
      resume: [[id]],
      stop: [[id, 'T1'], ['--all'], ['--release']],
      cancel: [[id]],
      retry: [[id, 'T1']],
      skip: [[id, 'T1', '--yes']],
      accept: [[id, 'T1', 'docs/out/x']],
      acknowledge: [[id]],
      'rerun-validation': [[id, 'T1']],
      grant: [[id, other.scratch]],
      answer: [[id, '--task', 'T1', '--text', 'x']],
      intervene: [[id, '--task', 'T1']],
      'memory confirm': [[id, '--task', 'T1', '--discard-all']],
      'memory set-aside': [[]],
      'packet resolve': [[packet, '--outcome', 'leave-blocked']],
      'packet revise': [[packet, '--set', 'note=x']],
      undo: [[id, 'T1']],
      'fleet host': [['--database', 'postgres://127.0.0.1:1/x', '--folder', other.at('fleet')]],
      'fleet watch': [['--database', 'postgres://127.0.0.1:1/x']],
      'handoff export': [[id]],
      'handoff resume': [['docs']],
    };
    const persons = commands.filter(({ name, options }) => options?.['by'] !== undefined && !drafts.includes(name));
    assert.deepEqual(persons.map(({ name }) => name).sort(), Object.keys(calls).sort(), 'a command that nobody tried');
    const wanted = persons.flatMap(({ name, options }) =>
      (calls[name] ?? []).map((args) => [
        ...name.split(' '),
        ...args,
        ...['--by', 'Grace'],
        ...(options?.['reason'] === undefined ? [] : ['--reason', 'x']),
      ]),
    );
    const before = (await other.events(id)).length;
    const script = `${start}import { spawnSync } from 'node:child_process';
const alone = ['-i', 'HOME=${other.scratch}', 'PATH=/usr/bin:/bin', ...(fs.existsSync('/usr/bin/setsid') ? ['/usr/bin/setsid', '-w'] : [])];
const answers = ${JSON.stringify(wanted)}.map((args) => {
  const { status, stdout, stderr } = spawnSync('/usr/bin/env', [...alone, process.execPath, ${JSON.stringify(cliFile)}, ...args, '--json'], { encoding: 'utf8', cwd: ${JSON.stringify(other.root)} });
  return [args.join(' '), status, /"code": "(\\w+)"/.exec(stdout)?.[1] ?? stdout + stderr];
});
fs.writeFileSync('docs/out/answers.json', JSON.stringify(answers));`;
    const run = await worker.mission('run', worker.plan('inside', [{ script }], { confinement: 'off' }));
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const answers = JSON.parse(worker.read('docs/out/answers.json')) as readonly unknown[];
    assert.deepEqual(
      answers,
      wanted.map((args) => [args.join(' '), 2, 'NON_COMPLIANT']),
    );
    const events = (await other.events(id)).slice(before);
    assert.ok(
      events.every(({ type }) => type === 'CommandRefused' || type === 'OwnerResumed'),
      JSON.stringify(events),
    );
    assert.match(other.read('docs/plans/PLAN_draft.json'), /"DRAFT"/);
  });
});
