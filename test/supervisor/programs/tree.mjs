// A worker with a difficult family. Every member writes its pid to FOLDER/<name>.pid; then it waits, or ends with
// --exit once all of them are there.
//   tree.mjs FOLDER [--exit]
import { spawn } from 'node:child_process';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const [folder, option] = process.argv.slice(2);
const pidFile = (name) => path.join(folder, `${name}.pid`);
const sayPid = (name) => {
  writeFileSync(`${pidFile(name)}.new`, String(process.pid));
  renameSync(`${pidFile(name)}.new`, pidFile(name));
};

if (option === 'stubborn') {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  sayPid('stubborn');
  setInterval(() => undefined, 1000);
} else {
  const inShell = (name) =>
    `echo $$ > '${pidFile(name)}.new' && mv '${pidFile(name)}.new' '${pidFile(name)}' && exec sleep 1000`;
  // Ignores every polite signal.
  spawn(process.execPath, [import.meta.filename, folder, 'stubborn'], { stdio: 'inherit' });
  // Double fork and a session of its own: a child of init, known by its nonce alone.
  spawn('setsid', ['-f', 'sh', '-c', inShell('daemon')], { stdio: 'ignore' });
  // Without any environment: known by its parent.
  spawn('env', ['-i', '/bin/sh', '-c', `PATH=/usr/bin:/bin; ${inShell('bare')}`], { stdio: 'ignore' });
  sayPid('worker');
  const waiting = setInterval(() => {
    if (!['stubborn', 'daemon', 'bare'].every((name) => existsSync(pidFile(name)))) return;
    clearInterval(waiting);
    process.stdout.write('family complete\n');
    if (option === '--exit') process.exit(0);
    setInterval(() => undefined, 1000);
  }, 20);
}
