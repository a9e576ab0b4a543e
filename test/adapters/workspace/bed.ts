import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import assert from 'node:assert/strict';
import { createWorkspace, type WorkspaceOptions } from '../../../src/adapters/workspace/workspace';
import type { DifferenceFacts, DifferenceRequest, Workspace } from '../../../src/engine/ports/workspace';
import type { Change, ExternalSave } from '../../../src/core/observation/change';
import { attributed, type AttributionVerdict } from '../../support/attribution';

/** A workspace on a real disk, with the times an attempt has. */
export class Bed {
  readonly scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-workspace-')));
  readonly root = path.join(this.scratch, 'work');
  readonly outside = path.join(this.scratch, 'outside');
  readonly workspace: Workspace;
  private runs = 0;
  private runDir = '';
  private paths: readonly string[] = [];
  private forbidden: readonly string[] = [];
  private started = '';
  private baselineSha = '';

  /** Baselines lie apart from the workspace. */
  readonly kept = { user_state: path.join(this.scratch, 'state') };

  constructor(options: Partial<WorkspaceOptions> = {}) {
    mkdirSync(path.join(this.root, '.mission-control'), { recursive: true });
    mkdirSync(this.outside);
    this.workspace = createWorkspace(this.root, { ...this.kept, ...options });
  }

  /** A repository with one commit of a few files; `src` is what tasks usually may change. */
  static repository(options: Partial<WorkspaceOptions> = {}): Bed {
    const bed = new Bed(options);
    bed.git('init', '-q', '-b', 'main');
    bed.git('config', 'user.name', 'Somebody');
    bed.git('config', 'user.email', 'somebody@example.invalid');
    bed.write('src/a.txt', 'a\n');
    bed.write('src/b.txt', 'b\n');
    bed.write('README.md', 'read me\n');
    bed.write('.gitignore', 'node_modules/\ndist/\n.env\n.mission-control/\n*.log\n');
    bed.write('docs/plans/PLAN_x.json', '{}\n');
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'first');
    return bed;
  }

  at(relative: string): string {
    return path.join(this.root, relative);
  }

  write(relative: string, content: string | Uint8Array): void {
    mkdirSync(path.dirname(this.at(relative)), { recursive: true });
    writeFileSync(this.at(relative), content);
  }

  git(...args: string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(folder: string, ...args: string[]): string {
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.scratch, GIT_CONFIG_NOSYSTEM: '1' };
    const options = ['-c', 'protocol.file.allow=always', '-c', 'user.name=S', '-c', 'user.email=s@example.invalid'];
    return execFileSync('git', [...options, ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async baseline(paths: readonly string[] = ['src'], forbidden: readonly string[] = []): Promise<void> {
    this.paths = paths;
    this.forbidden = forbidden;
    this.runDir = this.at(`.mission-control/missions/m/runs/${++this.runs}-t`);
    mkdirSync(this.runDir, { recursive: true });
    const facts = await this.workspace.baseline({ mission_id: 'm', forbidden_paths: forbidden, paths });
    if (!facts.ok) assert.fail(facts.refusal.reason);
    this.baselineSha = facts.value.manifest_sha256;
    this.started = new Date().toISOString();
  }

  async difference(): Promise<DifferenceFacts> {
    const facts = await this.workspace.difference(this.request);
    if (!facts.ok) assert.fail(facts.refusal.reason);
    return facts.value;
  }

  /** What the difference is worth when the worker ran from the baseline until now. */
  async judge(saves: readonly ExternalSave[] = []): Promise<Judged> {
    const ended = new Date(Date.now() + 1).toISOString();
    const facts = await this.difference();
    const { changes, verdict } = attributed({
      changes: facts.changes,
      paths: this.paths,
      forbidden_paths: this.forbidden,
      worker_started_at: this.started,
      worker_ended_at: ended,
      external_saves: saves,
    });
    return { changes, verdict, not_observed: facts.not_observed };
  }

  /** Read without asking git, whose configuration a test may have spoiled. */
  headCommit(): string {
    return readFileSync(this.at('.git/refs/heads/main'), 'utf8');
  }

  /** The request for the difference to the last baseline. */
  get request(): DifferenceRequest {
    return {
      mission_id: 'm',
      run_dir: this.runDir,
      forbidden_paths: this.forbidden,
      paths: this.paths,
      baseline_sha256: this.baselineSha,
    };
  }

  get runDirectory(): string {
    return this.runDir;
  }

  remove(): void {
    rmSync(this.scratch, { recursive: true, force: true });
  }
}

export interface Judged {
  readonly changes: readonly Change[];
  readonly verdict: AttributionVerdict;
  readonly not_observed: readonly string[];
}

/** `kind path` of every change, in order. */
export function summary(changes: readonly { kind: string; path: string }[]): readonly string[] {
  return changes.map((change) => `${change.kind} ${change.path}`);
}
