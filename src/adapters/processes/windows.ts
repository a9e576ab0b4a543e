import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ProcessFacts, ProcessTable } from './facts';

/**
 * Windows through CIM and `taskkill`. UNTESTED there: written from the documentation; the parser is tested with
 * recorded text. Limits: a program cannot read the environment of another process. So the nonce does not find a process
 * that left its parents. A console program cannot be asked to end: `SIGTERM` ends the tree at once.
 */
export const windowsProcesses: ProcessTable = {
  bootId: async () => (await powershell('(Get-CimInstance Win32_OperatingSystem).LastBootUpTime.ToString("o")')).trim(),
  list: async () => parseCim(await powershell(`Get-CimInstance Win32_Process ${selection}`)),
  read: async (pid) =>
    parseCim(await powershell(`Get-CimInstance Win32_Process -Filter "ProcessId=${pid}" ${selection}`)).get(pid) ??
    null,
  async memoryOf(pids) {
    const sum = '(Get-Process -ErrorAction SilentlyContinue -Id PIDS | Measure-Object PrivateMemorySize64 -Sum).Sum';
    return pids.length === 0 ? 0 : Number(await powershell(sum.replace('PIDS', pids.join(','))));
  },
  carriers: () => Promise.resolve([]),
  async commandLine(pid) {
    const text = await powershell(`(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`);
    return [...text.trim().matchAll(/"([^"]*)"|(\S+)/g)].map((part) => part[1] ?? part[2] ?? '');
  },
  async signal(pid) {
    const taskkill = path.win32.join(systemRoot(), 'System32', 'taskkill.exe');
    // Ignores a failure, because it proves nothing: the caller looks whether the process is gone.
    await promisify(execFile)(taskkill, ['/PID', String(pid), '/T', '/F'], { windowsHide: true }).catch(
      () => undefined,
    );
  },
};

/** Exported for its test. `ConvertTo-Json` writes one object for one row and a list for more. */
export function parseCim(json: string): ReadonlyMap<number, ProcessFacts> {
  const table = new Map<number, ProcessFacts>();
  const value: unknown = json.trim() === '' ? [] : JSON.parse(json);
  for (const row of (Array.isArray(value) ? value : [value]) as readonly CimRow[]) {
    table.set(row.ProcessId, {
      pid: row.ProcessId,
      parent: row.ParentProcessId,
      group: null,
      session: null,
      startTime: row.Start ?? 'unknown',
      zombie: false,
      cpuSeconds: (row.KernelModeTime + row.UserModeTime) / 1e7,
      childCpuSeconds: 0,
    });
  }
  return table;
}

interface CimRow {
  readonly ProcessId: number;
  readonly ParentProcessId: number;
  /** Null for the system's own processes. */
  readonly Start: string | null;
  /** In units of 100 ns. */
  readonly KernelModeTime: number;
  readonly UserModeTime: number;
}

const selection =
  '| Select-Object ProcessId,ParentProcessId,KernelModeTime,UserModeTime,' +
  '@{n="Start";e={if($_.CreationDate){$_.CreationDate.ToUniversalTime().ToString("o")}}} | ConvertTo-Json -Compress';

function systemRoot(): string {
  return process.env['SystemRoot'] ?? String.raw`C:\Windows`;
}

async function powershell(script: string): Promise<string> {
  const file = path.win32.join(systemRoot(), 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  const { stdout } = await promisify(execFile)(file, ['-NoProfile', '-NonInteractive', '-Command', script], {
    encoding: 'utf8',
    windowsHide: true,
    maxBuffer: 64 * 1024 * 1024,
    timeout: 20_000,
  });
  return stdout;
}
