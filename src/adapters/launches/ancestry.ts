import type { ProcessIdentity, ProcessRecord } from '../../contracts/launch';
import { processTable, ancestorsIn } from '../processes/tree';
import { nonceVariable } from '../processes/facts';
import { isSupervisorFile } from '../user/programCopy';

/**
 * Returns whether this process belongs to a worker, because an agent must not approve, resume or resolve through our
 * CLI. Checks the ancestors too, because an agent may unset the variable: their environment, their command line (our
 * supervisor in its `own` mode), and the records of live runs (`liveRuns` of launches.ts). Limit: a process that became
 * a daemon with an emptied environment has no ancestors to check.
 */
export async function runsInsideWorker(
  live: readonly ProcessRecord[] = [],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<boolean> {
  if ((environment[nonceVariable] ?? '') !== '') return true;
  return processIsInsideWorker(process.pid, live);
}

/** The same for any process. */
export async function processIsInsideWorker(pid: number, live: readonly ProcessRecord[]): Promise<boolean> {
  const table = await processTable.list();
  const line = [pid, ...ancestorsIn(table, pid)];
  const carriers = new Set(await processTable.carriers(null));
  if (line.some((one) => carriers.has(one))) return true;

  const bootId = await processTable.bootId();
  const isAncestor = (owner: ProcessIdentity): boolean =>
    owner.boot_id === bootId && line.includes(owner.pid) && table.get(owner.pid)?.startTime === owner.start_time;
  if (live.some(({ supervisor, worker }) => isAncestor(supervisor) || (worker !== null && isAncestor(worker))))
    return true;
  for (const one of line) if (isSupervisor(await processTable.commandLine(one))) return true;
  return false;
}

function isSupervisor(commandLine: readonly string[]): boolean {
  const at = commandLine.findIndex(isSupervisorFile);
  return at !== -1 && commandLine[at + 1] === 'own';
}
