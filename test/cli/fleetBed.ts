import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Context } from 'mocha';
import { fleetTools } from '../../scripts/fleet/tools.mjs';
import { startPostgres, type PostgresServer } from '../../scripts/postgres.mjs';
import { missionQueue } from '../../src/adapters/fleet/pgBossFleet';
import type { MissionView } from '../../src/contracts/page/missionView';
import type { FleetOutcome } from '../../src/contracts/fleet';
import type { SealedText } from '../../src/contracts/fleetMirror';
import { skipWithReason } from '../support/skip';
import { CliBed, cliFile, start, until, type Ended, type Running, type TaskOptions } from './cliBed';

/** What each test of a suite has: a fleet of its own, on one database. */
export interface Fleet {
  readonly bed: FleetBed;
  readonly rows: Missions;
  /** The password of its database. */
  readonly password: string;
}

/** Gives each test of this suite a fleet, after which `begun` runs. */
export function forEachFleet(begun: (fleet: Fleet) => void): void {
  let server: PostgresServer;
  let fleet: Fleet;
  before(async function () {
    server = await startDatabase(this);
  });
  after(() => server.stop());
  beforeEach(async () => {
    const bed = new FleetBed(server);
    fleet = { bed, rows: await Missions.open(bed.database()), password: server.password };
    begun(fleet);
  });
  afterEach(async () => {
    await fleet.rows.close();
    await fleet.bed.dispose();
  });
}

/** A PostgreSQL of its own with the tables of a fleet, until `stop`. Skips the suite where the machine has no PostgreSQL. */
async function startDatabase(context: Context): Promise<PostgresServer> {
  const tools = await fleetTools(process.cwd());
  if (tools.missing !== undefined) skipWithReason(context, tools.missing);
  const server = await startPostgres(process.cwd(), tools.postgres);
  const bed = new FleetBed(server);
  assert.equal((await bed.mission('fleet', 'list')).json.code, 'FLEET_UNAVAILABLE');
  const made = await bed.mission('fleet', 'setup');
  assert.equal(made.code, 0, made.stdout + made.stderr);
  await bed.dispose();
  return server;
}

interface Boss {
  on(event: 'error', listener: () => void): void;
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  supervise(): Promise<void>;
  createQueue(name: string, options: object): Promise<void>;
  send(name: string, data: unknown, options: object): Promise<string>;
  findJobs(name: string, options: object): Promise<readonly { readonly data: SealedText }[]>;
  getQueues(): Promise<readonly { readonly name: string }[]>;
  getDb(): { executeSql(text: string, values?: unknown[]): Promise<unknown> };
}

/** The rows of a fleet, as each user with the password of the database can change them. */
export class Missions {
  private constructor(private readonly boss: Boss) {}

  static async open(url: string): Promise<Missions> {
    const tools = await fleetTools(process.cwd());
    if (tools.missing !== undefined) throw new Error(tools.missing);
    const { PgBoss } = tools.packages('pg-boss') as { readonly PgBoss: new (options: object) => Boss };
    const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, migrate: false, max: 1 });
    boss.on('error', () => {});
    await boss.start();
    return new Missions(boss);
  }

  add(data: unknown): Promise<string> {
    return this.boss.send(missionQueue, data, { singletonKey: randomUUID(), group: { id: 'of a stranger' } });
  }
  async order(id: string): Promise<SealedText> {
    const queues = (await this.boss.getQueues()).map(({ name }) => this.boss.findJobs(name, { id }));
    const [job] = (await Promise.all(queues)).flat();
    if (!job) throw new Error(`there is no mission ${id}`);
    return job.data;
  }
  export(job: string, content: string): Promise<unknown> {
    const text = 'INSERT INTO mission_export (job, name, run_id, content) VALUES ($1, $2, $3, $4)';
    return this.boss.getDb().executeSql(text, [job, 'forged', 'forged', content]);
  }
  run(text: string): Promise<unknown> {
    return this.boss.getDb().executeSql(text);
  }
  /** Looks for hosts that have not said a word in time. */
  supervise(): Promise<void> {
    return this.boss.supervise();
  }
  close(): Promise<void> {
    return this.boss.stop({ graceful: false });
  }
}

/** A workspace whose plans go to a fleet, and hosts of that fleet as real processes. */
export class FleetBed extends CliBed {
  constructor(private readonly server: PostgresServer) {
    super();
  }

  override get env(): NodeJS.ProcessEnv {
    const env = super.env;
    // An SSH that reaches this machine alone.
    const ssh = path.join(this.scratch, 'bin', 'ssh');
    if (!existsSync(ssh)) writeFileSync(ssh, '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n', { mode: 0o755 });
    return {
      ...env,
      MISSION_FLEET_DATABASE: this.database(),
      // Where an installation has pg-boss beside the program.
      NODE_PATH: path.resolve('test/tools/fleet/node_modules'),
    };
  }

  database(user = 'mission', password = this.server.password): string {
    return `postgres://${user}:${password}@/postgres?host=${encodeURIComponent(path.dirname(this.server.socket))}`;
  }

