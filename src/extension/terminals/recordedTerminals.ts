import type { Memento, Terminal } from 'vscode';
import { identityOf, isAlive, processTable } from '../../adapters/processes/tree';
import type { ProcessIdentity } from '../../contracts/launch';

/**
 * Records across reloads which process shows which run. It does so because a restored terminal has no name and no
 * options, only the same process. A pid alone proves nothing, because after a restart it may be a person's own
 * terminal. A killed extension host loses its last record; then the arguments of the process show the run.
 */
export class RecordedTerminals {
  readonly #opened = new Map<string, Terminal>();
  readonly #waiting = new Map<string, (terminal: Terminal) => void>();
  /** Processes whose runs got another terminal, because their own did not come back in time. */
  readonly #givenUp = new Set<ProcessIdentity>();

  constructor(private readonly memory: Pick<Memento, 'get' | 'update'>) {}

  /** Records the terminal of a run. Returns an earlier one that still exists. */
  async record(runDir: string, terminal: Terminal): Promise<Terminal | undefined> {
    const pid = await terminal.processId;
    const identity = pid === undefined ? null : await identityOf(pid);
    if (identity === null) return undefined;
    const before = this.#opened.get(runDir);
    this.#opened.set(runDir, terminal);
    await this.memory.update(key, { ...this.#all(), [runDir]: identity });
    return before === terminal || before?.exitStatus !== undefined ? undefined : before;
  }

  async forget(runDir: string): Promise<void> {
    this.#opened.delete(runDir);
    const { [runDir]: _gone, ...others } = this.#all();
    await this.memory.update(key, others);
  }

  /** The run that a terminal of this window shows, if it was recorded. */
  runDirOf(terminal: Terminal): string | undefined {
    return [...this.#opened].find(([, opened]) => opened === terminal)?.[0];
  }

  /** Call it for each terminal that VS Code opens. False: it came too late, and its run has another one by now. */
  async opened(terminal: Terminal): Promise<boolean> {
    const pid = await terminal.processId;
    const known = [...this.#givenUp, ...Object.values(this.#all())].filter((recorded) => recorded.pid === pid);
    for (const identity of known) {
      if (!(await isAlive(identity))) continue;
      const late = [...this.#givenUp].find((one) => isSame(one, identity));
      if (late) return !this.#givenUp.delete(late);
      const runDir = Object.entries(this.#all()).find(([, recorded]) => isSame(recorded, identity))?.[0];
      if (runDir !== undefined) return this.#adopt(runDir, terminal);
    }
    const shown = pid === undefined ? undefined : runDirShownBy(await processTable.commandLine(pid));
    return shown === undefined || this.#adopt(shown, terminal);
  }

  #adopt(runDir: string, terminal: Terminal): boolean {
    const there = this.#opened.get(runDir);
    if (there !== undefined && there !== terminal && there.exitStatus === undefined) return false;
    this.#opened.set(runDir, terminal);
    this.#waiting.get(runDir)?.(terminal);
    this.#waiting.delete(runDir);
    return true;
  }

  /** The run's former terminal, if its process lives; undefined: it does not come back in time. */
  async returning(runDir: string, limitMs: number): Promise<Terminal | undefined> {
    const identity = this.#all()[runDir];
    if (identity === undefined || !(await isAlive(identity))) return undefined;
    const there = this.#opened.get(runDir);
    if (there) return there.exitStatus === undefined ? there : undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(runDir);
        this.#givenUp.add(identity);
        resolve(undefined);
      }, limitMs);
      this.#waiting.set(runDir, (terminal) => {
        clearTimeout(timer);
        resolve(terminal);
      });
    });
  }

  #all(): Readonly<Record<string, ProcessIdentity>> {
    return this.memory.get(key, {});
  }
}

const key = 'terminals';

/** The run directory in `supervisor-….cjs view RUN_DIR [--hold]`; some systems report all arguments as one line. */
function runDirShownBy(argv: readonly string[]): string | undefined {
  const supervisor = /supervisor-[^/\\]+\.cjs$/;
  const at = argv.findIndex((argument, index) => argument === 'view' && supervisor.test(argv[index - 1] ?? ''));
  return at < 0
    ? undefined
    : argv
        .slice(at + 1)
        .join(' ')
        .replace(/ --hold$/, '');
}

function isSame(left: ProcessIdentity, right: ProcessIdentity): boolean {
  return left.pid === right.pid && left.start_time === right.start_time && left.boot_id === right.boot_id;
}
