import type { JournalledLaunch, LaunchStandingFacts } from '../../engine/ports/launches';
import { launchStanding, processOf } from './standing';
import { processTable } from '../processes/table';
import { membersIn, treeCpuSeconds } from '../processes/tree';

/** Says whether a process of the launch lives, and the CPU seconds used so far, collected children included. */
export async function launchActivity(
  runDir: string,
  known: JournalledLaunch,
  exceptRoot: boolean,
): Promise<{ readonly alive: boolean; readonly cpu_seconds: number }> {
  const process = await processOf(runDir, known);
  const carriers = await processTable.carriers(known.nonce);
  const table = await processTable.list();
  const root = process?.worker ?? null;
  const members = membersIn(
    table,
    await processTable.bootId(),
    { root, nonce: known.nonce, namespace: process?.namespace },
    carriers,
  );
  const except = exceptRoot && root !== null ? root.pid : null;
  return { alive: members.length > 0, cpu_seconds: treeCpuSeconds(table, members, except) };
}

export async function standingFacts(runDir: string, known: JournalledLaunch): Promise<LaunchStandingFacts> {
  const { kind } = await launchStanding(runDir, known);
  switch (kind) {
    case 'waiting':
    case 'revoked':
    case 'void':
      return 'unstarted';
    case 'taken':
    case 'running':
      return 'supervised';
    case 'ended':
    case 'lost':
      return kind;
  }
}
