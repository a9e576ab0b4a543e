import { setTimeout as delay } from 'node:timers/promises';
import { until, type Running } from '../../cli/cliBed';
import type { CampaignBed } from './bed';

/** Where the newest claim of a mission runs. */
export interface Place {
  readonly host: number;
  readonly folder: string;
  /** Milliseconds of `performance.now()` at which its host said so. */
  readonly at: number;
}

/** Hosts as processes, and what they say on stderr. */
export class Hosts {
  private readonly running: Running[] = [];
  /** Newest claims, by plan. */
  readonly places = new Map<string, Place>();
  readonly claims: (Place & { readonly plan: string })[] = [];

  constructor(private readonly bed: CampaignBed) {
    process.once('exit', this.killAll);
  }

  private readonly killAll = (): void => {
    for (const { child } of this.running) child.kill('SIGKILL');
  };

  get count(): number {
    return this.running.length;
  }

  /** Starts a host, or starts it again after its end, and waits until it asks for missions. */
  async start(number: number): Promise<void> {
    const running = this.bed.hostProcess(number);
    this.running[number] = running;
    const said = { asks: false };
    let rest = '';
    running.child.stderr?.on('data', (data: Buffer) => {
      const lines = (rest + data.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        said.asks ||= line.startsWith('This host takes missions');
        const [, plan = '', what, folder = ''] = /^\S+: (\S+) (began|went on) in (.*)$/.exec(line) ?? [];
        if (what === undefined) continue;
        const place = { host: number, folder, at: performance.now() };
        this.places.set(plan, place);
        this.claims.push({ plan, ...place });
      }
    });
    const { child } = running;
    await until(() => said.asks || child.exitCode !== null);
    if (!said.asks) throw new Error(`host ${number} ended: ${(await running.ended).stderr}`);
  }

  /** Ends that process as `kill -9` does, and waits until it is gone. */
  async kill(number: number): Promise<void> {
    const running = this.running[number];
    running?.child.kill('SIGKILL');
    await running?.ended;
  }

  /** Ends all as a person does. Answers how many did not end by that within a minute. */
  async end(): Promise<number> {
    for (const { child } of this.running) child.kill('SIGTERM');
    const stayed = await Promise.all(
      this.running.map(async ({ child, ended }) => {
        if (await Promise.race([ended.then(() => true), delay(60_000, false)])) return 0;
        child.kill('SIGKILL');
        return 1;
      }),
    );
    process.off('exit', this.killAll);
    return stayed.reduce<number>((sum, one) => sum + one, 0);
  }
}
