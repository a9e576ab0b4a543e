import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Context } from 'mocha';
import { needsBubblewrap } from '../support/bubblewrap';
import { needsReachableCheckout } from '../support/unprivileged';
import { users, type User } from '../support/users';
import { cliFile, type Ended, type Running } from './cliBed';
import { LanesBed } from './lanesBed';

/** A workspace on a machine that has bubblewrap, for missions of one user. Its home is the folder around it. */
export class ConfinedBed extends LanesBed {
  readonly #bubblewrap: string;
  readonly #gates: string;

  /** Skips where nothing can be confined. */
  constructor(
    context: Context,
    readonly user: User = users[0] ?? 'myself',
  ) {
    const bubblewrap = needsBubblewrap(context);
    if (user === 'nobody') needsReachableCheckout(context);
    super();
    mkdirSync('.artifacts', { recursive: true });
    this.#gates = mkdtempSync(path.resolve('.artifacts/gates-'));
    chmodSync(this.#gates, 0o755);
    this.#bubblewrap = bubblewrap;
  }

  override get env(): NodeJS.ProcessEnv {
    const env = super.env;
    return { ...env, PATH: `${env['PATH'] ?? ''}${path.delimiter}${this.#bubblewrap}` };
  }

  /** Outside HOME: a command that runs does not see what is made there meanwhile, because HOME is a layer. */
  override gateFile(gate: string): string {
    return path.join(this.#gates, gate);
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    rmSync(this.#gates, { recursive: true, force: true });
  }

  /** What another user reads, a process of that user reads. */
  override mission(...args: string[]): Promise<Ended> {
    return this.user === 'nobody' ? this.start(...args).ended : super.mission(...args);
  }

  override start(...args: string[]): Running {
    const line = [process.execPath, cliFile, ...args, '--json'] as const;
    if (this.user !== 'nobody') return super.start(...args);
    execFileSync('chown', ['-Rh', '65534:65534', this.scratch]);
    return this.spawn('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', ...line]);
  }
}
