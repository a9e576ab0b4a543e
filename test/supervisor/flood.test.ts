import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitRecordSchema, runFiles } from '../../src/contracts/launch';
import { skipWithReason } from '../support/skip';
import { cleanUp, newRun, programFile, supervisorFile } from './harness';

const node = process.execPath;
const megabyte = 1024 * 1024;

describe('a worker that writes without end', () => {
  afterEach(cleanUp);

  it('1 GB of output: memory stays flat, disk bounded, all is digested, and both its ends are kept', async function () {
    if (process.platform !== 'linux') skipWithReason(this, "reads the supervisor's memory from /proc");
    const bytes = 1024 * megabyte;
    const run = await newRun([node, programFile('flood.mjs'), String(bytes)]);
    const { supervisor } = await run.start();

    let peak = 0;
    let disk = 0;
    const over = new AbortController();
    const ended = run.awaitExit().finally(() => over.abort());
    while (!over.signal.aborted) {
      const status = await readFile(`/proc/${supervisor.pid}/status`, 'utf8').catch(() => '');
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
      disk = Math.max(disk, await sizeOf(run.runDir));
      await sleep(100);
    }
    const exit = await ended;
    assert.deepEqual([exit.reason, exit.exit_code, exit.error, exit.tree_gone], ['exited', 0, null, true]);
    assert.ok(peak > 0 && peak < 300, `${peak} MB of memory`);
    assert.ok(disk < 120 * megabyte, `${disk / megabyte} MB on disk`);

    const digest = createHash('sha256');
    for (let number = 0; number < bytes / 65_536; number += 1)
      digest.update(`${String(number).padStart(63, '.')}\n`.repeat(1024));
    assert.equal(exit.stdout?.bytes, bytes);
    assert.equal(exit.stdout.sha256, digest.digest('hex').toUpperCase());

    const file = path.join(run.runDir, runFiles.stdout);
    const marker = `\n[${bytes - 72 * megabyte} bytes left out]\n`;
    assert.equal((await stat(file)).size, 72 * megabyte + marker.length);
    assert.equal(exit.stdout.kept_bytes, 72 * megabyte + marker.length);
    const handle = await open(file);
    try {
      const piece = async (length: number, at: number): Promise<string> =>
        (await handle.read(Buffer.alloc(length), 0, length, at)).buffer.toString();
      assert.equal(await piece(64, 0), `${'0'.padStart(63, '.')}\n`);
      assert.equal(await piece(marker.length, 8 * megabyte), marker);
      assert.equal(
        await piece(64, 72 * megabyte + marker.length - 64),
        `${String(bytes / 65_536 - 1).padStart(63, '.')}\n`,
      );
    } finally {
      await handle.close();
    }
    assert.deepEqual(
      (await readdir(run.runDir)).filter((name) => name.includes('.part-')),
      [],
    );
    assert.ok((await stat(path.join(run.runDir, runFiles.signals))).size < 7 * megabyte);
  });

  it('a line without an end takes bounded memory', async function () {
    const run = await newRun(['sh', '-c', 'head -c 50000000 /dev/zero | tr "\\\\0" a']);
    const exit = await run.whole();
    assert.deepEqual([exit.reason, exit.stdout?.bytes, exit.stdout?.kept_bytes], ['exited', 50_000_000, 50_000_000]);
  });

  it('cannot push out, by its messages, what it says that it writes, how long it waits and its end', async () => {
    const script = `
      const say = (event) => require('node:fs').writeSync(1, JSON.stringify(event) + '\\n');
      const message = (...content) => ({ message: { content } });
      const text = 'x'.repeat(50_000);
      const flood = () => { for (let count = 0; count < 200; count += 1) say({ type: 'assistant', ...message({ type: 'text', text }) }); };
      const write = (id, file_path) => {
        say({ type: 'assistant', ...message({ type: 'tool_use', id, name: 'Write', input: { file_path } }) });
        say({ type: 'user', ...message({ type: 'tool_result', tool_use_id: id }) });
      };
      flood();
      for (let count = 0; count < 20_000; count += 1) write('again' + count, 'again.txt');
      write('last', 'elsewhere.txt');
      say({ type: 'system', subtype: 'api_retry', retry_delay_ms: 40_000, error: 'overloaded' });
      flood();
      say({ type: 'result', subtype: 'success', is_error: false, result: 'done', session_id: 'S1' });`;
    const run = await newRun([node, '-e', script], { worker: 'claude' });
    const exit = await run.whole();
    assert.deepEqual([exit.reason, exit.exit_code], ['exited', 0], exit.error ?? '');
    const told = (kind: string) => run.signals.filter((signal) => signal.kind === kind);
    const paths = run.signals.flatMap((signal) => (signal.kind === 'file_change' ? [signal.path] : []));
    assert.deepEqual([...new Set(paths)], ['again.txt', 'elsewhere.txt']);
    assert.ok(told('message').length > 10, 'as many messages as there is room for');
    assert.deepEqual([told('waiting').length, told('session').length, told('final').length], [1, 1, 1]);
    assert.ok((await stat(path.join(run.runDir, runFiles.signals))).size < 8 * megabyte);
  });

  it('a full disk: the worker is stopped with a coded error, and the record still fits', async function () {
    const inNamespace = [
      '--mount',
      ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
      '--propagation',
      'private',
    ];
    if (spawnSync('unshare', [...inNamespace, 'sh', '-c', 'mount -t tmpfs -o size=1m none /mnt']).status !== 0) {
      skipWithReason(this, 'no mount namespace of our own can be made here (unshare --mount)');
    }
    const run = await newRun([node, programFile('flood.mjs'), String(64 * megabyte)]);
    await run.prepare();
    const small = path.join(run.folder, 'small');
    const out = path.join(run.folder, 'out');
    await mkdir(small);
    await mkdir(out);
    const script = `mount -t tmpfs -o size=4m none "$1" && cp -r "$2"/* "$1" && "$3" "$4" own "$1"; echo "code $?" > "$5/code"; cp "$1/exit.json" "$5/"`;
    await promisify(execFile)('unshare', [
      ...inNamespace,
      'sh',
      '-c',
      script,
      'sh',
      small,
      run.runDir,
      node,
      supervisorFile,
      out,
    ]);
    assert.equal(await readFile(path.join(out, 'code'), 'utf8'), 'code 0\n');
    const exit = exitRecordSchema.parse(JSON.parse(await readFile(path.join(out, 'exit.json'), 'utf8')));
    assert.deepEqual([exit.reason, exit.tree_gone], ['log_failed', true]);
    assert.match(exit.error ?? '', /LOG_WRITE_FAILED.*disk is full/);
    await writeFile(path.join(run.runDir, runFiles.exit), JSON.stringify(exit));
  });
});

async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  for (const name of await readdir(folder))
    size += await stat(path.join(folder, name)).then(
      (stats) => stats.size,
      () => 0,
    );
  return size;
}
