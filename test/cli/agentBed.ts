import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Context } from 'mocha';
import { needsBubblewrap } from '../support/bubblewrap';
import { CliBed, cliFile, type Ended } from './cliBed';
import { writeFakeClaude } from './fakeClaude';

/** A workspace with one task for a program that speaks as Claude Code does, and folders outside it. */
export class AgentBed extends CliBed {
  readonly outside = path.join(this.scratch, 'outside');
  readonly claude = path.join(this.scratch, 'claude');
  /** The person's, which does not hold the workspace. */
  home = path.join(this.scratch, 'home');
  private searched = '';

  /** @param folders names below `outside` that are there */
  constructor(folders: readonly string[]) {
    super();
    for (const folder of [this.home, ...folders.map((name) => path.join(this.outside, name))])
      mkdirSync(folder, { recursive: true });
  }

  override get env(): NodeJS.ProcessEnv {
    const { PATH = '', ...rest } = super.env;
    return { ...rest, HOME: this.home, PATH: `${PATH}${this.searched}` };
  }

  /** Makes the bed a machine that has bubblewrap; skips the test on another machine. */
  findBubblewrap(context: Context): void {
    this.searched = `${path.delimiter}${needsBubblewrap(context)}`;
  }

  /** @param body what the program does, as `writeFakeClaude` takes it, like `model` */
  speaks(body: string, model: string | null = null): void {
    writeFakeClaude(this.claude, body, model);
  }

  agentPlan(name: string, execution: Record<string, unknown> = {}): string {
    const delegation = { claude_code: true, constraints: [] };
    return this.plan(name, [{ worker: 'claude', prompt: 'x' }], { confinement: 'off', delegation, ...execution });
  }

  withClaude(...args: string[]): Promise<Ended> {
    return this.mission(...args, ...this.claudeOptions);
  }

  get claudeOptions(): readonly string[] {
    return ['--cli', `claude=${this.claude}`];
  }

  /** `mission` that dies by its own hand at a point; without one it reports the points that it reached. */
  killedAt(point: string | null, ...args: string[]): Promise<Ended> {
    const points = path.resolve('dist-test/kill/points.program.js');
    return this.spawn(process.execPath, ['--require', points, cliFile, ...args, '--json', ...this.claudeOptions], {
      env: { ...this.env, KILL_POINTS_FILE: this.pointsFile, ...(point === null ? {} : { KILL_AT: point }) },
    }).ended;
  }

  get pointsFile(): string {
    return path.join(this.scratch, 'points');
  }

  /** The directories of `--add-dir`, for every start of the program. */
  launches(): readonly (readonly string[])[] {
    const file = `${this.claude}.launches`;
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => {
      const args = JSON.parse(line) as string[];
      return args.filter((_, index) => args[index - 1] === '--add-dir');
    });
  }

  place(...names: string[]): string {
    return path.join(this.outside, ...names);
  }
}
