import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { elapsedText, liveText } from '../../src/contracts/page/liveView';
import { progressText, taskTime } from '../../src/cli/show/progressText';
import { liveWorker, missionView } from '../extension/sampleViews';
import { skipWithReason } from '../support/skip';
import { CliBed, cliFile, until } from './cliBed';

const now = '2026-01-01T00:01:05.000Z';
const told = { last_output_at: '2026-01-01T00:01:04.000Z', output_bytes: 4215, output_lines: 64 };

describe('the words for the progress of a mission', () => {
  it('follow the output, not the heartbeat, and leave out what is unknown', () => {
    assert.equal(liveText(liveWorker(told), now), 'running 1 min 5 s, last output 1 s ago, 64 lines, 4.2 kB');
    assert.equal(
      liveText(liveWorker({ output_bytes: 0 }), now),
      'running 1 min 5 s, last progress 1 min 4 s ago',
      'nothing was printed: what is known is the heartbeat',
    );
    assert.equal(
      liveText(liveWorker({ started_at: null, last_progress_at: null, output_bytes: null }), now),
      'running',
    );
    const silent = liveWorker({ output_bytes: null, last_progress_at: '2026-01-01T00:00:20.000Z', silence_limit: 80 });
    assert.equal(
      liveText(silent, now),
      'running 1 min 5 s, silent for 45 s, and stopped after 1 min 20 s, last progress 45 s ago',
      'more than half of its timeout without a sign of life',
    );
    assert.doesNotMatch(liveText({ ...silent, silence_limit: 91 }, now), /silent/);
    assert.doesNotMatch(liveText({ ...silent, waits: 'waits for the provider' }, now), /silent/);
    assert.equal(elapsedText('no time', now), null);
    assert.equal(elapsedText('2026-01-01T00:02:00.000Z', now), '0 s', 'a clock that is ahead');
  });

  it('tell the task, the attempt and the mission, each with its time', () => {
    const one = missionView({ live: liveWorker({ ...told, attempt: 2 }) });
    assert.equal(
      progressText(one, now),
      'T2 attempt 2: running 1 min 5 s, last output 1 s ago, 64 lines, 4.2 kB · 1 of 2 done · mission 1 min 5 s',
    );
    const two = missionView({
      lanes: [liveWorker(), liveWorker({ task_id: 'T3', purpose: 'verify', stage: 'starting the verify commands' })],
    });
    assert.equal(
      progressText(two, now),
      '2 lanes: T2 1 min 5 s, T3 (verify) starting the verify commands · 1 of 2 done · mission 1 min 5 s',
    );
    assert.equal(progressText(missionView(), now), 'Task T2 runs. · 1 of 2 done · mission 1 min 5 s');
    const [task] = missionView().tasks;
    const at = { ...task!, started_at: '2026-01-01T00:00:05.000Z' };
    assert.equal(taskTime({ ...at, status: 'in_progress' }, now), '1 min 0 s');
    assert.equal(taskTime({ ...at, status: 'blocked' }, now), '', 'nothing goes on');
    assert.equal(taskTime({ ...at, ended_at: '2026-01-01T00:00:09.000Z', status: 'done' }, now), '4 s');
  });
});

describe('mission run: progress', function () {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const printing = (gate: string): string =>
    `import fs from 'node:fs'; fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a', 'a');
     for (let n = 0; !fs.existsSync(${JSON.stringify(gate)}); n += 1) { if (n % 20 === 0) console.log('line ' + n); await new Promise((go) => setTimeout(go, 50)); }`;

  it('is one line on a terminal, redrawn in place and cut when the terminal becomes narrower', async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'needs `script` of util-linux');
    const gate = path.join(bed.scratch, 'over');
    const plan = bed.plan('progress', [{ script: printing(gate) }]);
    const tty = path.join(bed.scratch, 'tty');
    const command = `stty cols 100; tty > ${tty}; exec "${process.execPath}" "${cliFile}" run ${plan}`;
    const terminal = bed.terminal(`sh -c '${command}'`);
    await terminal.shows(' s, last output ');
    await terminal.shows(' · 0 of 1 done · mission ');
    execFileSync('stty', ['-F', readFileSync(tty, 'utf8').trim(), 'cols', '20']);
    // From then on it is a short one, drawn anew in its own row.
    await terminal.shows('…\u001b[?7h\r\u001b[J');
    bed.open('over');
    await terminal.shows('Mission completed');
    assert.equal(await terminal.code, 0);
    assert.match(terminal.screen(), /Mission completed.{0,5} after \d+ s/);
    assert.doesNotMatch(
      terminal.screen().split('Mission completed')[1] ?? '',
      /running/,
      'the line goes with the mission',
    );
  });

  it('is lines without control codes where there is no terminal; the status shows the times', async () => {
    const gate = path.join(bed.scratch, 'over');
    const plan = bed.plan('progress', [{ script: printing(gate) }]);
    const run = bed.spawn(process.execPath, [cliFile, 'run', plan]);
    await until(async () => {
      const status = await bed.mission('status');
      const live = status.code === 0 ? status.json.missions[0]?.live : null;
      const told = live as { readonly output_lines: number | null } | null | undefined;
      return (told?.output_lines ?? 0) >= 3;
    });
    const status = await bed.spawn(process.execPath, [cliFile, 'status']).ended;
    assert.match(status.stdout, /running \d+ s, last output \d+ s ago, \d+ lines, \d+ bytes/);
    assert.match(status.stdout, /started \d+ s ago/);
    assert.ok(!existsSync(gate));
    bed.open('over');
    const ended = await run.ended;
    assert.equal(ended.code, 0, ended.stderr);
    for (const code of ['\u001b', '\r']) assert.ok(!(ended.stdout + ended.stderr).includes(code), JSON.stringify(code));
    assert.match(ended.stdout, /Mission completed after \d+ s/);
  });
});
