import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { appendFile, cp, mkdir, rename } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { leaveChange, leaveOutcome } from '../../src/adapters/launches/files';
import { createLease } from '../../src/adapters/state/lease';
import { isAlive } from '../../src/adapters/processes/tree';
import { runFiles } from '../../src/contracts/launch';
import { durationText } from '../../src/contracts/page/liveView';
import { launchChangeLines } from '../../src/core/view/events/eventLine';
import { signalLine } from '../../src/core/view/mission/signalLine';
import { endLines } from '../../src/supervisor/view';
import { skipWithReason } from '../support/skip';
import { cleanUp, newRun, supervisorFile, until } from './harness';

const node = process.execPath;

interface View {
  readonly pid: number;
  text(): string;
  send(signal: NodeJS.Signals): void;
  readonly ended: Promise<number | null>;
}

function view(runDir: string, wrap: readonly string[] = []): View {
  const [file = node, ...args] = wrap.length > 0 ? wrap : [node, supervisorFile, 'view', runDir];
  return shownBy(spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
}

function shownBy(child: ChildProcessByStdio<Writable | null, Readable, null>): View {
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    pid: child.pid!,
    text: () => text,
    send: (signal) => child.kill(signal),
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}

/** The view as VS Code shows it: on a terminal, kept open. */
function heldView(runDir: string): View & { type(text: string): void } {
  const command = `stty cols 60 rows 20; exec '${node}' '${supervisorFile}' view '${runDir}' --hold`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
  return { ...shownBy(child), type: (text) => child.stdin.write(text) };
}

/** The last line that a terminal was sent, without the line that is drawn anew. */
function lastLine(text: string): string | undefined {
  return text.split('\r\n').at(-2)?.split('\u001b[J').at(-1);
}

const blocked = {
  launch_id: '',
  task_id: 'T1',
  status: 'blocked',
  stopped: false,
  code: 'ACCEPTANCE_FAILED',
  reason: '',
} as const;

describe('the live view of a run', () => {
  afterEach(cleanUp);

  it('shows output while it comes, survives the signals of a closed terminal, and ends with the exit code', async () => {
    const run = await newRun([
      node,
      '-e',
      'console.log("hello \\u001b[31mred\\u0007 one"); process.stdin; const t = setInterval(() => require("fs").existsSync("go") && (clearInterval(t), console.log("bye"), process.exit(3)), 20)',
    ]);
    await run.prepare();
    const early = view(run.runDir);
    const { worker } = await run.start();
    await until('the first line', async () => early.text().includes('hello'));
    early.send('SIGINT');
    await until('its answer to Ctrl+C', async () => early.text().includes('The worker goes on'));
    early.send('SIGHUP');
    assert.equal(await isAlive(worker!), true);
    const late = view(run.runDir);
    await until('the first line, again', async () => late.text().includes('hello'));
    await mkdir(path.join(run.folder, 'go'));
    assert.equal((await run.awaitExit()).exit_code, 3);
    assert.deepEqual(await Promise.all([early.ended, late.ended]), [0, 0]);
    for (const shown of [early.text(), late.text()]) {
      assert.match(shown, /^Mission demo-\S+, task T1: command\n/m);
      assert.ok(shown.includes('| hello \\x1b[31mred\\x07 one\n'), shown);
      assert.match(shown, /bye\nEnded after .*: the worker ended by itself\.\n/);
      assert.match(shown, new RegExp(`Output: ${run.runDir}.*\nWorker exited with code 3\\.\n$`));
    }
  });

  it('starts nothing, and attached to a finished run it shows its end', async () => {
    const run = await newRun(['sh', '-c', 'echo once; echo once >> counted']);
    await run.whole();
    for (let time = 0; time < 2; time++) {
      const again = view(run.runDir);
      assert.equal(await again.ended, 0);
      assert.match(again.text(), /once\n[^]*Worker exited with code 0\.\n$/);
    }
    const nothing = await newRun(['true']);
    const shown = view(nothing.runDir);
    assert.equal(await shown.ended, 1);
    assert.match(shown.text(), /Nothing to show/);
    await nothing.prepare();
    const waiting = view(nothing.runDir);
    await until('the view runs', async () => waiting.text().includes('Mission demo'));
    await rename(path.join(nothing.runDir, runFiles.ticket), path.join(nothing.runDir, runFiles.revoked));
    assert.equal(await waiting.ended, 0);
    assert.match(waiting.text(), /nothing was started/);
  });

  it('shows above everything how the launch line was changed', async () => {
    const run = await newRun(['sh', '-c', 'while [ ! -e go ]; do sleep 0.05; done; echo worked']);
    const before = ['claude', '--json-schema', 's'.repeat(3000)];
    const change = {
      reasons: ['reading and writing of /d1 granted by Ada for this attempt'],
      arguments: { before, after: [...before, '--add-dir', '/d 1'], removed: [], added: ['--add-dir', '/d 1'] },
    };
    await run.prepare();
    await leaveChange(run.runDir, { ...change, launch_id: run.known.launch_id });
    await run.start();
    const shown = view(run.runDir);
    await mkdir(path.join(run.folder, 'go'));
    assert.equal(await shown.ended, 0);
    const [, ...lines] = shown.text().split('\n');
    assert.deepEqual(lines.slice(0, 4), launchChangeLines(change));
    assert.equal(lines[1], 'Arguments removed: nothing; added: --add-dir "/d 1".');
    assert.ok(lines[2] && lines[2].length < 200, 'what is the same in both hides nothing');
    assert.ok(shown.text().indexOf('Before: ') < shown.text().indexOf('worked'));
  });

  it('keeps up with a flood without writing it all', async () => {
    const run = await newRun(['sh', '-c', 'i=0; while [ $i -lt 20000 ]; do echo "line $i"; i=$((i+1)); done']);
    await run.whole();
    const shown = view(run.runDir);
    await shown.ended;
    assert.match(shown.text(), /… \d+ lines not shown\n/);
    assert.ok(shown.text().split('\n').length < 500);
    assert.ok(shown.text().includes('line 19999'));
  });

  it('on a terminal draws a status line and stays inside its width', async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'needs `script` of util-linux');
    const run = await newRun(['sh', '-c', `echo ${'x'.repeat(300)}; while [ ! -e go ]; do sleep 0.05; done`]);
    await run.start();
    const command = `stty cols 60 rows 20; exec '${node}' '${supervisorFile}' view '${run.runDir}'`;
    const shown = view('ignored', ['script', '-qec', command, '/dev/null']);
    await until(
      'a status line',
      async () => shown.text().includes('\r\u001b[Jrunning') || /running \d+ s/.test(shown.text()),
    );
    await mkdir(path.join(run.folder, 'go'));
    await run.awaitExit();
    await shown.ended;
    assert.match(shown.text(), new RegExp(`\\| x{57}…\r?\n`));
    assert.match(shown.text(), /Worker exited with code 0\./);
  });

  it('on a terminal shows last what became of the task, and that anew, until a person closes it', async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'needs `script` of util-linux');
    const run = await newRun(['sh', '-c', 'echo worked']);
    await run.whole();
    const held = heldView(run.runDir);
    await until('who is to decide', async () =>
      held.text().includes('Not decided yet, because no process runs this mission now.'),
    );
    const resume = `  mission resume ${path.basename(path.resolve(run.runDir, '../..'))} --by NAME --reason TEXT`;
    assert.ok(held.text().includes(`${resume}\r\n`), held.text());
    assert.match(held.text(), /Worker exited with code 0\. Press Enter to close this terminal\.\r\n/);
    const reason = `${'The report was not written. '.repeat(5)}Look \u001b[2Jthere`;
    await leaveOutcome(run.runDir, { ...blocked, launch_id: 'another', reason: 'of another launch' });
    await leaveOutcome(run.runDir, { ...blocked, launch_id: run.known.launch_id, reason });
    const first = `Task T1 is blocked: ${reason.replace('\u001b', '\\x1b')}.`;
    // Whole, although the terminal is narrower; it wraps the line by itself.
    await until('the block', async () => lastLine(held.text()) === first);
    assert.doesNotMatch(held.text(), /another launch/);
    const awaited = { ...blocked, status: 'in_progress', awaited: true, code: 'INTERVENTION_REQUIRED' } as const;
    const next = [
      { line: 'mission intervene M T1 --by NAME --reason TEXT', title: 'Complete Intervention' },
      { line: 'mission cancel M --by NAME --reason TEXT', title: 'Cancel Mission' },
    ];
    const incomplete = { ...awaited, launch_id: run.known.launch_id, reason: 'its result packet is incomplete.', next };
    await leaveOutcome(run.runDir, incomplete);
    await until('the last step', async () => lastLine(held.text()) === `  ${next[1]?.line}`);
    assert.deepEqual(
      held
        .text()
        .split('\r\n')
        .slice(-5, -1)
        .map((line) => line.split('\u001b[J').at(-1)),
      [
        'Task T1 asks you (INTERVENTION_REQUIRED): its result packet is incomplete.',
        'What you can do: Mission Control: Complete Intervention or Cancel Mission in the command palette. On the command line:',
        ...next.map(({ line }) => `  ${line}`),
      ],
    );
    const canceled = {
      ...blocked,
      status: 'canceled',
      code: 'TASK_TIMEOUT',
      reason: 'Mission canceled by ada',
    } as const;
    await leaveOutcome(run.runDir, { ...canceled, launch_id: run.known.launch_id });
    await until('the end', async () => lastLine(held.text()) === 'Task T1 is canceled: Mission canceled by ada.');
    // A window that comes later shows the same.
    const late = heldView(run.runDir);
    await until('it', async () => lastLine(late.text()) === 'Task T1 is canceled: Mission canceled by ada.');
    held.type('\n');
    late.type('\n');
    assert.deepEqual(await Promise.all([held.ended, late.ended]), [0, 0]);
    const pipe = view(run.runDir);
    await pipe.ended;
    assert.match(pipe.text(), /Worker exited with code 0\.\nTask T1 is canceled: Mission canceled by ada\.\n$/);
  });

  it('on a terminal says who decides: the owner that is there, or the next one', async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'needs `script` of util-linux');
    const run = await newRun(['true']);
    await run.whole();
    // As a run directory lies in a workspace.
    const workspace = path.join(run.folder, 'ws');
    const runDir = path.join(workspace, '.mission-control/missions/m/runs/1-T1');
    await cp(run.runDir, runDir, { recursive: true });
    const held = heldView(runDir);
    await until('that no process is there', async () => held.text().includes('no process runs this mission now'));
    const lease = createLease({
      file: path.join(workspace, '.mission-control/lease.db'),
      journal: {
        raiseFence: async () => ({
          ok: true,
          value: { fence: 1, at: '', pid: 1, actor: { kind: 'human', name: 'ada' } },
        }),
        owner: async () => null,
      },
    });
    assert.equal((await lease.acquire({ kind: 'human', name: 'ada' })).ok, true);
    await until('that it is being verified', async () => held.text().includes('being verified, for '));
    await lease.release();
    held.type('\n');
    assert.equal(await held.ended, 0);
  });

  it('believes no outcome that was there before the run had ended', async () => {
    const outcome = JSON.stringify({ ...blocked, launch_id: 'LAUNCH', status: 'done', reason: 'perfect' });
    const run = await newRun(['sh', '-c', `echo '${outcome}' > runs/1-T1/outcome.json`]);
    await run.whole();
    await assert.rejects(run.read(runFiles.outcome), { code: 'ENOENT' });
  });

  it('shows hostile text so that it does nothing and nothing of it is lost', () => {
    const hostile = '\u001b]52;c;aGk=\u0007\u202eevil';
    for (const line of [
      signalLine({ kind: 'tool_use', tool: hostile, callId: null, detail: hostile }),
      signalLine({ kind: 'file_change', path: hostile, change: 'add' }),
      signalLine({ kind: 'denial', tool: hostile, path: hostile, reason: hostile, source: 'event' }),
      signalLine({ kind: 'message', text: `\n\n${hostile}\nsecond` }),
      signalLine({ kind: 'error', message: hostile, fatal: true }),
    ])
      assert.match(String(line), /^[^\p{Cc}\u202e]*\\x1b\]52;c;aGk=\\x07\\u202eevil[^\p{Cc}\u202e]*$/u);
    assert.equal(durationText(3_725_000), '1 h 2 min');
    assert.deepEqual(endLines({ kind: 'revoked', ticket: null }, '/run').map(String), [
      'The launch was revoked: nothing was started.',
    ]);
  });

  it('skips lines in signals.jsonl that are no signals', async () => {
    const run = await newRun(['sh', '-c', 'while [ ! -e go ]; do sleep 0.05; done']);
    await run.start();
    await appendFile(
      path.join(run.runDir, runFiles.signals),
      '{"kind":"nonsense"}\nno json\n[]\n{"kind":"progress","text":"real"}\n',
    );
    const shown = view(run.runDir);
    await until('the real one', async () => shown.text().includes('| real\n'));
    await mkdir(path.join(run.folder, 'go'));
    await run.awaitExit();
    await shown.ended;
    assert.deepEqual(run.signals, [{ kind: 'progress', text: 'real' }]);
    assert.doesNotMatch(shown.text(), /nonsense/);
  });
});