  /** An approved plan whose tasks the newest commit has. */
  async approved(planId: string, tasks: readonly TaskOptions[], execution: object = {}): Promise<string> {
    const file = this.plan(planId, tasks, { ...execution });
    this.git('add', '.');
    this.git('commit', '-q', '-m', `plan ${planId}`);
    await this.mission('plan', 'approve', file, '--by', 'Ada', '--yes');
    return file;
  }

  /** The script of a task that notes in the scratch folder that it ran. */
  noted(name: string, then = ''): string {
    return `${start}fs.appendFileSync(${JSON.stringify(this.gateFile('ran'))}, '${name} '); fs.writeFileSync('docs/out/${name}', '');${then}`;
  }
  ran(): string {
    return readFileSync(this.gateFile('ran'), 'utf8').trim();
  }
  /** The second one waits until `gate` is open. */
  twoTasks(): readonly TaskOptions[] {
    return [
      { task_id: 'T1', script: this.noted('first') },
      { task_id: 'T2', script: this.noted('second', this.waitAt('gate')), depends_on: ['T1'] },
    ];
  }
  /** The folder of the first mission of a host. */
  folderOf(host: string): string {
    const missions = path.join(this.scratch, host, 'missions');
    return path.join(missions, readdirSync(missions)[0] ?? '');
  }
  waits(host: string): Promise<unknown> {
    return until(
      () =>
        existsSync(path.join(this.scratch, host, 'missions')) &&
        existsSync(path.join(this.folderOf(host), 'docs/out/waits-at-gate')),
    );
  }

  /** The folder of the first mission of a host, once that mission waits for a person. */
  blocked(host: string): Promise<string> {
    return until(async () => {
      if (!existsSync(path.join(this.scratch, host, 'missions'))) return null;
      const folder = this.folderOf(host);
      const { json } = await this.mission('status', '--workspace', folder);
      return (json.missions as readonly { readonly status: string }[] | undefined)?.[0]?.status === 'blocked'
        ? folder
        : null;
    });
  }
  /** A process that watches the fleet for this workspace. */
  watch(...more: string[]): Running {
    return this.spawn(process.execPath, [cliFile, 'fleet', 'watch', '--json', ...more], {
      cwd: this.root,
      env: this.env,
    });
  }
  /** A mission as this workspace shows it; null: it shows none of that plan. */
  async seen(planId: string): Promise<MissionView | null> {
    const { json } = await this.mission('status', planId);
    return (json.missions as unknown as readonly MissionView[] | undefined)?.[0] ?? null;
  }

  submit(plan: string, ...more: string[]): Promise<Ended> {
    return this.submitFrom('file://', plan, ...more);
  }

  /** The repository is reached by SSH, which a signer may name. */
  submitBySsh(plan: string, ...more: string[]): Promise<Ended> {
    return this.submitFrom('ssh://fleet.example.com', plan, ...more);
  }

  private submitFrom(way: string, plan: string, ...more: string[]): Promise<Ended> {
    const ref = this.git('rev-parse', 'HEAD').trim();
    return this.mission('fleet', 'submit', plan, '--repo', `${way}${encodeURI(this.root)}`, '--ref', ref, ...more);
  }

  /** How a mission ended. Rejects while it has not. */
  async outcome(id: string, ...more: string[]): Promise<FleetOutcome> {
    const { json } = await this.mission('fleet', 'show', id, ...more);
    const outcome = json.outcome as unknown as FleetOutcome | null;
    return outcome ?? Promise.reject(new Error(`${id} has not ended`));
  }

  /** `mission fleet list` without a variable. */
  without(name: string): Running {
    const { [name]: _, ...env } = this.env;
    return this.spawn(process.execPath, [cliFile, 'fleet', 'list', '--json'], { env });
  }

  /** `mission fleet host`, with a folder of its own below the scratch folder. */
  host(name: string, ...more: string[]): Running {
    return this.hostWith({}, name, ...more);
  }

  /** A host of another user: with a home, and so with a key, of its own. */
  hostOfAnother(name: string, ...more: string[]): Running {
    const HOME = path.join(this.scratch, 'home of another');
    mkdirSync(HOME, { recursive: true });
    return this.hostWith({ HOME }, name, ...more);
  }

  /** The file of a new SSH key, and its line for a list. */
  sshKey(name: string, uses = ''): { readonly file: string; readonly listed: string } {
    const file = path.join(this.scratch, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file]);
    return { file, listed: `${name}@example.com ${uses}${readFileSync(`${file}.pub`, 'utf8')}` };
  }

  hostWith(env: NodeJS.ProcessEnv, name: string, ...more: string[]): Running {
    const folder = path.join(this.scratch, name);
    mkdirSync(folder, { recursive: true });
    const args = [cliFile, 'fleet', 'host', '--folder', folder, '--json', ...more];
    return this.spawn(process.execPath, args, { cwd: this.scratch, env: { ...this.env, ...env } });
  }
}
