export interface Clock {
  /** ISO-8601 UTC with milliseconds. */
  now(): string;
  /** The time that many seconds later. */
  after(time: string, seconds: number): string;
}

export interface Timers {
  /** Calls back once, at or after the time. */
  at(time: string, callback: () => void): { dispose(): void };
}

export interface Ids {
  uuid(): string;
  /** Lower-case hex digits. */
  hex(length: number): string;
  /** Lower-case base 36 digits. */
  base36(length: number): string;
}
