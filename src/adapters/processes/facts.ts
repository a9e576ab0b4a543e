/** The environment variable that marks every process of one launch, including those whose parents ended. */
export const nonceVariable = 'MISSION_RUN_NONCE';

/** One row of the process table. CPU times are seconds since the process started. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  /** Process group; null where the platform has none. */
  readonly group: number | null;
  /** POSIX session; null where the platform has none or does not report it. */
  readonly session: number | null;
  /** In the platform's own format; with pid and boot id it identifies one process for ever. */
  readonly startTime: string;
  /** Ended, but not collected by its parent; it holds no resources and counts as gone. */
  readonly zombie: boolean;
  readonly cpuSeconds: number;
  /** CPU seconds of its children that ended and were collected. */
  readonly childCpuSeconds: number;
}

/** The operating system's facts about processes; one implementation for each platform. */
export interface ProcessTable {
  /** Changes with every boot, so an identity of another boot is never alive. */
  bootId(): Promise<string>;
  list(): Promise<ReadonlyMap<number, ProcessFacts>>;
  read(pid: number): Promise<ProcessFacts | null>;
  /** Bytes of memory that these processes hold for themselves alone, as far as the platform reports it. */
  memoryOf(pids: readonly number[]): Promise<number>;
  /** Processes whose initial environment holds `MISSION_RUN_NONCE`, with this value or (null) with any. */
  carriers(nonce: string | null): Promise<readonly number[]>;
  /** The arguments, or an empty list when they cannot be read. */
  commandLine(pid: number): Promise<readonly string[]>;
  /** Asks (`SIGTERM`) or forces (`SIGKILL`) one process to end; `group`: the process group it leads. Never throws. */
  signal(pid: number, signal: 'SIGTERM' | 'SIGKILL', group: boolean): Promise<void>;
}
