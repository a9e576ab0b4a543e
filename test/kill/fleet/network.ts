import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { PostgresReached } from '../../../scripts/postgres.mjs';
import { findExecutable } from '../../../src/adapters/processes/commandLine';

/** A direction in which a host and the database lose each other. */
export const cuts = ['what the host says is lost', 'what the database says is lost', 'the link is down'] as const;
export type Cut = (typeof cuts)[number];

/** Names of one run, so that its end, or the next run, removes these and nothing else. */
interface Made {
  readonly startedBy: number;
  readonly begun: string;
  readonly bridge: string;
  readonly spaces: string[];
  readonly links: string[];
  /** Black holes of this machine's own table. */
  readonly holes: string[];
}

/** Hosts with a network namespace each, and a bridge on which the database listens. Needs root, iproute2 and openssl. */
export class HostNetwork {
  private constructor(
    private readonly ip: string,
    private readonly record: string,
    private readonly made: Made,
    private readonly prefix: string,
    readonly reached: PostgresReached,
  ) {}

  /** A text says why this machine cannot make it. `files` is a folder for the certificate. */
  static async create(hosts: number, files: string): Promise<HostNetwork | string> {
    if (process.platform !== 'linux' || process.getuid?.() !== 0)
      return 'network namespaces need Linux and root, and this user is not root';
    const ip = await findExecutable('ip', process.env);
    const openssl = await findExecutable('openssl', process.env);
    if (ip === null || openssl === null) return `${ip === null ? 'ip of iproute2' : 'openssl'} is not installed`;
    const records = path.resolve('.artifacts/fleet-networks');
    mkdirSync(records, { recursive: true });
    for (const name of readdirSync(records)) removeAbandoned(ip, path.join(records, name));
    const id = `mcf${process.pid}`;
    const used = run(ip, '-4', '-o', 'addr');
    const third = Array.from({ length: 250 }, (_, n) => n + 1).find((n) => !used.includes(` 198.18.${n}.`));
    if (third === undefined) return 'no network of 198.18.0.0/16 is free';
    const prefix = `198.18.${third}`;
    const [certificate, key] = [path.join(files, 'server.crt'), path.join(files, 'server.key')];
    const made: Made = {
      ...{ startedBy: process.pid, begun: begunAt(process.pid), bridge: `${id}b` },
      ...{ spaces: [], links: [], holes: [] },
    };
    const reached = { address: `${prefix}.1`, network: `${prefix}.0/24`, certificate, key };
    const network = new HostNetwork(ip, path.join(records, id), made, prefix, reached);
    process.once('exit', network.remove);
    try {
      // The driver compares the name localhost where it connects to an address.
      const names = `subjectAltName=DNS:localhost,IP:${reached.address}`;
      run(
        ...([
          openssl,
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-days',
          '9',
          '-subj',
          '/CN=localhost',
        ] as const),
        ...['-addext', names, '-keyout', key, '-out', certificate],
      );
      network.keep();
      run(ip, 'link', 'add', 'name', made.bridge, 'type', 'bridge');
      run(ip, 'addr', 'add', `${reached.address}/24`, 'dev', made.bridge);
      run(ip, 'link', 'set', made.bridge, 'up');
      for (let host = 0; host < hosts; host += 1) network.add(host, `${id}-${host}`, `${id}h${host}`);
    } catch (error) {
      network.remove();
      return `ip does not make the network: ${error instanceof Error ? error.message.split('\n').join(' ') : String(error)}`;
    }
    return network;
  }

  private add(host: number, space: string, link: string): void {
    this.made.spaces.push(space);
    this.made.links.push(link);
    this.keep();
    const inside = (...args: string[]): string => run(this.ip, '-n', space, ...args);
    run(this.ip, 'netns', 'add', space);
    run(this.ip, 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'host0', 'netns', space);
    run(this.ip, 'link', 'set', link, 'master', this.made.bridge, 'up');
    inside('link', 'set', 'lo', 'up');
    inside('addr', 'add', `${this.addressOf(host)}/24`, 'dev', 'host0');
    inside('link', 'set', 'host0', 'up');
  }

  private addressOf(host: number): string {
    return `${this.prefix}.${host + 10}`;
  }

  /** The command that runs another one as that host. */
  commandOf(host: number): readonly [string, ...string[]] {
    return [this.ip, 'netns', 'exec', this.spaceOf(host)];
  }

  cut(host: number, how: Cut): void {
    if (how === 'what the host says is lost')
      run(this.ip, '-n', this.spaceOf(host), 'route', 'add', 'blackhole', this.reached.address);
    else if (how === 'the link is down') run(this.ip, 'link', 'set', this.linkOf(host), 'down');
    else {
      this.made.holes.push(this.addressOf(host));
      this.keep();
      run(this.ip, 'route', 'add', 'blackhole', this.addressOf(host));
    }
  }

  mend(host: number, how: Cut): void {
    if (how === 'what the host says is lost')
      run(this.ip, '-n', this.spaceOf(host), 'route', 'del', 'blackhole', this.reached.address);
    else if (how === 'the link is down') run(this.ip, 'link', 'set', this.linkOf(host), 'up');
    else {
      run(this.ip, 'route', 'del', 'blackhole', this.addressOf(host));
      this.made.holes.splice(this.made.holes.indexOf(this.addressOf(host)), 1);
      this.keep();
    }
  }

  private spaceOf(host: number): string {
    return this.made.spaces[host] ?? '';
  }
  private linkOf(host: number): string {
    return this.made.links[host] ?? '';
  }
  private keep(): void {
    writeFileSync(this.record, JSON.stringify(this.made));
  }

  /** Removes what this run made. */
  readonly remove = (): void => {
    process.off('exit', this.remove);
    removeMade(this.ip, this.record);
  };
}

/** Removes the network of a run that was killed. */
function removeAbandoned(ip: string, record: string): void {
  const { startedBy, begun } = JSON.parse(readFileSync(record, 'utf8')) as Made;
  if (begunAt(startedBy) !== begun) removeMade(ip, record);
}

function removeMade(ip: string, record: string): void {
  if (!existsSync(record)) return;
  const { bridge, spaces, links, holes } = JSON.parse(readFileSync(record, 'utf8')) as Made;
  const tried = (...args: string[]): void => {
    try {
      run(ip, ...args);
    } catch {
      // It was not made, or went with its namespace.
    }
  };
  for (const address of holes) tried('route', 'del', 'blackhole', address);
  for (const link of links) tried('link', 'del', link);
  for (const space of spaces) tried('netns', 'del', space);
  tried('link', 'del', bridge);
  rmSync(record, { force: true });
}

/** Throws with what the program says. */
function run(file: string, ...args: readonly string[]): string {
  return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The time at which a process began, in ticks since the machine started; empty where it has ended. */
function begunAt(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
