import { createInterface } from 'node:readline';
import type { Refusal } from '../engine/ports';
import { exitOfRefusal, type ExitCode } from './exitCodes';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Where a command says things: text for people, one JSON document for programs, diagnostics beside both. */
export interface Output {
  readonly json: boolean;
  /** A line for a person; nothing with --json. Control characters that a worker or a file put there are taken out. */
  line(text?: string): void;
  /** A diagnostic, on stderr with and without --json. */
  note(text: string): void;
  /** The one JSON document; nothing without --json. */
  document(value: unknown): void;
  paint(style: Style, text: string): string;
  /** Says what failed and what can be done, in words or as JSON, and answers with the exit code. */
  refuse(
    refusal: { readonly code: string; readonly reason: string; readonly next: readonly string[] },
    exit?: ExitCode,
  ): ExitCode;
  /** True when a person can be asked. */
  readonly interactive: boolean;
  /** Ctrl+C is a no; `onInterrupt` hears of it. */
  ask(question: string, onInterrupt?: () => void): Promise<boolean>;
}

const sgr: Readonly<Record<Style, string>> = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' };

export function createOutput(json: boolean): Output {
  const colours =
    !json && process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';
  const paint = (style: Style, text: string): string => (colours ? `\u001b[${sgr[style]}m${text}\u001b[0m` : text);
  const line = (text = ''): void => {
    if (!json) process.stdout.write(`${printable(text)}\n`);
  };
  const document = (value: unknown): void => {
    if (json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  };
  return {
    json,
    line,
    note: (text) => process.stderr.write(`${printable(text)}\n`),
    document,
    paint,
    refuse({ code, reason, next }, exit = exitOfRefusal(code)) {
      if (json) document({ accepted: false, code, reason, next });
      else process.stderr.write(`${printable(refusalText({ code, reason, next }))}\n`);
      return exit;
    },
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    ask: (question, onInterrupt) =>
      new Promise((resolve) => {
        const reader = createInterface({ input: process.stdin, output: process.stderr });
        // While it reads, the terminal hands Ctrl+C to it and sends no signal.
        reader.once('SIGINT', () => {
          onInterrupt?.();
          reader.close();
        });
        reader.once('close', () => resolve(false));
        reader.question(`${question} [y/N] `, (answer) => {
          resolve(/^y(es)?$/i.test(answer.trim()));
          reader.close();
        });
      }),
  };
}

export function refusalText({
  code,
  reason,
  next,
}: {
  readonly code: string;
  readonly reason: string;
  readonly next: Refusal['next'];
}): string {
  return [`Refused (${code}): ${reason}`, ...next.map((step) => `  next: ${step}`)].join('\n');
}

/** Without control characters; line feeds, tabs and our own colours stay. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are what is taken out
  return text.replace(/\u001b(?!\[\d{0,3}m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g, '');
}

/** Columns of equal width, two spaces apart. */
export function columns(rows: readonly (readonly string[])[], indent = ''): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cell.length)));
  return rows.map((row) => (indent + row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')).trimEnd());
}
