import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fleetTools } from '../../../scripts/fleet/tools.mjs';
import { startPostgres, type PostgresServer } from '../../../scripts/postgres.mjs';
import type { FleetOutcome } from '../../../src/contracts/fleet';
import { cliFile, start, until, type Ended, type Running } from '../../cli/cliBed';
import { FleetBed, Missions } from '../../cli/fleetBed';
import type { HostNetwork } from './network';

/** A task as a process saw itself begin and end, in a file outside of every folder of a mission. */
export interface Seen {
  readonly plan: string;
  readonly task: string;
  readonly what: 'begin' | 'end';
}

/** A mission of the fleet as `mission fleet list` prints it. */
export interface Listed {
  readonly id: string;
  readonly state: string;
  readonly claims: number;
  readonly outcome: FleetOutcome | null;
}

export const taskIds = ['T1', 'T2', 'T3'] as const;

/** A database, a workspace whose plans go to a fleet, and repositories that its hosts fetch from. */
export class CampaignBed extends FleetBed {
  private readonly outside: string;
  private repositories: readonly string[] = [];

  private constructor(
    readonly postgres: PostgresServer,
    readonly rows: { run(text: string): Promise<unknown>; close(): Promise<void> },
    private readonly network: HostNetwork | null,
  ) {
    super(postgres);
    this.outside = this.gateFile('tasks-that-ran');
    writeFileSync(this.outside, '');
    process.once('exit', this.remove);
  }

  /** Lets tasks that wait end as well, because they look for their file. */
  private readonly remove = (): void => rmSync(this.scratch, { recursive: true, force: true, maxRetries: 3 });

  /** A text says what this machine lacks. */
  static async open(network: HostNetwork | null): Promise<CampaignBed | string> {
    const tools = await fleetTools(process.cwd());
    if (tools.missing !== undefined) return tools.missing;
    const postgres = await startPostgres(process.cwd(), tools.postgres, network?.reached ?? null);
    const first = new FleetBed(postgres);
    const made = await first.mission('fleet', 'setup');
    if (made.code !== 0) throw new Error(made.stdout + made.stderr);
    const rows = await Missions.open(first.database());
    await first.dispose();
    return new CampaignBed(postgres, rows, network);
  }

  async close(): Promise<void> {
    await this.rows.close();
    await this.dispose();
    process.off('exit', this.remove);
    await this.postgres.stop();
  }

  /** Rows that the database answers. */
  async ask(text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return ((await this.rows.run(text)) as { readonly rows: readonly Readonly<Record<string, unknown>>[] }).rows;
  }

  /** The first number of the first row. */
  async number(text: string): Promise<number> {
    return Number(Object.values((await this.ask(text))[0] ?? {})[0]);
  }

  /** Writes plans of three short tasks, commits them together and approves each. `waits` names tasks that wait. */
  async approve(plans: readonly string[], waits: (plan: string) => string | null): Promise<void> {
    for (const plan of plans) {
      const tasks = taskIds.map((task, index) => ({
        task_id: task,
        script: this.script(plan, task, waits(plan) === task),
        depends_on: index === 0 ? [] : [taskIds[index - 1]],
      }));
      this.plan(plan, tasks);
    }
    this.git('add', '.');
    this.git('commit', '-q', '-m', `plans from ${plans[0] ?? ''}`);
    for (const plan of plans) {
      const approved = await this.mission('plan', 'approve', fileOf(plan), '--by', 'Ada', '--yes');
      if (approved.code !== 0) throw new Error(approved.stdout + approved.stderr);
    }
  }

  private script(plan: string, task: string, waits: boolean): string {
    const says = (what: Seen['what']): string =>
      `fs.appendFileSync(${JSON.stringify(this.outside)}, '${plan} ${task} ${what}\\n');`;
    const gate = JSON.stringify(this.gateFile(`gate-${plan}`));
    const wait = `while (!fs.existsSync(${gate}) && fs.existsSync(${JSON.stringify(this.outside)})) await new Promise((go) => setTimeout(go, 20));`;
    return `${start}${says('begin')} ${waits ? wait : ''} fs.writeFileSync('docs/out/${plan}-${task}', ''); ${says('end')}`;
  }

