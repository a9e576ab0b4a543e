import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

let template: string | null = null;

/** What every bed begins with a copy of, made once for this process: a repository with one commit. */
export function repository(): string {
  template ??= makeRepository();
  return template;
}

function makeRepository(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-template-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  gitIn(folder, '/nowhere', ['init', '-q', '-b', 'main']);
  writeFileSync(path.join(folder, 'README.md'), 'read me\n');
  writeFileSync(path.join(folder, '.gitignore'), '.mission-control/\n');
  gitIn(folder, '/nowhere', ['add', '.']);
  gitIn(folder, '/nowhere', ['commit', '-q', '-m', 'first']);
  return folder;
}

/** What git answers to a person whose settings are those in `home`. */
export function gitIn(cwd: string, home: string, args: readonly string[]): string {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const person = ['-c', 'user.name=S', '-c', 'user.email=s@example.invalid'];
  return execFileSync('git', [...person, ...args], { cwd, env, encoding: 'utf8' });
}
