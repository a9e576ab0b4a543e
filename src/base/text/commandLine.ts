import { isBlank } from '../../contracts/vocabulary/forms';
import { shellWord } from './steps';
import {
  idleFlag,
  isKnown,
  passesByItsWords,
  programName,
  startOf,
  succeeding,
  unreadOperand,
  type IdleFlag,
} from './idleFlags';

/** What an argument list says to the program that is started, where its author wrote it for a shell. */
export type CommandReading =
  | { readonly kind: 'plain' }
  /** A command line without any syntax in one text. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** No shell reads it. `at`: the first such argument; `line`: the text as a shell would read it. */
  | {
      readonly kind: 'shell';
      readonly at: number;
      readonly what: ShellSyntax;
      /** The argument may also be meant as a text, such as a pattern. */
      readonly doubtful?: true;
      readonly line: string;
    }
  /** A shell or an interpreter runs one text alone. `doubtful`: what that text calls may read the arguments behind it. */
  | { readonly kind: 'unread'; readonly at: number; readonly doubtful?: true; readonly line: string }
  /** It exits with 0 whatever it was to check. `at`: the argument that makes it so. */
  | { readonly kind: 'idle'; readonly at: number; readonly because: IdleReason }
  /** A flag keeps it from its work. `argv`: the list that runs the work; null: only a person knows it. */
  | ({ readonly kind: 'skips'; readonly argv: readonly string[] | null } & IdleFlag)
  /** The exit code may be 0 although this command failed. `argv`: the list that counts it; null: only a person can. */
  | {
      readonly kind: 'hides';
      readonly at: number;
      readonly command: string;
      readonly argv: readonly string[] | null;
    };

export type ShellSyntax = 'line' | 'operator' | 'variable' | 'assignment' | 'builtin' | 'keyword';
export type IdleReason = 'program' | 'words' | 'input' | 'script' | 'effect' | 'nothing';

/** Source: POSIX.1-2024, 2.10.2, and bash for `|&` and `&>`. A number before a redirection is its file. */
const operator = /^(?:\s*\n\s*|&&|\|\|?|\|&|;|&|\d*(?:>>?|<<?|>\||<>)(?:&(?:\d+|-)?)?|&>>?|<<<)$/;
/** A redirection with its target in one text. `>=2` and `> 1.0` are ranges of versions, `<T>` is a type. */
const redirection = /^(?:\d*|&)(?:>>?(?:&\d|[\w./~-])|(?:>>?|<)\s*[A-Za-z_./~][^\s<>]*(?:\s+\d*>+\s*&?[\w./~-]+)*$)/;
/** A text with blanks that a shell would go on from, or whose end waits for the next one. A row of a table does not. */
const joined = /^(?:&&|\|[|&]?|;|&)\s+(?:[a-z_./]|\w+=)(?![^]*\|$)|^[^|][^]*\s(?:&&|\|[|&]?|;|&)$/;
/** A control operator without blanks around it, as in `&&sh`. Between two words `|` may be a pattern. */
const glued =
  /^(?:[\w./:@=-]*(?:&&|\|\|)[\w./:@=-]*|(?:\|&?|;|&)[\w./-]+|[\w/:@=-][\w./:@=-]*(?:\|&?|;|&)|\s*\n\s*[\w./:@=-]*|[\w./:@=-]+\s*\n\s*)$/;
