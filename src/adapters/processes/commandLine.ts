import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The file and arguments to spawn for an argv. On POSIX the argv itself. On Windows (UNTESTED there; the parts are
 * tested as functions) the name is searched with PATHEXT and npm's shims are resolved: a `.cmd` becomes `node
 * <script>`, so that cmd.exe never reads an argument, and PowerShell runs a `.ps1`.
 *
 * @throws Error for a batch file that is no npm shim: only a shell could run it.
 */
export async function resolveCommandLine(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Promise<CommandLine> {
  const [name = '', ...args] = argv;
  if (platform !== 'win32') return { file: name, args };
  const file = (await findExecutable(name, environment, platform)) ?? name;
  const extension = path.win32.extname(file).toLowerCase();
  if (extension === '.ps1') {
    return {
      file: 'powershell.exe',
      args: ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', file, ...args],
    };
  }
  if (extension !== '.cmd' && extension !== '.bat') return { file, args };
  const script = shimTarget(await readFile(file, 'utf8'), path.win32.dirname(file));
  if (script === null) throw new Error(`${file} is a batch file: name the program it starts instead`);
  return { file: 'node.exe', args: [script, ...args] };
}

/** The script that a `.cmd` shim of npm starts. */
export function shimTarget(text: string, directory: string): string | null {
  const found = /"%(?:~dp0|dp0%)\\?([^"%]+?\.[cm]?js)"\s+%\*/i.exec(text);
  return found?.[1] === undefined ? null : path.win32.join(directory, found[1]);
}

/** The file of a name: the name itself if it holds a separator, else the first match on PATH (and PATHEXT). */
export async function findExecutable(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Promise<string | null> {
  const names = platform === 'win32' ? path.win32 : path.posix;
  const variable = (wanted: string): string =>
    Object.entries(environment).find(([key]) =>
      platform === 'win32' ? key.toUpperCase() === wanted : key === wanted,
    )?.[1] ?? '';
  const extensions =
    platform === 'win32' && names.extname(name) === ''
      ? (variable('PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';')
      : [''];
  const separated = name.includes('/') || (platform === 'win32' && name.includes('\\'));
  // Skips a relative PATH entry, because it would search the working directory, where a repository can put anything.
  const directories = separated
    ? ['']
    : variable('PATH')
        .split(names.delimiter)
        .filter((directory) => names.isAbsolute(directory));
  for (const directory of directories) {
    for (const extension of extensions) {
      const file = directory === '' ? name + extension : names.join(directory, name + extension);
      if (await isExecutable(file, platform)) return file;
    }
  }
  return null;
}

async function isExecutable(file: string, platform: NodeJS.Platform): Promise<boolean> {
  const stats = await stat(file).catch(() => null); // absent or unreadable
  return stats !== null && stats.isFile() && (platform === 'win32' || (stats.mode & 0o111) !== 0);
}
