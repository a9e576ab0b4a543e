import { createInterface } from 'node:readline';
import { LiveLine } from '../../adapters/launches/liveLine';
import type { Refusal } from '../../base/outcome';
import { painted, terminal, type Style, type TerminalText, type TerminalValue } from '../../base/text/marked/terminal';
import { visibleJson } from '../../base/text/marked/visible';
import type { RefusalCode } from '../../contracts/vocabulary/codes/codes';
import type { callMeanings } from '../../contracts/vocabulary/codes/refusals';

/** A refusal, also with a code that a document or an owner gave. */
export type Refused = Omit<Refusal, 'code'> & { readonly code: string };

/** What a command prints: text for people, one JSON document for programs, diagnostics beside both. */
export interface Output {
  readonly json: boolean;
  /** Whether an answer was printed yet, in the form that the caller reads. */
  readonly said: boolean;
  /** A line for a person; nothing with --json. */
  line(text?: TerminalText): void;
  /** A diagnostic, on stderr with and without --json. It is no answer. */
  note(text: TerminalText): void;
  /** An answer for a person that leaves stdout to a patch: on stderr with and without --json. */
  beside(text: TerminalText): void;
  /** The one JSON document; nothing without --json. */
  document(value: unknown): void;
  /** Lines of JSON whose exact bytes are evidence; escaped only on a terminal. */
  jsonLines(lines: readonly string[]): void;
  paint(style: Style, text: TerminalValue): TerminalText;
  /** Whether a line can be redrawn: stdout is a terminal, without --json. */
  readonly redraws: boolean;
  /** Redraws the line below all others; empty removes it. Does nothing where `redraws` is false. */
  status(text: TerminalText): void;
  /** Prints what was refused and what can be done, in words or as JSON, and returns the exit code. */
  refuse(refusal: Refused, exit?: ExitCode): ExitCode;
  readonly interactive: boolean;
  /** Asks a person. Ctrl+C is a no. */
  ask(question: TerminalText, onInterrupt?: () => void): Promise<boolean>;
  /** Asks a person for a line of text. Null: Ctrl+C, which calls `onInterrupt`, or the input ended. */
  askLine(question: TerminalText, onInterrupt?: () => void): Promise<string | null>;
}

export interface Streams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Printing;
  readonly stderr: Printing;
}

type Printing = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

export function createOutput(
  json: boolean,
  { stdin, stdout, stderr }: Streams,
  environment: Readonly<Record<string, string | undefined>>,
): Output {
  const shows = !json && stdout.isTTY === true;
  const colours = shows && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
  const below = createStatus(shows && environment['TERM'] !== 'dumb', stdout);
  let said = false;
  const print = (stream: Printing, text: string): void => {
    stream.write(`${text}\n`);
  };
  const write = (stream: Printing, text: TerminalText): void => below.above(() => print(stream, text.toString()));
  const answer = (stream: Printing, text: TerminalText): void => {
    said ||= !json;
    write(stream, text);
  };
  const document = (value: unknown): void => {
    if (!json) return;
    said = true;
    print(stdout, visibleJson(JSON.stringify(value, null, 2)));
  };
  const askLine: Output['askLine'] = (question, onInterrupt) =>
    new Promise((resolve) => {
      const unpause = below.pause();
      const reader = createInterface({ input: stdin, output: stderr });
      // While it reads, the terminal gives Ctrl+C to it and sends no signal.
      reader.once('SIGINT', () => {
        onInterrupt?.();
        reader.close();
      });
      reader.once('close', () => {
        unpause();
        resolve(null);
      });
      reader.question(terminal`${question} `.toString(), (line) => {
        resolve(line.trim());
        reader.close();
      });
    });
  return {
    json,
    get said() {
      return said;
    },
    line(text = terminal``) {
      if (!json) answer(stdout, text);
    },
    note: (text) => write(stderr, text),
    beside: (text) => answer(stderr, text),
    document,
    jsonLines(lines) {
      said ||= lines.length > 0;
      for (const line of lines) print(stdout, stdout.isTTY === true ? visibleJson(line) : line);
    },
    paint: (style, text) => (colours ? painted(style, text) : terminal`${text}`),
    redraws: below.redraws,
    status: (text) => below.show(text),
    refuse({ code, reason, next }, exit = exitOfRefusal(code)) {
      if (json) document({ accepted: false, code, reason, next });
      else answer(stderr, refusalText({ code, reason, next }));
      return exit;
    },
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    ask: async (question, onInterrupt) =>
      /^y(es)?$/i.test((await askLine(terminal`${question} [y/N]`, onInterrupt)) ?? ''),
    askLine,
  };
}

/** The line below: erased before other output and drawn again afterwards. */
function createStatus(
  redraws: boolean,
  stdout: Printing,
): {
  readonly redraws: boolean;
  show(text: TerminalText): void;
  above(write: () => void): void;
  /** Draws no line until the returned function is called: a person types there. */
  pause(): () => void;
} {
  const live = new LiveLine({
    get columns() {
      return stdout.columns ?? 80;
    },
  });
  let status = terminal``;
  let paused = 0;
  const put = (text: string): void => {
    if (text !== '') stdout.write(text);
  };
  const draw = (): void => put(status.isEmpty || paused > 0 ? live.erase() : live.draw(status));
  if (redraws)
    stdout.on('resize', () => {
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

export function refusalText({ code, reason, next }: Refused): TerminalText {
  return terminal.lines([terminal`Refused (${code}): ${reason}`, ...next.map((step) => terminal`  next: ${step}`)]);
}

/** Exit codes of `mission`, a stable interface; see `mission --help`. */
export const exitCodes = { ok: 0, failed: 1, refused: 2, blocked: 3, environment: 4 } as const;
export type ExitName = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The help and docs/reference/exit-codes.md show them. */
export const exitMeanings: Readonly<Record<ExitName, string>> = {
  ok: 'done, valid, completed',
  failed: 'invalid, failed, or not verified',
  refused: 'usage error, file unreadable, or refused before anything started',
  blocked: 'blocked or paused: a person must act',
  environment: 'environment: agent CLI, Node, file system, another owner of the missions',
};

const environmentCodes: ReadonlySet<string> = new Set<RefusalCode | keyof typeof callMeanings>([
  'CONFINEMENT_UNAVAILABLE',
  'WORK_UNSEEN',
  'WORK_HIDES',
  'HARD_LINKS_LEAD_OUT',
  'SERVICE_NOT_OPENED',
  'WORKER_MISSING',
  'PROVIDER_UNUSABLE',
  'PORT_UNAVAILABLE',
  'FLEET_UNAVAILABLE',
  'FLEET_UNSIGNED',
  'FLEET_UNWATCHED',
  'FLEET_NO_HOST',
  'FLEET_CLAIMED',
  'LEASE_HELD',
  'LEASE_BLOCKED',
  'LEASE_UNSUPPORTED',
  'STATE_FOLDER_UNAVAILABLE',
  'PROGRAM_CHANGED',
  'STATE_STORE_NEWER',
  'STATE_STORE_FOREIGN',
  'STATE_STORE_UNMARKED',
  'STATE_STORE_CORRUPT',
  'STATE_STORE_UNWRITABLE',
  'EVIDENCE_UNWRITABLE',
  'EFFECT_FAILED',
  'NODE_UNSUPPORTED',
  'UNEXPECTED',
]);

export function exitOfRefusal(code: string): ExitCode {
  if (code === 'PLAN_INVALID') return exitCodes.failed;
  return environmentCodes.has(code) ? exitCodes.environment : exitCodes.refused;
}
