import { errorHelp, errorWords } from '../base/outcome';
import { statSync, writeFileSync, readdirSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { statsThrough } from '../adapters/files/regular';
import { StateStoreError } from '../adapters/journal/journal';
import {
  callOf,
  NoTerminalError,
  optionsOf,
  parseCall,
  UsageError,
  type Caller,
  type CommandSpec,
} from './shell/command';
import { commandNamed, loadGroups } from './commands';
import { exitCodes, type ExitCode, createOutput, type Output, type Refused, type Streams } from './shell/output';
import { nearest } from '../base/text/nearest';
import { commandHelp, generalHelp, wordHelp } from './shell/help';
import { reexec } from './shell/reexec';
import { commandLine } from '../base/text/oneLine';
import { terminal, type TerminalText } from '../base/text/marked/terminal';
import { cliFile, toolVersion } from './shell/program';
import path from 'node:path';

/** A call of `mission`: what stands on its command line, from where it is called, and what it prints to. */
export interface Call extends Caller {
  readonly argv: readonly string[];
  readonly streams: Streams;
}

/** Does what the command line says. Tests call it in their own process. */
export async function mission(call: Call): Promise<ExitCode> {
  const { argv, streams, environment } = call;
  const out = createOutput(argv.includes('--json'), streams, environment);
  try {
    return await perform(call, out);
  } catch (error) {
    return out.refuse(unhandledErrorRefusal(error, out, environment));
  }
}

async function perform(caller: Call, out: Output): Promise<ExitCode> {
  const { argv } = caller;
  const found = await findCommand(argv);
  if (found === null) return withoutCommand(argv, out);
  const { spec, rest } = found;
  try {
    const call = parseCall(spec, rest, out, caller);
    if (call.help)
      return say(commandHelp(spec), { command: spec.name, usage: callOf(spec), summary: spec.summary }, out);
    if (spec.store === undefined && !statSync(call.workspace, { throwIfNoEntry: false })?.isDirectory()) {
      const reason = `The workspace ${call.workspace} is not a folder.`;
      return out.refuse({ code: 'USAGE', reason, next: ['Name an existing folder with --workspace.'] });
    }
    const above =
      'workspace' in optionsOf(spec) && call.text('workspace') === null && spec.anywhere?.(call) !== true
        ? workspaceAbove(caller.directory)
        : null;
    if (above !== null) return out.refuse(belowWorkspace(above, argv));
    if (spec.store !== false) {
      const exitCode = await reexec(cliFile, caller, out, spec.store === undefined, call.workspace);
      if (exitCode !== null) return exitCode;
    }
    const exitCode = await spec.run(call);
    return exitCode === exitCodes.ok && !out.said ? out.refuse(noAnswer) : exitCode;
  } catch (error) {
    if (error instanceof UsageError) {
      const then =
        error instanceof NoTerminalError ? commandLine([...argv, '--yes']).toString() : `${spec.name} --help`;
      const next = [...error.next, `mission ${then}`];
      return out.refuse({ code: 'USAGE', reason: error.message, next });
    }
    if (error instanceof StateStoreError) return out.refuse(error.refusal);
    throw error;
  }
}

/** A command that is done says so. An end without a word is a mistake of ours, so it is no success. */
const noAnswer: Refused = {
  code: 'UNEXPECTED',
  reason: 'The command ended without an answer. What it did is unknown.',
  next: ['mission status', 'Run it again; if that happens again, report it.'],
};

/** A command in a subfolder neither creates a workspace there nor uses the one above unasked. */
function belowWorkspace(above: string, argv: readonly string[]): Refused {
  return {
    code: 'WORKSPACE_ABOVE',
    reason: `This folder lies in the workspace ${above} and is no workspace itself, because it has neither .mission-control nor a plan in docs/plans.`,
    next: [
      `mission ${commandLine([...argv, '--workspace', above]).toString()}`,
      'With --workspace . this folder is one.',
    ],
  };
}

async function findCommand(
  argv: readonly string[],
): Promise<{ readonly spec: CommandSpec; readonly rest: readonly string[] } | null> {
  for (const words of [2, 1]) {
    const spec = await commandNamed(argv.slice(0, words).join(' '));
    if (spec) return { spec, rest: argv.slice(words) };
  }
  return null;
}

async function withoutCommand(argv: readonly string[], out: Output): Promise<ExitCode> {
  const words = argv.filter((argument) => !argument.startsWith('-'));
  if (argv.includes('--version')) return say(terminal`${toolVersion()}`, { version: toolVersion() }, out);
  const groups = await loadGroups();
  const commands = groups.flatMap((group) => group.commands);
  if (words.length === 0 && (argv.includes('--help') || argv.length === 0)) {
    const text = generalHelp(groups);
    return say(
      text,
      { commands: commands.map(({ name, usage, summary }) => ({ name, usage, summary })) },
      out,
      argv.length === 0 ? exitCodes.refused : exitCodes.ok,
    );
  }
  const word = words[0] ?? '';
  const group = commands.filter((command) => command.name.startsWith(`${word} `));
  if (group.length > 0 && words.length === 1 && argv.includes('--help')) {
    return say(
      wordHelp(
        word,
        groups.flatMap(({ title, commands: all }) => {
          const own = all.filter((command) => group.includes(command));
          return own.length > 0 ? [{ title, commands: own }] : [];
        }),
      ),
      { commands: group.map(({ name, usage, summary }) => ({ name, usage, summary })) },
      out,
    );
  }
  if (group.length > 0 && words.length === 1)
    return out.refuse({ code: 'USAGE', reason: onlyBegins(word, group), next: [`mission ${word} --help`] });
  const wanted = words.slice(0, 2).join(' ');
  const reason = words.length === 0 ? 'There is no command.' : `There is no command ${JSON.stringify(wanted)}.`;
  const names = commands.map(({ name }) => name);
  const near = nearest(wanted, names) ?? nearest(words[0] ?? '', names);
  const next =
    near !== null
      ? [`mission ${near} --help`]
      : group.length > 0
        ? group.map(({ name }) => `mission ${name} --help`)
        : ['mission --help'];
  const meant = near === null ? reason : `${reason} Did you mean ${JSON.stringify(near)}?`;
  return out.refuse({ code: 'USAGE', reason: meant, next });
}

/** Says what may follow a word that only begins commands. */
function onlyBegins(word: string, group: readonly CommandSpec[]): string {
  const [only] = group;
  if (only && group.length === 1) {
    const form = callOf(only);
    return `mission ${word} lacks a word: write ${form}.`;
  }
  const words = group.map(({ name }) => name.slice(word.length + 1));
  return `mission ${word} lacks a word: one of ${words.join(', ')}.`;
}

function say(text: TerminalText, document: unknown, out: Output, exit: ExitCode = exitCodes.ok): ExitCode {
  out.line(text);
  out.document(document);
  return exit;
}

/**
 * The refusal for an error that no command handled. An unusable file or folder is the person's to mend; everything else
 * is our mistake, whose stack MISSION_CONTROL_DEBUG shows.
 */
function unhandledErrorRefusal(error: unknown, out: Output, environment: Caller['environment']): Refused {
  const { code, path: at } = error as { readonly code?: unknown; readonly path?: unknown };
  const reason = errorWords(error, typeof at === 'string' ? at : undefined);
  if (typeof code === 'string' && fileFaults.has(code))
    return {
      code: 'STATE_STORE_UNWRITABLE',
      reason: `${typeof at === 'string' ? at : 'A file of this workspace or of Mission Control'} cannot be used: ${reason}.`,
      next: [
        errorHelp(error, 'Make it readable and writable for your user, then run the command again.'),
        'mission doctor',
      ],
    };
  const stack = error instanceof Error ? error.stack : undefined;
  if (stack !== undefined && environment['MISSION_CONTROL_DEBUG'] !== undefined)
    out.note(terminal.lines(stack.split('\n')));
  return {
    code: 'UNEXPECTED',
    reason: `Something failed that should not: ${reason}.`,
    next: ['mission doctor', 'Set MISSION_CONTROL_DEBUG=1 and run it again to see where; then report it.'],
  };
}

const folderGone: Refused = {
  code: 'USAGE',
  reason: 'The folder in which this command was called no longer exists.',
  next: ['Change to a folder that exists, and call it again.'],
};

function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

const fileFaults: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOENT', 'ENOTDIR']);

/** Does what the command line of this process says, and ends the process. */
export function start(): void {
  const { stdin, stdout, stderr, env, argv } = process;
  // A reader that went away (`mission run | head`) ends the printing, not the mission. Other failures are no success.
  let lost: NodeJS.ErrnoException | null = null;
  for (const stream of [stdout, stderr] as readonly (Writable & { readonly fd: number })[]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') lost ??= error;
    });
    // Node writes a file once and counts nothing, so what no longer fits would be lost without an error.
    if (!(stream instanceof Socket))
      stream._write = (chunk: Buffer, _encoding, done) => {
        try {
          writeFileSync(stream.fd, chunk);
          done();
        } catch (error) {
          done(error as Error);
        }
      };
  }
  const streams = { stdin, stdout, stderr };
  const words = argv.slice(2);
  // Most timers keep no process alive. A command that waits for one still gets its answer, because this timer does.
  setInterval(() => undefined, 0x7fff_ffff);
  // A command that has nothing left to wait for has no answer: it says so and fails.
  process.exitCode = exitCodes.environment;
  process.once('beforeExit', () => process.exit(createOutput(words.includes('--json'), streams, env).refuse(noAnswer)));
  const directory = currentFolder();
  const called =
    directory === null
      ? Promise.resolve(createOutput(words.includes('--json'), streams, env).refuse(folderGone))
      : mission({ argv: words, directory, environment: env, streams });
  const end = (code: ExitCode): void => {
    if (lost === null) process.exit(code);
    const words = terminal`The output could not be written: ${errorWords(lost)}. What the command did stands: mission status shows it.`;
    stderr.write(`${words.toString()}\n`, () => process.exit(code === exitCodes.ok ? exitCodes.environment : code));
  };
  // A stream without pending text is not written to: another process, to which this one handed over, reports its loss.
  const flushed = (stream: NodeJS.WriteStream, then: () => void): void =>
    stream.writableLength === 0 ? then() : void stream.write('', then);
  void called.then((code) => flushed(stdout, () => flushed(stderr, () => setImmediate(end, code))));
}

/**
 * The workspace above a folder that is not one itself. Searches as git does: upwards to the first repository, and never
 * into another file system or another user's folder. Null when no folder above is one, or the folder is one.
 */
function workspaceAbove(folder: string): string | null {
  const here = statsThrough(folder);
  if (here === null) return null;
  for (let at = folder; ; at = path.dirname(at)) {
    const stats = statsThrough(at);
    if (stats?.dev !== here.dev || stats.uid !== here.uid) return null;
    if (isWorkspace(at)) return at === folder ? null : at;
    if (statsThrough(path.join(at, '.git')) !== null || path.dirname(at) === at) return null;
  }
}

function isWorkspace(folder: string): boolean {
  if (statsThrough(path.join(folder, '.mission-control'))?.isDirectory() === true) return true;
  try {
    return readdirSync(path.join(folder, 'docs', 'plans')).some((name) => /^PLAN_.+\.json$/.test(name));
  } catch {
    return false; // no such folder, or not readable
  }
}
