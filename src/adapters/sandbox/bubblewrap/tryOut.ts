import { execFile } from 'node:child_process';

export interface Tried {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts a small program to see how it ends, within twenty seconds. Without execa, because the doctor runs on Node 20
 * too.
 */
export function tryOut(file: string, args: readonly string[]): Promise<Tried> {
  const options = { timeout: 20_000, cwd: '/', env: { ...process.env, LC_ALL: 'C' } };
  return new Promise((resolve) => {
    const child = execFile(file, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, stdout, stderr: stderr === '' ? (error?.message ?? '') : stderr });
    });
    child.stdin?.end();
  });
}