/** The whole of an argument is what only a shell replaces. */
const replaced = /^(?:\$\([\s\S]*\)|`[^`]*`|\$\{\w+\}|\$[A-Za-z_]\w*|\$\{?[A-Z_][A-Z0-9_]*\}?\/\S*)$/;
/** Without one of these a word is neither of them. */
const unplain = /[\n&|;<>$`]/;
const assignment = /^[A-Za-z_]\w*=/;
/** A character that a shell takes for more than itself. */
const special = /["'`\\$&|;<>*?(){}[\]#~!%^\n]|^\s*\w+=/;
/** Builtins that change their own shell alone; each command of a plan has one of its own. */
const effects = new Set('. alias cd declare export local popd pushd readonly set shift shopt source trap typeset ulimit umask unalias unset'.split(' ')); // prettier-ignore
const builtins = new Set([...effects, ...': bg break command continue eval exec exit fg getopts hash jobs let read return type wait'.split(' ')]); // prettier-ignore
/** They hold other commands, whose exit codes only the whole of them counts. */
const keywords = new Set('! if then else elif fi for while until do done case esac function select { } ( )'.split(' '));
/** Commands whose exit code need not be that of what they hold: compound ones, functions, and scripts within the script. */
const swallowing =
  /^(?:(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select|begin|try|not|eval|trap)\b|set \+|[!{}(]|\w+\s*\(|find\s[^]*\s-(?:exec|ok)[^]*;)|(?:^|[\s/])(?:ba|da|k|z|a)?sh\s+(?:-\w+\s+)*-\w*c\s/;
const onlyBash = /(?:^|[\s;&|(])(?:source|pushd|popd|shopt|declare|typeset|let|\[\[)\s|<\(|<<<|&>|\|&|pipefail/;
const shells = new Set(['sh', 'bash', 'dash', 'ksh', 'zsh', 'ash']);
/** Shells without `-e` and `pipefail`. `line`: their script is all that follows, else one text. */
const otherShells = new Map([...['cmd', 'pwsh', 'powershell'].map((name) => [name, 'line'] as const), ...['fish', 'csh', 'tcsh', 'nu', 'elvish'].map((name) => [name, 'text'] as const)]); // prettier-ignore
/** Without an argument they run their standard input, which is empty. */
const interpreters = new Set([...shells, 'node', 'nodejs', 'python', 'python3', 'ruby', 'perl', 'php', 'lua', 'cat']);

/** Reads an argument list as `verify` and `command` of a plan hold it. The first fault counts. */
export function readCommand(argv: readonly string[]): CommandReading {
  const [program = ''] = argv;
  const each = eachOfFind(argv);
  if (each) return each;
  const shell = shellCall(argv);
  if (shell) return readScript(argv, shell);
  if (isLine(program, argv.length === 1)) {
    const rest = argv.slice(1).map(shellWord);
    const words = program.trim().split(/\s+/);
    if (special.test(program) || builtins.has(words[0] ?? ''))
      return {
        kind: 'shell',
        at: 0,
        what: 'line',
        line: [program.trim(), ...rest].join(' '),
      };
    return { kind: 'words', words };
  }
  if (keywords.has(program)) return { kind: 'shell', at: 0, what: 'keyword', line: argv.join(' ') };
  const degrees = argv.map((word, index) => (unplain.test(word) ? degreeOf(argv, index) : null));
  const certain = degrees.indexOf('certain');
  const at = certain < 0 ? degrees.indexOf('doubtful') : certain;
  const first = argv[at];
  if (first !== undefined)
    return {
      kind: 'shell',
      at,
      what: replaced.test(first) ? 'variable' : 'operator',
      ...(certain < 0 && { doubtful: true }),
      line: lineOf(argv),
    };
  if (program !== ':' && builtins.has(program)) return onlyEffect(argv, 'builtin');
  if (assignment.test(program)) return onlyEffect(argv, 'assignment');
  return idle(argv);
}

/** Returns the list that makes a shell read this line, with each failure counted; null: only a person can. */
export function shellArgv(line: string): readonly string[] | null {
  const operators = partsOf(line).map((part) => part.operator);
  const piped = operators.some((one) => one === '|' || one === '|&');
  const options = [
    ...(operators.some((one) => one === ';' || one === '\n') ? ['-e'] : []),
    ...(piped ? ['-o', 'pipefail'] : []),
  ];
  const argv = [piped || onlyBash.test(line) ? 'bash' : 'sh', ...options, '-c', line];
  return readCommand(argv).kind === 'plain' ? argv : null;
}

/** Returns the one command of a list of commands whose entries are its arguments; null: each is a line of its own. */
export function flatCommand(entries: readonly unknown[]): readonly string[] | null {
  const texts = entries.filter((entry) => typeof entry === 'string');
  const [program = ''] = texts;
  if (texts.length < Math.max(entries.length, 2) || isBlank(program) || isLine(program, true)) return null;
  const reading = readCommand(texts);
  return reading.kind === 'shell' || reading.kind === 'unread' ? shellArgv(reading.line) : texts;
}

/** Returns one list for each command of a line that only joins plain commands, each of which has to pass; else null. */
export function eachCommand(line: string): readonly (readonly string[])[] | null {
  const parts = partsOf(line);
  const joined = parts.every(({ operator: one }) => ['&&', ';', '&', '\n', ''].includes(one));
  const lists = parts.map(({ text }) => text.split(/\s+/));
  const plain =
    parts.every(({ text }) => !special.test(text)) && lists.every((list) => readCommand(list).kind === 'plain');
  return joined && plain && lists.length > 1 ? lists : null;
}

/** Returns whether a line holds commands whose exit codes it does not pass on, as `if` and `!` do. */
export function isCompound(line: string): boolean {
  return partsOf(line).some(({ text }) => swallowing.test(text));
}

/** Returns the list as a shell would need it if each argument is meant as its bytes. */
export function literalArgv(argv: readonly string[]): readonly string[] {
  return ['sh', '-c', argv.map(shellWord).join(' ')];
}

/** Returns whether a program name is a whole command line: only the folders before a name may hold spaces. */
function isLine(program: string, alone: boolean): boolean {
  const words = program.trim().split(/\s+/);
  if (alone && (partsOf(program).length > 1 || (words.length > 1 && assignment.test(program)))) return true;
  return words.length > 1 && (alone || !/[\\/]/.test(program)) && !/\.(?:exe|cmd|bat|sh|js)$/i.test(program);
}

/** Returns how surely an argument is the syntax of a shell. The value of an option may be a text: `node -p a&&b`. */
function degreeOf(argv: readonly string[], at: number): 'certain' | 'doubtful' | null {
  const word = argv[at] ?? '';
  if (operator.test(word) || redirection.test(word) || replaced.test(word)) return 'certain';
  const isValue = at === 0 || /^-(?!-$)/.test(argv[at - 1] ?? '');
  if (joined.test(word)) return isValue ? 'doubtful' : 'certain';
  if (isValue) return null;
  return glued.test(word) ? 'certain' : holdsCommand(word) ? 'doubtful' : null;
}

/** A text with blanks that goes on with another command: behind `;` and `|`, which texts have, a known one. */
function holdsCommand(text: string): boolean {
  return (
    /\s/.test(text) &&
    partsOf(text).some(({ operator: one }, index, parts) => {
      const next = parts[index + 1]?.text.split(/\s+/)[0] ?? '';
      if (one === '&&' || one === '||') return /^[a-z_./]/.test(next);
      return one !== '\n' && (isKnown(next) || shells.has(next) || interpreters.has(next) || /^\.?\//.test(next));
    })
  );
}

/** A text behind a control operator is a command of its own, so it stays as it is written. All stands in one line. */
function lineOf(argv: readonly string[]): string {
  return argv
    .map((word, index) => {
      if (replaced.test(word)) return `"${word}"`;
      if (unplain.test(word) && degreeOf(argv, index)) return word.replaceAll(/\s*\n\s*/g, ';');
      return index > 0 && /^(?:\s*\n\s*|[&|;]+)$/.test(argv[index - 1] ?? '') ? word : shellWord(word);
    })
    .join(' ');
}

function onlyEffect(argv: readonly string[], what: 'builtin' | 'assignment'): CommandReading {
  const [program = ''] = argv;
  const alone = what === 'assignment' ? argv.length === 1 : effects.has(program);
  if (alone) return { kind: 'idle', at: 0, because: 'effect' };
  return {
    kind: 'shell',
    at: 0,
    what,
    line: [program, ...argv.slice(1).map(shellWord)].join(' '),
  };
}

function idle(argv: readonly string[]): CommandReading {
  const start = startOf(argv);
  const name = programName(argv[start]);
  if (succeeding.has(name)) return { kind: 'idle', at: start, because: 'program' };
  if (interpreters.has(name)) {
    if (argv.length === start + 1) return { kind: 'idle', at: start, because: 'input' };
    const empty = argv.findIndex((word, index) => index > start && isBlank(word) && /^-/.test(argv[index - 1] ?? ''));
    if (empty > 0) return { kind: 'idle', at: empty, because: 'nothing' };
  }
  if (passesByItsWords(argv, start)) return { kind: 'idle', at: start, because: 'words' };
  const unread = unreadOperand(argv, start);
  if (unread) {
    const { program, operand } = unread;
    const line = `${lineOf(argv.slice(0, operand))} && ${lineOf([...argv.slice(0, start + 1), ...argv.slice(operand)])}`;
    return { kind: 'unread', at: operand, ...(argv[program]?.includes('(') && { doubtful: true }), line };
  }
  const found = idleFlag(argv);
  if (!found) return { kind: 'plain' };
  const { at, flag, syntax } = found;
  const rest = argv.toSpliced(at, 1);
  // A script of which only the syntax is checked may be no check: it may deploy, or serve until it is stopped.
  const isWork = !syntax && (!/^--?(?:version|help|[vVh])$/.test(flag) || rest.length > 1);
  return { kind: 'skips', ...found, argv: isWork && readCommand(rest).kind === 'plain' ? rest : null };
}

/** Finds the command whose failures `find` does not count: with `;` at its end they only choose its files. */
function eachOfFind(argv: readonly string[]): CommandReading | null {
  const from = programName(argv[0]) === 'find' ? argv.findIndex((word) => /^-(?:exec|ok)(?:dir)?$/.test(word)) : -1;
  const at = from < 0 ? -1 : argv.indexOf(';', from);
  return at < 0 ? null : { kind: 'hides', at, command: argv.slice(from + 1, at).join(' '), argv: null };
}

/** Finds the shell that is started with a script, behind `env`, `timeout` and their like as well. */
function shellCall(argv: readonly string[]): { readonly shell: number; readonly script: number } | null {
  const shell = argv.findIndex((word) => shells.has(programName(word)) || otherShells.has(programName(word)));
  if (shell < 0) return null;
  const isOther = otherShells.has(programName(argv[shell]));
  for (let at = shell + 1; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (isOther ? /^(?:\/[ck]|-c(?:ommand)?)$/i.test(word) : /^-[a-zA-Z]*c$/.test(word))
      return at + 1 < argv.length ? { shell, script: at + 1 } : null;
    if (!isOther && !word.startsWith('-') && !/^-[a-zA-Z]*o$/.test(argv[at - 1] ?? '')) return null;
  }
  return null;
}

function readScript(
  argv: readonly string[],
  { shell, script: at }: { readonly shell: number; readonly script: number },
): CommandReading {
  const other = otherShells.get(programName(argv[shell]));
  const script = other === 'line' ? argv.slice(at).join(' ') : (argv[at] ?? '');
  const rest = other === 'line' ? [] : argv.slice(at + 1);
  const onlyName = rest.length === 1 && /^(?:_|--|(?:[\w/]*\/)?(?:ba|da|k|z|a)?sh)$/.test(rest[0] ?? '');
  if (rest.length > 0 && !onlyName && !script.includes('$'))
    return {
      kind: 'unread',
      at: at + 1,
      // A text with blanks is a command of its own.
      line: [script, ...rest].every((word) => /\S\s+\S/.test(word))
        ? [script, ...rest].join(' && ')
        : [script, lineOf(rest)].join(' '),
    };
  const parts = partsOf(script);
  if (parts.length === 0) return { kind: 'idle', at, because: 'nothing' };
  if (parts.every(({ text }) => isEffect(text))) return { kind: 'idle', at, because: 'effect' };
  if (parts.every(isIdle)) return { kind: 'idle', at, because: 'script' };
  const skips = parts.map(({ text }) => idleFlag(text.split(/\s+/)));
  const skip = skips.find((found) => found !== null);
  if (skip && parts.every((part, index) => skips[index] || isIdle(part)))
    return { kind: 'skips', ...skip, at, certain: false, argv: null };
  const options = other ? [] : argv.slice(shell + 1, at);
  const hidden = parts.find((part, index) =>
    other
      ? !/^(?:&&)?$/.test(part.operator) || swallowing.test(part.text) || /[{(]/.test(part.text)
      : swallows(parts, index, options),
  );
  if (!hidden) return { kind: 'plain' };
  // `pipefail` is an option of bash.
  const [program, more] = /^\|&?$/.test(hidden.operator) ? ['bash', ['-o', 'pipefail']] : [argv[shell] ?? '', ['-e']];
  const counts = !other && !parts.some((_, index) => swallows(parts, index, [...options, ...more]));
  const mended = [...argv.slice(0, shell), program, ...more, ...argv.slice(shell + 1)];
  return { kind: 'hides', at, command: hidden.text, argv: counts ? mended : null };
}

/** Only `&&` passes each failure on by itself. `;` does with `-e`, but not that of a list of `&&` before it. */
function swallows(parts: readonly Part[], index: number, options: readonly string[]): boolean {
  const { text, operator: one } = parts[index] ?? { text: '', operator: '' };
  const isSet = (option: RegExp): boolean =>
    option.test(`set ${options.join(' ')}`) || parts.slice(0, index).some((part) => option.test(part.text));
  if (swallowing.test(text) || one === '||' || one === '&') return true;
  if (one === '|' || one === '|&') return !isSet(/^set .*pipefail/);
  if (one === '&&' || index === parts.length - 1) return false;
  return parts[index - 1]?.operator === '&&' || !(isSet(/^set (?:.* )?(?:-\w*e|errexit)/) || isSetting(text));
}

/** A part that passes whatever was done. */
function isIdle({ text }: Part): boolean {
  const words = text.split(/\s+/);
  return isEffect(text) || idle(words).kind === 'idle' || (words[0] === 'exit' && words[1] === '0');
}

/** An effect that cannot fail: a folder may be absent, and a command in it may fail. */
function isSetting(text: string): boolean {
  return isEffect(text) && !/^(?:\.|source|cd|pushd|popd)\s|\$\(|`/.test(text);
}

/** A part that only sets something of its shell cannot be what is checked. */
function isEffect(text: string): boolean {
  const words = text.split(/\s+/);
  return (
    effects.has(words[0] ?? '') ||
    words.every((word) => assignment.test(word)) ||
    /^\w+=(?:\$\([\s\S]*\)|"[^"]*"|'[^']*')$/.test(text)
  );
}

interface Part {
  readonly text: string;
  readonly operator: string;
}

/** Splits a line at its control operators, without comments. Quotes, substitutions and groups keep what they hold. */
function partsOf(line: string): readonly Part[] {
  const parts: Part[] = [];
  let text = '';
  let quote = '';
  let depth = 0;
  const end = (found: string): void => {
    if (text.trim() !== '') parts.push({ text: text.trim(), operator: found });
    text = '';
  };
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (char === '\\' && quote !== "'") {
      text += char + (line[at + 1] ?? '');
      at += 1;
    } else if (quote !== '') {
      if (char === quote) quote = '';
      text += char;
    } else if (char === '#' && depth === 0 && /^$|\s$/.test(text)) {
      // A comment ends where its line ends.
      const close = line.indexOf('\n', at);
      at = (close < 0 ? line.length : close) - 1;
    } else if (/["'`]/.test(char)) {
      quote = char;
      text += char;
    } else {
      if (char === '(') depth += 1;
      if (char === ')') depth -= 1;
      const found = depth > 0 ? undefined : controlAt(line, at);
      if (found === undefined) text += char;
      else {
        end(found);
        at += found.length - 1;
      }
    }
  }
  end('');
  return parts;
}

/** `2>&1`, `&>` and `>|` hold the character of a control operator and are redirections. */
function controlAt(line: string, at: number): string | undefined {
  const found = /^(?:&&|\|\||\|&|[|;&\n])/.exec(line.slice(at, at + 2))?.[0];
  if (found === '&' && (/[<>]/.test(line[at - 1] ?? '') || line[at + 1] === '>')) return undefined;
  return found === '|' && line[at - 1] === '>' ? undefined : found;
}
