export interface Tried {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a small program to see how it ends; it gets twenty seconds. */
export async function tryOut(file: string, args: readonly string[]): Promise<Tried> {
  // Loaded late: execa does not load on Node 20, where `mission check` has to run.
  const { execa } = await import('execa');
  const result = await execa(file, args, {
    reject: false,
    timeout: 20_000,
    stdin: 'ignore',
    cwd: '/',
    env: { LC_ALL: 'C' },
  });
  return {
    code: result.exitCode ?? null,
    stdout: result.stdout,
    stderr: result.stderr === '' ? (result.originalMessage ?? '') : result.stderr,
  };
}
