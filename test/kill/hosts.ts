import { existsSync, readFileSync } from 'node:fs';
import { hostFiles } from './hostFiles';

/** The extension hosts of a round, by the numbers they took. */
export class Hosts {
  readonly #files;

  constructor(scratch: string) {
    this.#files = hostFiles(scratch);
  }

  all(): readonly number[] {
    return Array.from({ length: this.newest() }, (_, index) => index + 1);
  }

  newest(): number {
    let nth = 0;
    while (existsSync(this.#files.pid(nth + 1)) && this.pid(nth + 1) > 0) nth += 1;
    return nth;
  }

  pid(nth: number): number {
    return Number(readFileSync(this.#files.pid(nth), 'utf8'));
  }

  /** By its command as well: a number is used again some day. */
  isAlive(nth: number): boolean {
    try {
      const state = readFileSync(`/proc/${this.pid(nth)}/stat`, 'latin1')
        .split(') ')
        .at(-1)?.[0];
      const command = readFileSync(`/proc/${this.pid(nth)}/cmdline`, 'latin1');
      return state !== 'Z' && command.includes('--type=extensionHost');
    } catch {
      return false; // it has ended
    }
  }
}
