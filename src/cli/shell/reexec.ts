import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { nodeOutside, type NodeFile } from '../../adapters/user/programCopy';
import { done, type Outcome, errorWords, succeeds } from '../../base/outcome';
import { liesIn } from '../../adapters/files/inside';
import { openUserStateFolder } from '../../adapters/user/folder';
import { loadSqlite } from '../../adapters/journal/sqlite';
import type { ExitCode, Output } from './output';
import type { Caller } from './command';

/**
 * Runs the same command with the Node in `node_modules/node` beside this package when the running Node has no SQLite.
 * Returns that command's exit code, or null when the running Node will do. Refuses a command that needs SQLite where
 * there is no such Node. A Node inside the workspace is copied out of it first.
 */
export async function reexec(
  cliFile: string,
  { argv, directory, environment }: Caller & { readonly argv: readonly string[] },
  out: Output,
  needed: boolean,
  workspace: string,
): Promise<ExitCode | null> {
  const sqlite = loadSqlite();
  if (sqlite.ok) return null;
  const beside = await newerNode(path.dirname(cliFile));
  if (beside === null || environment[handedOver] !== undefined) {
    if (!needed) return null;
    const next = [
      'Install Node 24 or later and run the command with it.',
      'Or run `npm ci` where Mission Control lies: it brings one, with `--ignore-scripts=false` where install scripts are switched off.',
    ];
    const reason = `${sqlite.refusal.reason} The state store of missions needs it.`;
    return out.refuse({ code: 'NODE_UNSUPPORTED', reason, next });
  }
  const outside = await outsideOf(beside, workspace);
  if (!outside.ok) return out.refuse(outside.refusal);
  const newer = await outside.value();
  // The child sees the channel close when this process dies, and then gives up the lease.
  const child = spawn(newer, [cliFile, ...argv], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    cwd: directory,
    env: { ...environment, [handedOver]: '1' },
  });
  const forward = (signal: NodeJS.Signals): void => {
    // A terminal sends Ctrl+C to the whole foreground group, so the child has it already.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, forward);
  return new Promise((resolve) => {
    child.once('error', (error) =>
      resolve(
        out.refuse({
          code: 'NODE_UNSUPPORTED',
          reason: `${newer} cannot be started: ${errorWords(error)}.`,
          next: ['Run `npm rebuild node --ignore-scripts=false` where Mission Control lies.'],
        }),
      ),
    );
    child.once('exit', (code, signal) =>
      resolve((code ?? 128 + (signal === null ? 0 : os.constants.signals[signal])) as ExitCode),
    );
  });
}

async function outsideOf(node: string, workspace: string): Promise<Outcome<NodeFile>> {
  if (!liesIn(node, [workspace])) return done(() => Promise.resolve(node));
  const state = await openUserStateFolder();
  return state.ok ? nodeOutside(node, workspace, state.value, false) : state;
}

const handedOver = 'MISSION_NODE_HANDED_OVER';

async function newerNode(from: string): Promise<string | null> {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  for (let folder = from; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', 'node', 'bin', name);
    const usable = await succeeds(access(candidate, constants.X_OK));
    if (usable) return candidate;
    if (path.dirname(folder) === folder) return null;
  }
}
