import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../files/atomic';
import { done, type Outcome } from '../../base/outcome';
import { launcherFolder, openUserStateFolder, unavailable } from './folder';

/** The program behind `mission` in VS Code's terminals. */
export interface Launched {
  /** VS Code's own Node, or its Electron, which runs as Node. */
  readonly execPath: string;
  readonly electron: boolean;
  /** Absolute path of `cli.js`. */
  readonly cliFile: string;
}

/**
 * Writes `mission` (on Windows also `mission.cmd`) into a folder that survives updates, and resolves with that folder.
 */
export async function writeTerminalLauncher(launched: Launched): Promise<Outcome<string>> {
  const state = await openUserStateFolder();
  if (!state.ok) return state;
  const folder = launcherFolder(state.value);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [name, text] of Object.entries(launchers(launched))) {
      const file = path.join(folder, name);
      if ((await readFile(file, 'utf8').catch(() => null)) !== text) await writeFileAtomic(file, text, { mode: 0o700 });
    }
    return done(folder);
  } catch (error) {
    return unavailable(folder, error);
  }
}

/** File name to content. Windows gets both, because Git Bash runs the first and other shells the second. */
export function launchers(
  { execPath, electron, cliFile }: Launched,
  platform: NodeJS.Platform = process.platform,
): Readonly<Record<string, string>> {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '/').replaceAll("'", `'\\''`)}'`;
  const posix = (text: string): string => (platform === 'win32' ? quoted(text) : `'${text.replaceAll("'", `'\\''`)}'`);
  const gone = 'mission: VS Code or the extension has moved; open a window with Mission Control once.';
  const mission = `#!/bin/sh
# Written by the Mission Control extension at each activation; changes are lost.
node=${posix(execPath)}
cli=${posix(cliFile)}
if [ ! -f "$node" ] || [ ! -f "$cli" ]; then
  echo '${gone}' >&2
  exit 4
fi
${electron ? 'ELECTRON_RUN_AS_NODE=1 ' : ''}exec "$node" "$cli" "$@"
`;
  if (platform !== 'win32') return { mission };
  // Doubles a percent sign, because it would begin a variable.
  const batch = (text: string): string => `"${text.replaceAll('%', '%%')}"`;
  const lines = [
    '@echo off',
    'rem Written by the Mission Control extension at each activation; changes are lost.',
    'setlocal',
    ...(electron ? ['set ELECTRON_RUN_AS_NODE=1'] : []),
    `if exist ${batch(execPath)} if exist ${batch(cliFile)} goto run`,
    `echo ${gone} 1>&2`,
    'exit /b 4',
    ':run',
    `${batch(execPath)} ${batch(cliFile)} %*`,
    'exit /b %ERRORLEVEL%',
    '',
  ];
  return { mission, 'mission.cmd': lines.join('\r\n') };
}
