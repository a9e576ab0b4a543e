import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Context } from 'mocha';
import { needsBubblewrap } from '../support/bubblewrap';
import { skipWithReason } from '../support/skip';
import { needsReachableCheckout } from '../support/unprivileged';
import { users, type User } from '../support/users';
import { cliFile, type Ended, type Running } from './cliBed';
import { LanesBed } from './lanesBed';

/** A workspace on a machine that has bubblewrap, for missions of one user. Its home is the folder around it. */
export class ConfinedBed extends LanesBed {
  readonly #bubblewrap: string;
  readonly #gates: string;
  #isLayerless = false;
  /** A path below which everything has the group of root; for `nobody`. */
  othersGroup: string | null = null;

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

  /** Lets no layer lie over the workspace: as root by a mount in it, as another user by the group of a folder. */
  keepLayersAway(context: Context): void {
    if (this.user === 'myself') skipWithReason(context, 'only root mounts something in a workspace');
    mkdirSync(this.at('mounted'));
    this.othersGroup = 'mounted';
    this.#isLayerless = true;
  }

  /** A name in each of the layers in which work waits. */
  layers(name: string): readonly string[] {
    const workspaces = path.join(this.scratch, '.local/state/mission-control/workspaces');
    const shared = readdirSync(workspaces).map((key) => path.join(workspaces, key, 'caches/shared'));
    return shared
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).map((layer) => path.join(folder, layer, name)));
  }

  /** Removes the layers in which work waits, as a cleaning of the machine does. */
  loseLayers(): void {
    for (const layer of this.layers('')) rmSync(layer, { recursive: true, force: true });
  }

  /** What another user reads, a process of that user reads. */
  override mission(...args: string[]): Promise<Ended> {
    return this.user === 'nobody' || this.#isLayerless ? this.start(...args).ended : super.mission(...args);
  }

  override start(...args: string[]): Running {
    return this.startBy([], this.env, ...args);
  }

  /** Runs a command that is killed at a point of `test/kill/points.ts`. */
  killedAt(point: string, ...args: string[]): Promise<Ended> {
    const points = ['--require', path.resolve('dist-test/kill/points.program.js')];
    return this.startBy(points, { ...this.env, KILL_AT: point }, ...args).ended;
  }

  private startBy(options: readonly string[], env: NodeJS.ProcessEnv, ...args: string[]): Running {
    const words = [...options, cliFile, ...args, '--json'];
    if (this.user !== 'nobody' && !this.#isLayerless) return this.spawn(process.execPath, words, { env });
    const line = [process.execPath, ...words];
    const mounts = ['-m', 'sh', '-c', 'mount -t tmpfs none "$0" && exec "$@"', this.at('mounted')];
    if (this.user !== 'nobody') return this.spawn('unshare', [...mounts, ...line], { env });
    // Only what is not yet that user's, because a chown is a change.
    execFileSync('find', [this.scratch, '!', '-uid', '65534', '-exec', 'chown', '-h', '65534:65534', '{}', '+']);
    if (this.othersGroup !== null) execFileSync('chown', ['-R', '65534:0', this.at(this.othersGroup)]);
    return this.spawn('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', ...line], { env });
  }
}
