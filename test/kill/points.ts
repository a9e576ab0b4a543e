import childProcess from 'node:child_process';
import fs, { constants } from 'node:fs';
import fsPromises from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { JournalCall } from '../../src/adapters/journal/service';
import type { NodePorts } from '../../src/adapters/nodePorts';
import type { HostPorts } from '../../src/engine/ports/engine';

/**
 * Hears every named point of a process, in order. `journal.append(WorkerEnded)#2:after` is the moment after the second
 * append that begins with WorkerEnded; `fs.rename(TASK_T1.json)#1:before` the one before that file gets its name.
 */
export type Reach = (point: string) => void;

/** A point inside an operation of a port. */
export function isInside(point: string): boolean {
  return ['fs.', 'sqlite.', 'process.spawn(git)'].some((beginning) => point.startsWith(beginning));
}

/** The kind of a point: without its number, and without the names of runs and tasks. */
export function pointKind(point: string): string {
  return point
    .replace(/#\d+:/, ':')
    .replace(/\b\d+-[a-z]+\b/g, '<run>')
    .replace(/TASK_[a-z]+/, 'TASK_<task>');
}

/** Ports that compute and ask nothing of the world. */
const computing: ReadonlySet<string> = new Set(['clock', 'timers', 'ids', 'paths', 'claims']);

/** Operations that leave everything as it is: dying around them is dying between their neighbours. */
const looking: ReadonlySet<string> = new Set([
  ...['journal.read', 'journal.streams', 'records.read', 'records.streams', 'lease.isOwned', 'launches.heartbeat'],
  ...['evidence.existing', 'evidence.exists', 'evidence.read', 'workspace.head', 'workers.resolve', 'workers.isHere'],
  ...['plans.read', 'plans.parse', 'plans.checkShape', 'plans.edit'],
]);

/** The same ports, with a point before and after every operation that changes something; new operations included. */
export function withPoints(node: NodePorts, reach: Reach): HostPorts {
  const count = counter();
  const wrapped = Object.entries(node.ports).map(([port, value]): readonly [string, unknown] => [
    port,
    computing.has(port) ? value : observed(port, value as object, count, reach),
  ]);
  return Object.fromEntries(wrapped) as unknown as HostPorts;
}

/**
 * Points inside the operations: before and after each call with which this process changes names on the file system or
 * starts another process. Programs call these through the module's object, so replacing its members is enough.
 * `concerns`: where others work in the same process, which calls are looked at, by a path that is part of them.
 */
export function pointsOfTheSystem(reach: Reach, concerns: (path: string) => boolean = () => true): void {
  const replace = replacing(reach);
  const named = (at: unknown): string | null => (concerns(String(at)) ? placeName(String(at)) : null);
  for (const name of ['rename', 'link', 'copyFile']) replace(fsPromises, 'fs', name, ([, to]) => named(to));
  for (const name of ['unlink', 'mkdir']) replace(fsPromises, 'fs', name, ([at]) => named(at));
  replace(fsPromises, 'fs', 'open', ([at, flags]) =>
    flags === 'a' || flags === 'w' || (typeof flags === 'number' && (flags & constants.O_CREAT) !== 0)
      ? named(at)
      : null,
  );
  replace(childProcess, 'process', 'spawn', ([file, args, options]) => {
    const { cwd } = (options ?? {}) as { readonly cwd?: unknown };
    if (![cwd, ...(Array.isArray(args) ? (args as unknown[]) : [])].some((part) => concerns(String(part)))) return null;
    const program = placeName(String(file));
    if (program === 'git' || !Array.isArray(args)) return program;
    return args.map((text) => placeName(String(text))).join(' ');
  });
}

/** The same for calls that change names, times or modes of files and do not yield. */
export function pointsOfTheFiles(reach: Reach): void {
  const replace = replacing(reach);
  for (const name of ['renameSync', 'linkSync', 'symlinkSync', 'copyFileSync', 'cpSync'])
    replace(fs, 'fs', name, ([, to]) => placeName(String(to)));
  for (const name of ['unlinkSync', 'rmSync', 'mkdirSync', 'rmdirSync', 'chmodSync', 'utimesSync', 'writeFileSync'])
    replace(fs, 'fs', name, ([at]) => placeName(String(at)));
}

/** Replaces a member of a module's object by one with a point before and after it; `about` null: this call has none. */
function replacing(
  reach: Reach,
): (owner: object, room: string, name: string, about: (args: readonly unknown[]) => string | null) => void {
  const count = counter();
  return (owner, room, name, about) => {
    const members = owner as Record<string, (...args: unknown[]) => unknown>;
    const original = members[name];
    if (original === undefined) throw new Error(`There is no ${room}.${name}.`);
    members[name] = (...args) => {
      const detail = about(args);
      if (detail === null) return original(...args);
      return around(`${room}.${name}(${detail})`, () => original(...args), count, reach);
    };
  };
}

/**
 * For a process whose ports are out of reach, as a program's: before and after each statement with which it appends to
 * the journal or takes the lease, `sqlite.run(INSERT WorkerEnded)#1:after`.
 */
export function pointsOfTheJournal(reach: Reach): void {
  const count = counter();
  /** The entries of the transaction that is open. */
  let appended: string[] = [];
  const statement = StatementSync.prototype as unknown as Record<string, Call> & { readonly sourceSQL: string };
  for (const name of ['run', 'get'])
    statement[name] = wrapped(statement[name], function (this: { readonly sourceSQL: string }, args) {
      const [verb = ''] = this.sourceSQL.trim().split(/\s+/, 1);
      if (verb === 'BEGIN') appended = [];
      if (verb !== 'INSERT' && verb !== 'COMMIT') return null;
      const [type] = args.flatMap((value) => /"type":"(\w+)"/.exec(String(value))?.[1] ?? []);
      if (type !== undefined) appended.push(type);
      return `${name}(${[verb, ...(verb === 'COMMIT' ? appended : type === undefined ? [] : [type])].join(' ')})`;
    });
  const database = DatabaseSync.prototype as unknown as Record<string, Call>;
  database['exec'] = wrapped(database['exec'], (args) => (/^BEGIN EXCLUSIVE/.test(String(args[0])) ? 'lease' : null));

  function wrapped(original: Call | undefined, about: (args: readonly unknown[]) => string | null): Call {
    if (original === undefined) throw new Error('node:sqlite has changed.');
    return function (this: unknown, ...args: unknown[]) {
      const detail = about.call(this, args);
      const work = (): unknown => original.apply(this, args);
      return detail === null ? work() : around(`sqlite.${detail}`, work, count, reach);
    };
  }
}

/**
 * For a process whose journal is in a worker thread, as the extension host's: before a call that writes is sent there,
 * and when its answer has come, before the caller gets it: `journal.append(WorkerStarted)#1:after`.
 */
export function pointsOfTheThreads(reach: Reach): void {
  const count = counter();
  const asked = new WeakMap<object, Map<number, string>>();
  const thread = Worker.prototype as unknown as Record<string, Call>;
  const { postMessage, emit } = thread;
  if (postMessage === undefined || emit === undefined) throw new Error('node:worker_threads has changed.');
  thread['postMessage'] = function (this: object, ...args) {
    const { id, call } = args[0] as { readonly id?: number; readonly call?: JournalCall };
    if (id !== undefined && (call?.[0] === 'append' || call?.[0] === 'raiseFence')) {
      const base = `journal.${call[0]}(${call[0] === 'append' ? typeOf(call[1].entries) : ''})`;
      const name = `${base}#${String(count(base))}`;
      asked.set(this, (asked.get(this) ?? new Map<number, string>()).set(id, name));
      reach(`${name}:before`);
    }
    return postMessage.apply(this, args);
  };
  thread['emit'] = function (this: object, ...args) {
    const replies = (args[0] === 'message' ? args[1] : []) as readonly { readonly id: number }[];
    for (const { id } of replies) {
      const name = asked.get(this)?.get(id);
      asked.get(this)?.delete(id);
      if (name !== undefined) reach(`${name}:after`);
    }
    return emit.apply(this, args);
  };
}

/** The event that an append is about; what crosses to the thread is its text. */
function typeOf(entries: readonly { readonly event: string }[]): string {
  return tellingOf(entries.map(({ event }) => (JSON.parse(event) as { readonly type: string }).type)) ?? '';
}

type Count = (base: string) => number;

function counter(): Count {
  const counts = new Map<string, number>();
  return (base) => {
    const next = (counts.get(base) ?? 0) + 1;
    counts.set(base, next);
    return next;
  };
}

function observed(port: string, target: object, count: Count, reach: Reach): object {
  return new Proxy(target, {
    get(owner, key) {
      const member: unknown = Reflect.get(owner, key, owner);
      const operation = `${port}.${String(key)}`;
      if (typeof member !== 'function' || looking.has(operation)) return member;
      return (...args: readonly unknown[]): unknown => {
        const detail = detailOf(args);
        const heard = args.map((argument) =>
          typeof argument === 'function' ? heardCall(operation, argument as Call, count, reach) : argument,
        );
        return around(`${operation}(${detail})`, () => (member as Call).apply(owner, heard), count, reach);
      };
    },
  });
}

type Call = (...args: unknown[]) => unknown;

/** What a port calls back is a point as well: a command that is delivered, a signal of a worker. */
function heardCall(operation: string, callback: Call, count: Count, reach: Reach): Call {
  return (...args) => around(`${operation} calls(${detailOf(args)})`, () => callback(...args), count, reach);
}

function around<T>(base: string, work: () => T, count: Count, reach: Reach): T {
  const name = `${base}#${String(count(base))}`;
  reach(`${name}:before`);
  const result = work();
  if (!(result instanceof Promise)) {
    reach(`${name}:after`);
    return result;
  }
  return result.then((value: unknown) => {
    reach(`${name}:after`);
    return value;
  }) as T;
}

/** What distinguishes one call of an operation from the others, and is the same in two runs of the same mission. */
function detailOf(args: readonly unknown[]): string {
  for (const argument of args) {
    if (Array.isArray(argument)) {
      const types = argument.map((entry) => (entry as { event?: { type?: string } }).event?.type);
      const telling = tellingOf(types.filter((type) => type !== undefined));
      if (telling !== undefined) return telling;
    }
  }
  const [first] = args;
  if (typeof first === 'string') return placeName(first);
  if (typeof first !== 'object' || first === null) return '';
  const { run_dir, command, kind } = first as { run_dir?: string; command?: { type?: string }; kind?: string };
  return run_dir === undefined ? (command?.type ?? kind ?? '') : placeName(run_dir);
}

function tellingOf(types: readonly string[]): string | undefined {
  return types.find((type) => type !== 'PhaseCompleted' && type !== 'CommandAccepted') ?? types[0];
}

/** The last name of a path, with ids, times and random names replaced by what they stand for. */
function placeName(text: string): string {
  const handoff = /(?:^|[\\/])(handoff[\\/]\d+)[\\/][^\\/]+$/.exec(text)?.[1];
  const name = nameAlone(text);
  return handoff === undefined ? name : `${handoff}/${name}`;
}

function nameAlone(text: string): string {
  return path
    .basename(text)
    .replace(/^\.(.*)\.[0-9a-f]{16}\.tmp$/, '$1.tmp')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, '<id>')
    .replace(/^(.+)-\d{8}T\d{6}Z-[0-9a-z]{6}$/, '<mission>')
    .replace(/^supervisor-.+\.cjs(?=\.tmp$|$)/, 'supervisor.cjs')
    .replace(/^mission-kill-\w{6}$/, '<scratch>')
    .replace(/^\d{4}-?\d{2}-?\d{2}T[0-9:.-]+Z?/, '<time>');
}
