import { isBlank } from '../../../contracts/vocabulary/forms';
import { listAt, quoted, type JsonObject } from '../../../base/json';
import {
  eachCommand,
  isCompound,
  literalArgv,
  readCommand,
  shellArgv,
  type CommandReading,
  type IdleReason,
} from '../../../base/text/commandLine';
import { utf8 } from '../../../base/sha256';
import type { AddPlanFinding } from './judgedTask';

/** Judges the commands that check a task or a milestone: each has to be able to fail. */
export function judgeVerify(owner: JsonObject | null, pointer: string, report: AddPlanFinding): void {
  (listAt(owner, 'verify') ?? []).forEach((argv, index) => {
    if (Array.isArray(argv)) judgeArgv(argv, 'verify', `${pointer}/verify/${index}`, report);
  });
}

/** Judges the command of a task. It may do nothing, because its task is judged by what it changed. */
export function judgeCommand(argv: readonly unknown[], pointer: string, report: AddPlanFinding): void {
  judgeArgv(argv, 'command', pointer, report);
}

/** In `verify` a shell's syntax is an error, because such a check passes although a part of it never runs. */
function judgeArgv(
  argv: readonly unknown[],
  field: 'verify' | 'command',
  pointer: string,
  report: AddPlanFinding,
): void {
  const texts = argv.filter((word) => typeof word === 'string');
  if (argv.length === 0 || (typeof argv[0] === 'string' && isBlank(argv[0]))) {
    const message = 'The argument list names no program; write it like ["node", "--test"]. No shell reads it.';
    report('ARGV_INVALID', pointer, message);
    return;
  }
  // A character has three bytes at most.
  const long = texts.find((text) => text.length * 3 > mostBytesOfText && utf8(text).length > mostBytesOfText);
  if (long !== undefined) {
    const message = `The text has ${utf8(long).length} bytes, and Linux passes at most ${mostBytesOfText} to a program; put it into a file.`;
    report('ARGV_INVALID', `${pointer}/${argv.indexOf(long)}`, message);
    return;
  }
  if (texts.length < argv.length) return;
  const reading = readCommand(texts);
  switch (reading.kind) {
    case 'plain':
      return;
    case 'words':
      report(
        'ARGV_ONE_TEXT',
        `${pointer}/0`,
        `${quoted(texts[0])} is a whole command line in one text, and no shell takes it apart; write it like ${written([...reading.words, ...texts.slice(1)])}.`,
        'warning',
      );
      return;
    case 'shell':
    case 'unread':
      report(
        'ARGV_SHELL_SYNTAX',
        `${pointer}/${reading.at}`,
        `${syntaxWords(texts, reading)}; ${advice(texts, reading, field)}.`,
        field === 'verify' && !reading.doubtful ? 'error' : 'warning',
      );
      return;
    case 'idle':
      if (field === 'verify')
        report('VERIFY_CANNOT_FAIL', `${pointer}/${reading.at}`, `${idleWords(texts, reading)}.`, 'warning');
      return;
    case 'skips':
      if (field === 'verify') report('VERIFY_RUNS_NOTHING', `${pointer}/${reading.at}`, skipWords(reading), 'warning');
      return;
    case 'hides':
      if (field === 'verify') {
        const sentence = `The exit code does not count each failure in ${quoted(reading.command)}; ${hiddenAdvice(texts, reading)}.`;
        report('VERIFY_HIDES_FAILURE', `${pointer}/${reading.at}`, sentence, 'warning');
      }
  }
}

/** Linux' MAX_ARG_STRLEN without the NUL at its end. */
const mostBytesOfText = 131_071;

type Syntax = Extract<CommandReading, { kind: 'shell' | 'unread' }>;

function syntaxWords(argv: readonly string[], reading: Syntax): string {
  const word = quoted(argv[reading.at]);
  if (reading.kind === 'unread') return `${quoted(argv[reading.at - 1])} is run, and ${word} behind it changes nothing`;
  switch (reading.what) {
    case 'line':
      return `${word} is a line for a shell in one text, and no shell reads it`;
    case 'operator':
      return `${word} is the syntax of a shell, and no shell reads it: ${quoted(argv[0])} gets it as an argument`;
    case 'variable':
      return `Only a shell replaces ${word}, and no shell reads it: ${quoted(argv[0])} gets it as it stands`;
    case 'assignment':
      return `${word} sets a variable in a shell, and no shell reads it`;
    case 'builtin':
      return `${word} is a builtin of a shell and no program`;
    case 'keyword':
      return `${word} is a word of a shell and no program`;
  }
}

function advice(argv: readonly string[], reading: Syntax, field: 'verify' | 'command'): string {
  const { line } = reading;
  const shell = shellArgv(line);
  const each = field === 'verify' ? eachCommand(line) : null;
  const literal = reading.kind === 'shell' && reading.at > 0;
  const ways = [
    ...(shell ? [`write ${written(shell)}`] : []),
    ...(each ? [`${shell ? '' : 'write '}one entry for each command: ${each.map(written).join(', ')}`] : []),
    ...(literal ? [`where ${quoted(argv[reading.at])} itself is meant, ${written(literalArgv(argv))}`] : []),
  ];
  if (ways.length > 0) return ways.join('; or ');
  return isCompound(line)
    ? 'write the whole line into a script, such as check.sh, and let a shell run that: ["sh","check.sh"]'
    : 'write one entry for each command, without "&", "|| true" and their like';
}

function idleWords(argv: readonly string[], { at, because }: { at: number; because: IdleReason }): string {
  const word = quoted(argv[at]);
  switch (because) {
    case 'program':
      return `${word} passes whatever the task did; write a command that fails where the work is wrong`;
    case 'words':
      return `${word} passes by its words alone, whatever the task did; write each operand as a text, such as ["test","-e","out/a"]`;
    case 'input':
      return `${word} without a file runs its input, which is empty, and passes; name the file that it runs`;
    case 'nothing':
      return `${word} holds no command, and passes; write the command that checks`;
    case 'script':
      return `The last command of ${word} passes whatever the task did; end with the command that checks`;
    case 'effect':
      return `${word} changes only the shell that runs it, and checks nothing; write it in one text with its check, such as ["sh","-c","cd sub && npm test"]`;
  }
}

function skipWords({ flag, certain, syntax, argv }: Extract<CommandReading, { kind: 'skips' }>): string {
  if (syntax) return `${quoted(flag)} checks only the syntax of a script; let another command check what it does.`;
  const work = argv ? `write ${written(argv)}` : 'write the command that does its work';
  return certain
    ? `${quoted(flag)} keeps the command from its work; ${work}.`
    : `${quoted(flag)} may let the command pass although it checked nothing or found a fault; ${argv ? work : 'leave it out'}.`;
}

function hiddenAdvice(texts: readonly string[], { at, argv }: Extract<CommandReading, { kind: 'hides' }>): string {
  if (argv) return `write ${written(argv)}`;
  return texts[at] === ';'
    ? '"find" passes although it failed, so let a program go through the files'
    : 'join the commands with "&&" alone, or write one entry for each';
}

/** A list as a plan holds it; a long one is shown by its form. */
function written(argv: readonly string[]): string {
  const text = JSON.stringify(argv);
  return text.length > 300 ? '["sh","-c","..."], with the whole line as its last text' : text;
}
