import type { Memento, Terminal } from 'vscode';

/**
 * Which process shows which run, kept over reloads: a terminal that VS Code brings back has no name and no
 * options, only the same process id.
 */
export class RecordedTerminals {
  readonly #opened = new Map<number, Terminal>();
  readonly #waiting = new Map<number, (terminal: Terminal) => void>();
  /** Processes whose runs got another terminal, because theirs did not come back in time. */
  readonly #givenUp = new Set<number>();

  constructor(private readonly memory: Pick<Memento, 'get' | 'update'>) {}

  async record(runDir: string, pid: number): Promise<void> {
    await this.memory.update(key, { ...this.#all(), [runDir]: pid });
  }

  async forget(runDir: string): Promise<void> {
    const { [runDir]: _gone, ...others } = this.#all();
    await this.memory.update(key, others);
  }

  runDirOf(pid: number | undefined): string | undefined {
    return Object.entries(this.#all()).find(([, recorded]) => recorded === pid)?.[0];
  }

  /** VS Code reports a terminal of this window. False: it comes too late, its run has another one by now. */
  opened(terminal: Terminal, pid: number | undefined): boolean {
    if (pid === undefined) return true;
    if (this.#givenUp.delete(pid)) return false;
    this.#opened.set(pid, terminal);
    this.#waiting.get(pid)?.(terminal);
    this.#waiting.delete(pid);
    return true;
  }

  /** The terminal that showed this run before, should its process still live; undefined when it does not come back. */
  async returning(runDir: string, limitMs: number): Promise<Terminal | undefined> {
    const pid = this.#all()[runDir];
    if (pid === undefined) return undefined;
    const there = this.#opened.get(pid);
    if (there) return there.exitStatus === undefined ? there : undefined;
    if (!isAlive(pid)) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(pid);
        this.#givenUp.add(pid);
        resolve(undefined);
      }, limitMs);
      this.#waiting.set(pid, (terminal) => {
        clearTimeout(timer);
        resolve(terminal);
      });
    });
  }

  #all(): Readonly<Record<string, number>> {
    const stored = this.memory.get<unknown>(key);
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, number>) : {};
  }
}

const key = 'terminals';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { readonly code?: unknown }).code === 'EPERM';
  }
}
