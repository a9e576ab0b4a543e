import { execFile, spawn } from 'node:child_process';
import os from 'node:os';
import { isObject, parsedJson, textAt } from '../../base/json';

/** The variable by which this program starts another of our programs: Electron needs it to run as Node. */
export const asNode: { readonly ELECTRON_RUN_AS_NODE?: '1' } =
  process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };

/** Runs our own command line with `--json`; resolves with its output, whatever its exit code. */
export function runMission(cliFile: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...asNode };
  return new Promise((resolve) => {
    execFile(process.execPath, [cliFile, ...args, '--json'], { cwd: os.homedir(), env }, (error, stdout) => {
      resolve(stdout.trim() === '' && error ? error.message : stdout);
    });
  });
}

/** A `mission events serve` of our own, which ends with this process or when it is closed. */
export interface OwnEventServer {
  readonly isOpen: boolean;
  /** Returns a link that opens the page in a browser, once and for a short time. */
  link(): Promise<string>;
  close(): void;
}

/**
 * Starts it for a workspace. Rejects with its output if it ends before it listens. The token comes by its output and
 * stays here.
 */
export function startEventServer(cliFile: string, workspaceDir: string): Promise<OwnEventServer> {
  const child = spawn(process.execPath, [cliFile, 'events', 'serve', '--workspace', workspaceDir, '--json'], {
    cwd: os.homedir(),
    env: { ...process.env, ...asNode },
    // It sees the channel close when this process dies, however it dies.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  let problems = '';
  child.stderr?.on('data', (data: Buffer) => {
    problems = (problems + data.toString()).slice(-2000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`it ended with ${code ?? 'a signal'}: ${printed}${problems}`)));
    child.stdout?.on('data', (data: Buffer) => {
      printed += data.toString();
      const address = documentOf(printed);
      if (address === null) return;
      const { url, token } = address;
      resolve({
        get isOpen() {
          return child.exitCode === null && child.signalCode === null;
        },
        async link() {
          const answer = await fetch(`${url}/link`, { headers: { authorization: `Bearer ${token}` } });
          if (!answer.ok) throw new Error(`it answered with ${answer.status}`);
          return (await answer.text()).trim();
        },
        close: () => void child.kill('SIGTERM'),
      });
    });
  });
}

/** Null: the document is not complete yet, or is a refusal. */
function documentOf(text: string): { readonly url: string; readonly token: string } | null {
  const parsed = parsedJson(text);
  const [url, token] = isObject(parsed) ? [textAt(parsed, 'url'), textAt(parsed, 'token')] : [];
  return url && token ? { url, token } : null;
}
