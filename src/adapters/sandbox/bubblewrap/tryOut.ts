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

/** The first line that it said on standard error, or how it ended; without a full stop. */
export function saidBy({ stderr, code }: Pick<Tried, 'stderr' | 'code'>, subject = 'it'): string {
  const line = stderr.split('\n').find((one) => one.trim() !== '');
  if (line === undefined) return `${subject} ended with ${code ?? 'a signal'}`;
  return line.trim().replace(/\.$/, '').slice(0, 300);
}
