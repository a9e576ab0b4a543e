import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** One JSON line on standard output, written before this returns: a kill cannot take it back. */
export function say(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** Lines on standard input; the program ends with it. */
export function listen(onLine: (line: string) => void | Promise<void>): void {
  const reader = createInterface(process.stdin);
  reader.on('line', (line) => void onLine(line));
  reader.on('close', () => process.exit(0));
}

export function argument(index: number, otherwise?: string): string {
  const value = process.argv[index + 2] ?? otherwise;
  if (value === undefined) throw new Error(`argument ${String(index)} is missing`);
  return value;
}
