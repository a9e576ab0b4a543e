import assert from 'node:assert/strict';
import path from 'node:path';
import { readFileSync } from 'node:fs';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import type { MissionEvent } from '../../src/core/model/events';
import { AgentBed } from './agentBed';
import { decision } from './cliBed';

/** Each launch writes into the first directory that it does not have; with all of them it is done. */
const through = (bed: AgentBed, names: readonly string[]): string => `
  const wanted = ${JSON.stringify(names.map((name) => bed.place(name)))};
  const missing = wanted.find((place) => !added.includes(place));
  if (missing !== undefined) { denied(path.join(missing, 'note.txt')); end('blocked'); return; }
  fs.mkdirSync('docs/out', { recursive: true });
  fs.writeFileSync('docs/out/done.txt', String(process.pid));
  for (const place of wanted) fs.writeFileSync(path.join(place, 'note.txt'), 'x');
  end('done', 'docs/out/done.txt', ...wanted.map((place) => path.join(place, 'note.txt')));`;

/** What recovery does by itself and what a person says afterwards: `dist/cli.js` as real processes. */
describe('mission run and a worker that is denied a directory', function () {
  this.timeout(180_000);
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed(['d1', 'd2', 'd3', 'd4'])));
  afterEach(() => bed.dispose());

  const approving = (...names: readonly string[]): Record<string, unknown> => ({
    recovery: { allow: ['add_directory'], directories: names.map((name) => `../outside/${name}`) },
  });
  const kinds = async (id: string): Promise<readonly string[]> =>
    (await bed.events(id)).flatMap((event) =>
      event.type === 'RecoveryRequested' || event.type === 'RecoveryEscalated'
        ? [`${event.type} ${event.retry_count}`]
        : [],
    );

  it('relaunches it three times for three directories, and the task completes', async () => {
    bed.speaks(through(bed, ['d1', 'd2', 'd3']));
    const run = await bed.withClaude('run', bed.agentPlan('three', approving('d1', 'd2', 'd3')));
    assert.equal(run.code, 0, run.stdout + run.stderr);
    assert.equal(bed.launches().length, 4);
    assert.equal((await bed.mission('evidence', 'verify', 'three')).code, 0);
  });

  it('shows the change of its launch line without its secrets, in the terminal, its file and the evidence', async () => {
    bed.speaks(through(bed, ['d1']));
    // Put together here, so that no scanner takes this file for a leak.
    const key = ['ghp', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbCdE'].join('_');
    const run = await bed.withClaude(
      'run',
      bed.agentPlan('secret', approving('d1')),
      '--cli-arg',
      `claude=--note=${key}`,
    );
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const { change } =
      (JSON.parse(bed.read('docs/ops/executions/secret/TASK_T1.json')) as TaskEvidence).attempts?.[0]?.launches[1] ??
      {};
    const shown = bed.read(`.mission-control/missions/${run.json.mission_id}/runs/2-T1/change.json`);
    for (const told of [run.stderr, shown, JSON.stringify(change)]) {
      assert.equal(told.includes(key), false, told);
      assert.match(told, /--note=\[redacted:github\]/);
      assert.match(told, /--add-dir/);
    }
    assert.equal(
      change?.arguments?.removed.some((one) => one.includes('--note')),
      false,
    );
  });

  it('pauses before a fourth relaunch, with one packet; resume says that it is mended, and it runs again', async () => {
    bed.speaks(through(bed, ['d1', 'd2', 'd3', 'd4']));
    const run = await bed.withClaude('run', bed.agentPlan('four', approving('d1', 'd2', 'd3', 'd4')));
    assert.deepEqual([run.code, run.json.status, run.json.packets.length], [3, 'paused', 1], run.stdout);
    const id = run.json.mission_id;
    const counted = ['RecoveryRequested 1', 'RecoveryRequested 2', 'RecoveryRequested 3', 'RecoveryEscalated 4'];
    assert.deepEqual(await kinds(id), counted);

    bed.speaks(through(bed, []));
    const resumed = await bed.withClaude('resume', id, ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stdout);
    const resolved = (await bed.events(id)).find(({ type }) => type === 'PacketResolved');
    assert.ok(resolved?.type === 'PacketResolved' && resolved.outcome === 'retry-repair');
    assert.equal(bed.launches().length, 5);
    assert.equal((await bed.mission('evidence', 'verify', 'four')).code, 0);
  });

  it('that was not mended waits for a person again: resume launches once and counts anew', async () => {
    bed.speaks(through(bed, ['d4']));
    const run = await bed.withClaude('run', bed.agentPlan('unmended', approving('d1')));
    const resumed = await bed.withClaude('resume', run.json.mission_id, ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [3, 'paused'], resumed.stdout);
    assert.equal(bed.launches().length, 2);
    assert.deepEqual(await kinds(run.json.mission_id), ['RecoveryEscalated 1', 'RecoveryEscalated 1']);
  });

  it('escalates at once where the launch had the directory already', async () => {
    bed.speaks(`denied(${JSON.stringify(bed.place('d1/note.txt'))}); end('blocked');`);
    const run = await bed.withClaude('run', bed.agentPlan('same', approving('d1')));
    assert.deepEqual([run.code, run.json.status], [3, 'paused'], run.stdout);
    assert.deepEqual(await kinds(run.json.mission_id), ['RecoveryRequested 1', 'RecoveryEscalated 2']);
    assert.equal(bed.launches().length, 2);
    const terminalOf = async (name: string): Promise<string> => {
      const runDir = bed.at(`.mission-control/missions/${run.json.mission_id}/runs/${name}`);
      return (await bed.spawn(process.execPath, [path.resolve('dist/supervisor.cjs'), 'view', runDir]).ended).stdout;
    };
    assert.match(await terminalOf('1-T1'), /\nTask T1 is running: its worker is launched once more\.\n$/);
    assert.match(
      await terminalOf('2-T1'),
      /\nTask T1 is blocked [^]*\n {2}mission retry \S+ T1 --by NAME --reason TEXT\n/,
    );
  });

  it('never widens what a task may write in the workspace, also where the plan names it', async function () {
    bed.findBubblewrap(this);
    bed.speaks(`
      const files = ['src/a.txt', 'docs/other.txt'];
      const told = files.map((file) => { try { fs.writeFileSync(file, 'x'); return 'written'; } catch (error) { return error.code; } });
      fs.mkdirSync('docs/out', { recursive: true });
      fs.writeFileSync('docs/out/told' + added.length, JSON.stringify(told));
      denied(path.resolve('src/a.txt'));
      end('blocked');`);
    bed.write('src/kept.txt', '');
    const recovery = { allow: ['add_directory'], directories: ['src', '.', '..'] };
    const run = await bed.withClaude('run', bed.agentPlan('inside', { recovery, confinement: 'required' }));
    assert.equal(run.code, 3, run.stdout);
    const told = await bed.events(run.json.mission_id);
    assert.equal(told.filter(({ type }) => type === 'LaunchRequested').length, 1);
    assert.deepEqual(JSON.parse(bed.read('docs/out/told0')), ['written', 'written']);
    // Both in a layer, which is gone.
    for (const name of ['src/a.txt', 'docs/other.txt']) assert.equal(bed.exists(name), false, name);
    const granted = await bed.withClaude('grant', run.json.mission_id, bed.at('src'), ...decision);
    assert.deepEqual([granted.code, granted.json.code], [2, 'GRANT_INVALID']);
    assert.match(granted.json.reason, /No grant would help task T1/);
  });

  it('that answers something else than a denial twice is not launched in a loop', async () => {
    bed.speaks(`
      say({ type: 'system', subtype: 'permission_denied', tool_name: 'Write', tool_use_id: 'x', decision_reason_type: 'moonPhase', decision_reason: 'The moon is full' });
      end('blocked');`);
    const run = await bed.withClaude('run', bed.agentPlan('unknown', approving('d1')));
    assert.deepEqual([run.code, run.json.status], [3, 'paused'], run.stdout);
    assert.equal(bed.launches().length, 1);
    const escalated = (await bed.events(run.json.mission_id)).find(({ type }) => type === 'RecoveryEscalated');
    assert.ok(escalated?.type === 'RecoveryEscalated' && escalated.issue === 'UNKNOWN_PERMISSION_ERROR');
  });

  it('and whose owner is killed at any point of the relaunch is launched exactly once more', async () => {
    bed.speaks(`await wait(200); ${through(bed, ['d1'])}`);
    const whole = await bed.killedAt(null, 'run', bed.agentPlan('whole', approving('d1')));
    assert.equal(whole.code, 0, whole.stdout + whole.stderr);
    const points = pointsOf(readFileSync(bed.pointsFile, 'utf8'));
    let struck = 0;
    for (const [index, point] of points.entries()) {
      const before = bed.launches().length;
      const name = `killed${index}`;
      const { signal } = await bed.killedAt(point, 'run', bed.agentPlan(name, approving('d1')));
      // What was appended together once may be appended one by one another time.
      if (signal !== 'SIGKILL') continue;
      struck += 1;
      const resumed = await bed.withClaude('resume', name, ...decision);
      assert.equal(resumed.code, 0, `${point}\n${resumed.stdout}${resumed.stderr}`);
      assert.equal(bed.launches().length - before, 2, point);
      const counts = countOf(await bed.events(resumed.json.mission.mission_id));
      assert.deepEqual(counts, { RecoveryRequested: 1, LaunchRequested: 2, WorkerEnded: 2 }, point);
    }
    assert.ok(struck >= 5, points.join('\n'));
  });
});

/** After each record and each start from the denial to the end of the relaunch. */
function pointsOf(text: string): readonly string[] {
  const all = text.trim().split('\n');
  const from = all.findIndex((point) => point.includes('RecoveryRequested'));
  const until = all.findIndex((point, index) => index > from && point.includes('INSERT RecoverySucceeded'));
  return all.slice(from, until + 2).filter((point) => /(?:INSERT|spawn).*:after$/.test(point));
}

function countOf(events: readonly MissionEvent[]): Readonly<Record<string, number>> {
  const count = (type: MissionEvent['type']): number => events.filter((event) => event.type === type).length;
  return {
    RecoveryRequested: count('RecoveryRequested'),
    LaunchRequested: count('LaunchRequested'),
    WorkerEnded: count('WorkerEnded'),
  };
}
