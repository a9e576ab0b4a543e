// A fleet of a trial: a database of its own, hosts as processes, each behind a way to the database that can be cut.
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { cutProxy } from './cut-proxy.mjs';

const host = path.join(import.meta.dirname, 'host.mjs');

/**
 * Opens a fleet without hosts.
 *
 * @param {string} engine the name of a file beside this one
 * @param {{ socket: string, password: string }} server
 * @param {string} database its name
 */
export async function openFleet(engine, server, database) {
  const { control } = await import(`./${engine}.mjs`);
  const hosts = new Map();
  const events = [];
  const own = await cutProxy(server.socket);
  const urlOf = ({ port }) => `postgresql://mission:${server.password}@127.0.0.1:${port}/${database}`;
  const engineControl = await control(urlOf(own));
  await engineControl.prepare();

  const killAll = () => {
    for (const { child } of hosts.values()) child.kill('SIGKILL');
  };
  process.once('exit', killAll);

  async function start(name) {
    const way = await cutProxy(server.socket);
    const child = spawn(process.execPath, [host, engine, urlOf(way), name], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said = line.startsWith('{"what"') ? JSON.parse(line) : { what: 'printed', text: line };
      events.push({ at: now(), host: name, pid: child.pid, ...said });
    });
    createInterface({ input: child.stderr }).on('line', (text) =>
      events.push({ at: now(), host: name, pid: child.pid, what: 'complained', text }),
    );
    hosts.set(child.pid, { name, child, way, ended });
    const ready = await until(({ pid, what }) => pid === child.pid && what === 'ready', 300);
    if (ready === undefined) throw new Error(`host ${name} did not start`);
    return child.pid;
  }

  /** Waits for an event, also one that has happened; undefined where it did not happen in time. */
  async function until(matches, seconds) {
    for (const limit = now() + seconds; now() < limit; await delay(20)) {
      const found = events.find(matches);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async function close() {
    await engineControl.close();
    own.close();
    process.off('exit', killAll);
    killAll();
    for (const { way, ended } of hosts.values()) {
      await ended;
      way.close();
    }
  }

  return { url: urlOf(own), control: engineControl, hosts, events, start, until, close };
}

/** Seconds by a clock that only goes forward. */
export function now() {
  return performance.now() / 1000;
}
