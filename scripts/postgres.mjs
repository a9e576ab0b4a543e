// PostgreSQL for trials and tests: the distribution's packages, unpacked into test/tools/postgres and not installed.
// The product holds nothing of them.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { unpackedOnce } from './debian.mjs';

/** PostgreSQL refuses to run as root, so root starts it as the user without rights. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
/** Every machine has these, or PostgreSQL starts without them. */
const notNeeded = /^(libc6|libc-bin|libgcc-s1|libstdc\+\+6|libllvm\d+|libperl.*|lib.*-perl)$/;

/**
 * @param {string} root the repository root
 * @returns {{ programs: string, env: Record<string, string> } | { missing: string }} the folder of `postgres` and what
 *   its processes need in their environment, or why it is missing
 */
export function postgresForTests(root) {
  const tools = path.join(root, 'test/tools/postgres');
  const failed = unpackedOnce(tools, {
    file: 'usr/lib/postgresql',
    packages: (ask) => {
      // The package postgresql names the release: postgresql-15.
      const named = /^ +Depends: (postgresql-\d+)$/m.exec(ask('apt-cache', 'depends', 'postgresql'))?.[1];
      if (named === undefined) return ['postgresql'];
      const both = [named, named.replace('-', '-client-')];
      return [...both, ...librariesOf(both, ask)];
    },
    works: (unpacked) => {
      const { programs, env } = programsIn(unpacked);
      const { status, stderr } = spawnSync(path.join(programs, 'postgres'), ['--version'], { env, encoding: 'utf8' });
      return status === 0 ? null : `postgres --version ended with ${status}: ${stderr.trim().slice(-300)}`;
    },
  });
  if (failed !== null) return { missing: `PostgreSQL cannot be had: ${failed}` };
  return programsIn(path.join(tools, 'unpacked'));
}

/** The libraries of packages and those that these need. */
function librariesOf(packages, ask) {
  const direct = packages.flatMap((name) => [...ask('apt-cache', 'depends', name).matchAll(/^ +Depends: (lib\S+)$/gm)]);
  const wanted = [...new Set(direct.map(([, name]) => name))].filter((name) => !notNeeded.test(name));
  const only = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((kind) => `--no-${kind}`);
  const all = ask('apt-cache', 'depends', '--recurse', ...only, ...wanted).split('\n');
  return [...new Set(all)].filter((name) => /^lib\S+$/.test(name) && !notNeeded.test(name));
}

/** `usr/lib/postgresql/15/bin` */
function programsIn(unpacked) {
  const releases = path.join(unpacked, 'usr/lib/postgresql');
  const programs = path.join(releases, readdirSync(releases)[0], 'bin');
  const libraries = ['usr/lib', 'lib']
    .map((folder) => path.join(unpacked, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('-gnu'))
        .map((name) => path.join(folder, name)),
    );
  return { programs, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', LD_LIBRARY_PATH: libraries.join(':') } };
}

/**
 * Starts a server that a socket in a folder of its own reaches, and `reached` by TCP with encryption. .artifacts/postgres names the folder until stop()
 * removes it. So the next start removes what a killed run left.
 *
 * @param {string} root the repository root
 * @param {{ programs: string, env: Record<string, string> }} found as postgresForTests answers it
 * @param {{ address: string, network: string, certificate: string, key: string } | null} reached null: by no network
 */
export async function startPostgres(root, { programs, env }, reached = null) {
  const records = path.join(root, '.artifacts/postgres');
  removeAbandoned(records);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mission-postgres-'));
  mkdirSync(records, { recursive: true });
  const record = path.join(records, path.basename(folder));
  const data = path.join(folder, 'data');
  const password = randomBytes(18).toString('hex');
  const secret = path.join(folder, 'password');
  writeFileSync(secret, password, { mode: 0o600 });
  for (const owned of user.uid === undefined ? [] : [folder, secret]) chownSync(owned, user.uid, user.gid);
  const options = { cwd: folder, env, ...user };
  const made = spawnSync(
    path.join(programs, 'initdb'),
    ['-D', data, '-U', 'mission', '-E', 'UTF8', '--locale=C', '--auth=scram-sha-256', '--pwfile', secret, '--no-sync'],
    { ...options, encoding: 'utf8' },
  );
  let server = null;
  const remove = () => {
    server?.kill('SIGQUIT');
    discard(folder, record);
  };
  if (made.status !== 0) {
    remove();
    throw new Error(`initdb ended with ${made.status}: ${made.stderr}`);
  }
  const settings = { listen_addresses: '', unix_socket_directories: folder, jit: 'off', max_connections: '90' };
  if (reached !== null) {
    Object.assign(settings, { listen_addresses: reached.address, ssl: 'on' });
    appendFileSync(path.join(data, 'pg_hba.conf'), `hostssl all all ${reached.network} scram-sha-256\n`);
    for (const [name, from] of Object.entries({ 'server.crt': reached.certificate, 'server.key': reached.key })) {
      const file = path.join(data, name);
      copyFileSync(from, file);
      chmodSync(file, 0o600);
      if (user.uid !== undefined) chownSync(file, user.uid, user.gid);
    }
  }
  const start = async () => {
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = spawn(path.join(programs, 'postgres'), ['-D', data, ...args], { ...options, stdio: 'ignore' });
    writeFileSync(
      record,
      JSON.stringify({ folder, server: server.pid, startedBy: process.pid, begun: begunAt(process.pid) }),
    );
    const isReady = () => spawnSync(path.join(programs, 'pg_isready'), ['-q', '-h', folder], { env }).status === 0;
    for (let left = 300; !isReady(); left -= 1) {
      if (left === 0 || server.exitCode !== null) throw new Error('PostgreSQL did not start');
      await delay(100);
    }
  };
  const end = async (signal) => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  process.once('exit', remove);
  await start();
  return {
    socket: path.join(folder, '.s.PGSQL.5432'),
    password,
    /** Ends the server without a farewell to its clients, as a crash does, and starts it again. */
    restart: async () => {
      await end('SIGQUIT');
      await start();
    },
    stop: async () => {
      await end('SIGINT');
      process.off('exit', remove);
      remove();
    },
  };
}

/** Ends the server and removes the folder of each run that was killed. */
function removeAbandoned(records) {
  for (const name of existsSync(records) ? readdirSync(records) : []) {
    const record = path.join(records, name);
    const { folder, server, startedBy, begun } = JSON.parse(readFileSync(record, 'utf8'));
    if (begunAt(startedBy) === begun) continue;
    // The number of a process is given again, so its command line has to name the folder.
    if (ofProcess(server, 'cmdline').includes(folder)) process.kill(server, 'SIGQUIT');
    discard(folder, record);
  }
}

/** Tries for some seconds, because a server that was just ended still writes. */
function discard(...places) {
  for (const one of places) rmSync(one, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 });
}

/** The time at which a process began, in ticks since the machine started; undefined where it has ended. */
function begunAt(pid) {
  return ofProcess(pid, 'stat').split(') ').at(-1).split(' ')[19];
}

function ofProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
