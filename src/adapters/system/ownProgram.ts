import { execFile } from 'node:child_process';
import os from 'node:os';

/** Runs our own command line with `--json`; resolves with its output, whatever its exit code. */
export function runMission(cliFile: string, args: readonly string[]): Promise<string> {
  const electron = process.versions['electron'] !== undefined ? { ELECTRON_RUN_AS_NODE: '1' } : {};
  const env = { ...process.env, ...electron };
  return new Promise((resolve) => {
    execFile(process.execPath, [cliFile, ...args, '--json'], { cwd: os.homedir(), env }, (error, stdout) => {
      resolve(stdout.trim() === '' && error ? error.message : stdout);
    });
  });
}