  ranOutside(): readonly Seen[] {
    const lines = readFileSync(this.outside, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => {
      const [plan = '', task = '', what = ''] = line.split(' ');
      return { plan, task, what: what as Seen['what'] };
    });
  }

  /** True: a process of the task has begun and not ended. */
  runs(plan: string, task: string): boolean {
    const own = this.ranOutside().filter((one) => one.plan === plan && one.task === task);
    return own.filter(({ what }) => what === 'begin').length > own.filter(({ what }) => what === 'end').length;
  }

  openGate(plan: string): void {
    appendFileSync(this.gateFile(`gate-${plan}`), '');
  }

  /** Copies of the repository, because hosts run one mission of a repository at a time. */
  copyRepository(count: number): void {
    this.repositories = Array.from({ length: count }, (_, n) => path.join(this.scratch, `repository-${n}.git`));
    for (const one of this.repositories) {
      if (existsSync(one)) execFileSync('git', ['-C', one, 'fetch', '-q', this.root, '+main:main']);
      else execFileSync('git', ['clone', '-q', '--bare', this.root, one]);
    }
  }

  /** Returns the ids of the missions, in the order of the plans. */
  async submitAll(plans: readonly string[]): Promise<readonly string[]> {
    const ref = this.git('rev-parse', 'HEAD').trim();
    const ids: string[] = [];
    for (const [index, plan] of plans.entries()) {
      const repository = `file://${encodeURI(this.repositories[index % this.repositories.length] ?? '')}`;
      const made = await this.mission('fleet', 'submit', fileOf(plan), '--repo', repository, '--ref', ref);
      if (made.code !== 0) throw new Error(made.stdout + made.stderr);
      ids.push(made.json.id);
    }
    return ids;
  }

  async listed(): Promise<readonly Listed[]> {
    return (await this.mission('fleet', 'list')).json.missions as unknown as readonly Listed[];
  }

  /** How many of these missions have not ended. Asks on while the database does not answer. */
  async left(ids: readonly string[]): Promise<number> {
    const list = ids.map((id) => `'${id}'`).join(', ');
    const text = `SELECT count(*) FROM pgboss.job WHERE id IN (${list}) AND state IN ('created', 'retry', 'active')`;
    return until(async () => ({ count: await this.number(text).catch(() => Number.NaN) })).then(({ count }) =>
      Number.isNaN(count) ? ids.length : count,
    );
  }

  /** Starts `mission fleet host` as the host of that number. */
  hostProcess(number: number): Running {
    const folder = path.join(this.scratch, `host-${number}`);
    mkdirSync(folder, { recursive: true });
    const args = [process.execPath, cliFile, 'fleet', 'host', '--folder', folder, '--json'];
    const [file = '', ...more] = [...(this.network?.commandOf(number) ?? []), ...args];
    const address = this.network === null ? {} : { MISSION_FLEET_DATABASE: this.addressOf(this.network) };
    return this.spawn(file, more, { cwd: this.scratch, env: { ...this.env, ...address } });
  }

  private addressOf({ reached }: HostNetwork): string {
    const query = `sslmode=verify-full&sslrootcert=${encodeURIComponent(reached.certificate)}`;
    return `postgres://mission:${this.postgres.password}@${reached.address}/postgres?${query}`;
  }

  /** Runs `mission` about a mission in the folder of its host. */
  inFolder(folder: string, ...args: string[]): Promise<Ended> {
    return this.mission(...args, '--workspace', folder);
  }
}

export function fileOf(plan: string): string {
  return `docs/plans/PLAN_${plan}.json`;
}
