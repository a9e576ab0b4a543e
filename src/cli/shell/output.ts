import { createInterface } from 'node:readline';
import { LiveLine } from '../../adapters/launches/liveLine';
import type { Refusal } from '../../base/outcome';
import { painted, terminal, type Style, type TerminalText, type TerminalValue } from '../../base/text/terminal';
import { visibleJson } from '../../base/text/visible';
import { exitOfRefusal, type ExitCode } from './exitCodes';

/** Where a command says things: text for people, one JSON document for programs, diagnostics beside both. */
export interface Output {
  readonly json: boolean;
  /** A line for a person; nothing with --json. Only what can be read as it stands: see `base/text/terminal`. */
  line(text?: TerminalText): void;
  /** A diagnostic, on stderr with and without --json. */
  note(text: TerminalText): void;
  /** The one JSON document; nothing without --json. */
  document(value: unknown): void;
  /** Lines of JSON whose exact bytes are somebody's evidence; escaped only on the way to a terminal. */
  jsonLines(lines: readonly string[]): void;
  paint(style: Style, text: TerminalValue): TerminalText;
  /** Whether a line can be drawn over and over: stdout is a terminal and belongs to a person. */
  readonly redraws: boolean;
  /** The line below all others, drawn anew in its place; empty: none. Nothing where nothing redraws. */
  status(text: TerminalText): void;
  /** Says what failed and what can be done, in words or as JSON, and answers with the exit code. */
  refuse(
    refusal: { readonly code: string; readonly reason: string; readonly next: readonly string[] },
    exit?: ExitCode,
  ): ExitCode;
  /** True when a person can be asked. */
  readonly interactive: boolean;
  /** Ctrl+C is a no; `onInterrupt` hears of it. */
  ask(question: TerminalText, onInterrupt?: () => void): Promise<boolean>;
}

export function createOutput(json: boolean): Output {
  const colours =
    !json && process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';
  const below = createStatus(!json && process.stdout.isTTY && process.env['TERM'] !== 'dumb');
  const write = (stream: NodeJS.WriteStream, text: TerminalText): void =>
    below.above(() => void stream.write(`${text.toString()}\n`));
  const document = (value: unknown): void => {
    if (json) process.stdout.write(`${visibleJson(JSON.stringify(value, null, 2))}\n`);
  };
  return {
    json,
    line(text = terminal``) {
      if (!json) write(process.stdout, text);
    },
    note: (text) => write(process.stderr, text),
    document,
    jsonLines(lines) {
      for (const line of lines) process.stdout.write(`${process.stdout.isTTY ? visibleJson(line) : line}\n`);
    },
    paint: (style, text) => (colours ? painted(style, text) : terminal`${text}`),
    redraws: below.redraws,
    status: (text) => below.show(text),
    refuse({ code, reason, next }, exit = exitOfRefusal(code)) {
      if (json) document({ accepted: false, code, reason, next });
      else write(process.stderr, refusalText({ code, reason, next }));
      return exit;
    },
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    ask: (question, onInterrupt) =>
      new Promise((resolve) => {
        const goOn = below.pause();
        const reader = createInterface({ input: process.stdin, output: process.stderr });
        // While it reads, the terminal hands Ctrl+C to it and sends no signal.
        reader.once('SIGINT', () => {
          onInterrupt?.();
          reader.close();
        });
        reader.once('close', () => {
          goOn();
          resolve(false);
        });
        reader.question(terminal`${question} [y/N] `.toString(), (answer) => {
          resolve(/^y(es)?$/i.test(answer.trim()));
          reader.close();
        });
      }),
  };
}

/** The line below: what is written above it takes it away first and puts it back. */
function createStatus(redraws: boolean): {
  readonly redraws: boolean;
  show(text: TerminalText): void;
  above(write: () => void): void;
  /** None is drawn until the answer is called: a person types there. */
  pause(): () => void;
} {
  const live = new LiveLine(process.stdout);
  let status = terminal``;
  let paused = 0;
  const put = (text: string): void => {
    if (text !== '') process.stdout.write(text);
  };
  const draw = (): void => put(status.isEmpty || paused > 0 ? live.erase() : live.draw(status));
  if (redraws)
    process.stdout.on('resize', () => {
      put(live.erase());
      draw();
    });
  return {
    redraws,
    show(text) {
      if (!redraws) return;
      status = text;
      draw();
    },
    above(write) {
      put(live.erase());
      write();
      if (redraws) draw();
    },
    pause() {
      paused += 1;
      put(live.erase());
      return () => {
        paused -= 1;
        if (redraws) draw();
      };
    },
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
}): TerminalText {
  return terminal.lines([terminal`Refused (${code}): ${reason}`, ...next.map((step) => terminal`  next: ${step}`)]);
}
