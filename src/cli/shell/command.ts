import path from 'node:path';
import { parseArgs } from 'node:util';
import { isPathId } from '../../adapters/state/folder';
import { namesNobody } from '../../contracts/vocabulary/actors';
import { nearest } from '../../base/text/nearest';
import type { ExitCode, Output } from './output';

export interface OptionSpec {
  /** Name of the value in the help; a switch when absent. */
  readonly value?: string;
  readonly multiple?: boolean;
  readonly help: string;
}

export interface Command {
  /** The positionals. Absent: none. A call with too few for all leaves out the optional ones. */
  readonly takes?: readonly Argument[];
  /** What the help shows after the name. Absent: the positionals. */
  readonly usage?: string;
  readonly summary: string;
  readonly details?: readonly string[];
  readonly options?: Readonly<Record<string, OptionSpec>>;
  /** Options that are required. */
  readonly needs?: readonly string[];
  /** Absent: it opens the state store, needs --workspace and SQLite. `preferred`: SQLite only if this Node has it. */
  readonly store?: false | 'preferred';
  /** Returns whether this call concerns no workspace, so that it works in any folder. */
  readonly anywhere?: (call: Invocation) => boolean;
  run(call: Invocation): Promise<ExitCode>;
}

/** A command with its one or two words. */
export type CommandSpec = Command & { readonly name: string };

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}

export interface Invocation {
  readonly positionals: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | null;
  texts(name: string): readonly string[];
  /** Absolute path of the workspace folder. */
  readonly workspace: string;
  /** Absolute path of a path relative to the current directory. */
  file(relative: string): string;
  readonly environment: NodeJS.ProcessEnv;
  readonly out: Output;
}

export interface Caller {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Wrong usage; `message` says what is wrong. `next`: steps before the help of the command. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly next: readonly string[] = [],
  ) {
    super(message);
  }
}

export class NoTerminalError extends UsageError {
  constructor() {
    super('There is no terminal to ask on; repeat the command with --yes.');
  }
}

const commonOptions = {
  json: { help: 'Print exactly one JSON document.' },
  help: { help: 'Show this help.' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export const workspaceOption = {
  workspace: { value: 'DIR', help: 'The workspace folder (default: the current directory).' },
} as const;

export function optionsOf(spec: CommandSpec): Readonly<Record<string, OptionSpec>> {
  return { ...spec.options, ...(spec.store === false ? {} : workspaceOption), ...commonOptions };
}

/** @throws UsageError */
export function parseCall(
  spec: CommandSpec,
  argv: readonly string[],
  out: Output,
  { directory, environment }: Caller,
): Invocation & { readonly help: boolean } {
  const options = Object.fromEntries(
    Object.entries(optionsOf(spec)).map(([name, { value, multiple }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: multiple ?? false },
    ]),
  );
  let values: Readonly<Record<string, unknown>>;
  let positionals: readonly string[];
  try {
    ({ values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true }));
  } catch (error) {
    throw notParsed(spec, error);
  }
  const help = values['help'] === true;
  const { takes = [] } = spec;
  const needed = takes.filter(({ isOptional }) => !isOptional);
  const most = takes.reduce((sum, argument) => sum + (argument.most ?? 1), 0);
  const absent = help ? undefined : needed[positionals.length];
  if (absent) throw missingArgument(spec, absent);
  if (!help && positionals.length > most)
    throw new UsageError(`${JSON.stringify(positionals[most])} is one argument too many.`);
  const text = (name: string): string | null => (typeof values[name] === 'string' ? values[name] : null);
  const named = positionals.length > needed.length ? takes : needed;
  const strange = help ? undefined : positionals.find((id, index) => named[index]?.isId && !isPathId(id));
  if (strange !== undefined)
    throw new UsageError(
      `${JSON.stringify(strange)} is no id: an id begins with a letter or digit and has letters, digits, dots, hyphens and underscores.`,
    );
  const missing = help ? undefined : spec.needs?.find((name) => (text(name) ?? '').trim() === '');
  if (missing !== undefined) throw missingOption(spec, missing);
  const by = help ? null : text('by');
  if (by !== null) personNamed(by);
  return {
    positionals,
    help,
    out,
    text,
    flag: (name) => values[name] === true,
    texts: (name) => (Array.isArray(values[name]) ? (values[name] as string[]) : []),
    workspace: path.resolve(directory, text('workspace') ?? '.'),
    file: (relative) => path.resolve(directory, relative),
    environment,
  };
}

function notParsed(spec: CommandSpec, error: unknown): UsageError {
  const { code, message } = error as Error & { readonly code?: string };
  const options = optionsOf(spec);
  const name = /'(?:-\w, )?--?([^ '=]+)/.exec(message)?.[1] ?? '';
  const value = options[name]?.value;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = nearest(name, Object.keys(options));
    const [why = ''] = message.split('. To specify');
    return new UsageError(near === null ? `${why}.` : `${why}; did you mean --${near}?`);
  }
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') throw error;
  if (value === undefined) return new UsageError(`--${name} takes no value.`);
  const hyphen = message.includes('ambiguous') ? ` A value that begins with a hyphen is written --${name}=-….` : '';
  return new UsageError(`--${name} lacks its value: --${name} ${value}.${hyphen}`);
}

