import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readRunFile, readLiveFacts } from '../../src/adapters/launches/files';
import { activitySchema, runFiles, type Activity } from '../../src/contracts/launch';
import { createMonitor } from '../../src/supervisor/monitor';
import type { Recorder } from '../../src/supervisor/recorder';
import { cleanUp, newRun, until, type Run } from './harness';

const node = process.execPath;

async function activityOf(run: Run): Promise<Activity | null> {
  const read = await readRunFile(run.runDir, runFiles.activity, activitySchema);
  return read.kind === 'ok' ? read.value : null;
}

describe('the activity of a supervised worker', () => {
  afterEach(cleanUp);

  it('follows what a worker prints, second by second, however long its heartbeat interval is', async () => {
    const run = await newRun([node, '-e', 'let n = 0; setInterval(() => console.log(`line ${n++}`), 1000)'], {
      heartbeat_interval_seconds: 3600,
    });
    await run.start();
    const first = await until('the first output', () => activityOf(run));
    const later = await until('more output', async () => {
      const now = await activityOf(run);
      return now !== null && now.output_lines >= first.output_lines + 3 && now;
    });
    assert.ok(later.output_bytes > first.output_bytes);
    assert.ok(Date.parse(later.last_output_at) > Date.parse(first.last_output_at));
    const beat = await run.launches.heartbeat(run.runDir);
    assert.ok(beat && beat.output_bytes < later.output_bytes, 'the heartbeat keeps its interval: it is what is judged');
    const shown = await readLiveFacts(run.runDir);
    assert.ok(shown && shown.output_bytes >= later.output_bytes);
    assert.equal(shown.last_progress_at, shown.last_output_at, 'output is progress');
    await run.launches.requestStop(run.runDir, run.known, 'done');
    await run.awaitExit();
  });

  it('says that the CLI waits for its provider, until it says something else', async () => {
    const retry = { type: 'system', subtype: 'api_retry', retry_delay_ms: 40_000, error: 'overloaded' };
    const program = `console.log(${JSON.stringify(JSON.stringify(retry))});
      const t = setInterval(() => { if (!require("fs").existsSync("on")) return; clearInterval(t);
        console.log(JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text: "Back." }] } })); }, 50);
      setInterval(() => {}, 1e9);`;
    const run = await newRun([node, '-e', program], { worker: 'claude' });
    await run.start();
    const shown = await until('the wait', async () => (await readLiveFacts(run.runDir))?.waiting);
    assert.deepEqual([shown.seconds, shown.reason.includes('overloaded')], [40, true]);
    await writeFile(path.join(run.folder, 'on'), '');
    await until('the end of the wait', async () => {
      const now = await readLiveFacts(run.runDir);
      return now !== null && now.waiting === undefined;
    });
    await run.launches.requestStop(run.runDir, run.known, 'done');
    await run.awaitExit();
  });

  it('is written at most once a second, however often its supervisor looks', async () => {
    const run = await newRun(['/bin/true']);
    await mkdir(run.runDir, { recursive: true });
    let now = 0;
    let looks = 0;
    const progress: Recorder['progress'] = () => {
      looks += 1;
      return {
        events: 0,
        bytes: looks,
        lines: 1,
        lastOutputAt: new Date().toISOString(),
        waiting: null,
        actions: [],
        hooks: [],
      };
    };
    const fail = (error?: unknown): never => assert.fail(String(error));
    const recorder = { progress, fail, look: () => Promise.resolve() } as Partial<Recorder> as Recorder;
    const { runDir, ticket } = run;
    const monitor = createMonitor(
      { runDir, ticket, worker: null, namespace: null, recorder, group: null },
      { onDeadline: fail, onStop: fail, onExcess: fail, onOwnerGone: fail },
      () => now,
    );
    try {
      const first = await until('the first output', () => activityOf(run));
      for (now of [0, 899])
        for (let time = 0; time < 3; time += 1) {
          const before = looks;
          await writeFile(path.join(runDir, runFiles.stop), String(before)); // it looks when this file changes
          await until('another look', () => Promise.resolve(looks > before + 1));
          assert.deepEqual(await activityOf(run), first);
        }
      now = 900;
      await until('what came since', async () => ((await activityOf(run))?.output_bytes ?? 0) > first.output_bytes);
    } finally {
      monitor.dispose();
    }
  });

  it('says what the CLI did last: the newest three, without secrets and without the path of the workspace', async () => {
    const secret = 'hunter2-correct-horse-battery';
    const environment = { PATH: process.env['PATH'], MY_TOKEN: secret };
    const run = await newRun([node, 'cli.mjs'], { worker: 'claude', env_names: ['MY_TOKEN'] }, environment);
    const uses = [
      { name: 'Glob', input: { pattern: 'src/**' } },
      { name: 'Read', input: { file_path: path.join(run.folder, 'src', 'a.ts') } },
      { name: 'Read', input: { file_path: path.join(run.folder, 'src', 'a.ts') } },
      { name: 'Bash', input: { command: `curl -H ${secret}\n  example.test` } },
      { name: 'Edit', input: { file_path: path.join(run.folder, 'b'.repeat(300)) } },
    ];
    const lines = uses.map((use, index) =>
      JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', id: String(index), ...use }] } })
        // Spelled so, the output does not hold it; what is read from it does.
        .replaceAll(secret, `${String.raw`\u0068`}${secret.slice(1)}`),
    );
    await writeFile(
      path.join(run.folder, 'cli.mjs'),
      `for (const line of ${JSON.stringify(lines)}) console.log(line); setInterval(() => {}, 1e9);`,
    );
    await run.start();
    const shown = await until('the actions', async () => {
      const now = await readLiveFacts(run.runDir);
      return now?.actions?.at(-1)?.tool === 'Edit' && now.actions;
    });
    assert.deepEqual(
      shown.map(({ tool, detail }) => [tool, detail.replace(/\[redacted:[^\]]*\]/, 'HIDDEN')]),
      [
        ['Read', path.join('src', 'a.ts')],
        ['Bash', 'curl -H HIDDEN example.test'],
        ['Edit', 'b'.repeat(200)],
      ],
    );
    await run.launches.requestStop(run.runDir, run.known, 'done');
    await run.awaitExit();
  });

  it('is reported during a flood, and completely at its end', async () => {
    const run = await newRun([
      node,
      '-e',
      `const fs = require("fs");
       let n = 0;
       const t = setInterval(() => {
         console.log("x".repeat(99)); n += 100;
         if (!fs.existsSync("enough")) return;
         clearInterval(t); fs.writeFileSync("total", String(n));
       }, 5);
       setInterval(() => {}, 1e9);`,
    ]);
    await run.start();
    const told = async (): Promise<number> => (await activityOf(run))?.output_bytes ?? 0;
    const first = await until('the flood', told);
    await until('more of it', async () => (await told()) > first);
    await writeFile(path.join(run.folder, 'enough'), '');
    const total = await until('the end of the flood, told', async () => {
      const all = Number(await readFile(path.join(run.folder, 'total'), 'utf8').catch(() => '0'));
      return all > 0 && (await told()) === all && all;
    });
    assert.equal((await activityOf(run))?.output_lines, total / 100);
    await run.launches.requestStop(run.runDir, run.known, 'done');
    await run.awaitExit();
  });

  it('is given up without ending the run when it cannot be written', async () => {
    const run = await newRun([node, '-e', 'setInterval(() => console.log("x"), 100)']);
    await run.prepare();
    await mkdir(path.join(run.runDir, runFiles.activity, 'in the way'), { recursive: true });
    await run.start();
    const facts = await until('a heartbeat with output', async () => {
      const found = await readLiveFacts(run.runDir);
      return found !== null && found.output_bytes > 0 && found;
    });
    assert.equal(facts.last_output_at, null);
    await run.launches.requestStop(run.runDir, run.known, 'done');
    assert.equal((await run.awaitExit()).reason, 'stop_requested');
  });
});