function missingArgument(spec: CommandSpec, { name, is, step }: Argument): UsageError {
  return new UsageError(`${name} is missing: ${is}. Write ${formOf(spec)}`, step === undefined ? [] : [step]);
}

function missingOption(spec: CommandSpec, name: string): UsageError {
  const { value = '', help = '' } = optionsOf(spec)[name] ?? {};
  const [what = ''] = help.split(/[.;](?: |$)/);
  const named = `${`--${name} ${value}`.trim()} is missing (${what.charAt(0).toLowerCase()}${what.slice(1)}).`;
  return new UsageError(`${named} Write ${formOf(spec)}`);
}

/** The whole call with what it requires, at the end of a sentence. */
function formOf(spec: CommandSpec): string {
  const call = callOf(spec);
  const options = (spec.needs ?? []).filter((name) => !call.includes(`--${name}`));
  const named = options.map((name) => `--${name} ${optionsOf(spec)[name]?.value ?? ''}`.trim());
  const form = [call, ...named].join(' ');
  return form.endsWith('.') ? form : `${form}.`;
}

export function callOf({ name, takes = [], usage }: CommandSpec): string {
  const words = takes.map(({ name: word, most, isOptional }) => {
    const shown = most === undefined ? word : `${word}...`;
    return isOptional ? `[${shown}]` : shown;
  });
  return ['mission', name, ...(usage === undefined ? words : [usage])].join(' ');
}

/** The value of an option that takes one of these; null: the call does not have it. @throws UsageError */
export function oneOf<T extends string>(call: Invocation, option: string, known: readonly T[]): T | null {
  const name = call.text(option);
  if (name === null) return null;
  const found = known.find((candidate) => candidate === name);
  if (found === undefined) throw new UsageError(`--${option} ${name}: it is one of ${known.join(', ')}.`);
  return found;
}

/** The trimmed name of the person who decides. @throws UsageError when it names none */
export function personNamed(name: string): string {
  if (namesNobody(name))
    throw new UsageError(
      `--by ${JSON.stringify(name)} names no person, and only a person decides here. Write that person's name.`,
    );
  return name.trim();
}

export interface Argument {
  readonly name: string;
  readonly is: string;
  /** The command or sentence that leads to one; absent: the help of the command does. */
  readonly step?: string;
  readonly isId?: boolean;
  readonly isOptional?: boolean;
  /** The largest number of its values; absent: it has one. */
  readonly most?: number;
}

export const namePlan = 'Name a plan of this workspace: docs/plans/PLAN_<plan_id>.json.';
const plan = { name: 'FILE', is: 'the file of a plan', step: namePlan } as const;

export const required = {
  mission: { name: 'MISSION', is: 'the id of a mission, or of its plan', step: 'mission list', isId: true },
  task: { name: 'TASK', is: 'the id of a task', step: 'mission status', isId: true },
  change: { name: 'PATH', is: 'a change on the list of the task', step: 'mission status' },
  directory: { name: 'DIR', is: 'the directory that a worker was denied', step: 'mission status' },
  fleetMission: { name: 'ID', is: 'the id of a mission of the fleet', step: 'mission fleet list', isId: true },
  packet: { name: 'ID', is: 'the id of a recovery packet', step: 'mission packet list', isId: true },
  packetOrMission: {
    name: 'ID',
    is: 'the id of a recovery packet; or MISSION',
    step: 'mission packet list',
    isId: true,
  },
  missionOrLog: { name: 'MISSION', is: 'the id of a mission; or FILE, an exported audit log', step: 'mission list' },
  key: { name: 'KEY', is: 'the key of what is remembered', step: 'mission memory list' },
  newPlan: { name: 'ID', is: 'the id of the new plan', step: 'mission plan new my-plan-1', isId: true },
  plan,
  runPlan: { ...plan, name: 'PLAN' },
  planRan: {
    name: 'PLAN_ID',
    is: 'the id of a plan that ran',
    step: 'Name a folder of docs/ops/executions; `mission list` shows the plans that ran here.',
  },
  handoff: { name: 'DIR', is: 'a folder that mission handoff export wrote' },
  document: { name: 'FILE', is: 'the document to validate' },
  transcript: { name: 'FILE', is: 'what a worker CLI wrote on stdout' },
} as const satisfies Readonly<Record<string, Argument>>;

/** The same where a call may leave them out. */
export const optional = {
  mission: { ...required.mission, isOptional: true },
  task: { ...required.task, isOptional: true },
} as const satisfies Readonly<Record<string, Argument>>;

/** The same where a call may repeat it at the end. */
export function several(argument: Argument, most = Infinity): Argument {
  return { ...argument, most };
}
