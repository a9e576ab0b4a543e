import { commandEntries } from '../contracts/vocabulary/commands';
import type { CommandSpec } from './shell/command';

/** Loads the command of that name, without the modules that only other commands need; null: no command has it. */
export async function commandNamed(name: string): Promise<CommandSpec | null> {
  return (await commandModules.get(name)?.()) ?? null;
}

/** Where each command lies. `commands.ts` lists the same ones for the help, which needs them all. */
const commandModules: ReadonlyMap<string, () => Promise<CommandSpec>> = new Map([
  ...commandEntries.flatMap(([, { line, plain }]) =>
    plain ? [[line, async () => (await import('./commands/human')).plainCommand(line)] as const] : [],
  ),
  ['check', async () => (await import('./commands/check')).check],
  ['plan new', async () => (await import('./commands/plan/planNew')).planNew],
  ['plan draft', async () => (await import('./commands/plan/planDraft')).planDraft],
  ['plan validate', async () => (await import('./commands/plan/planValidate')).planValidate],
  ['plan approve', async () => (await import('./commands/plan/planApprove')).planApprove],
  ['plan revise', async () => (await import('./commands/planRevise')).planRevise],
  ['context new', async () => (await import('./commands/contextNew')).contextNew],
  ['run', async () => (await import('./commands/run')).run],
  ['status', async () => (await import('./commands/status')).status],
  ['list', async () => (await import('./commands/status')).list],
  ['diff', async () => (await import('./commands/diff')).diff],
  ['stop', async () => (await import('./commands/human')).stop],
  ['skip', async () => (await import('./commands/human')).skip],
  ['accept', async () => (await import('./commands/human')).accept],
  ['grant', async () => (await import('./commands/grant')).grant],
  ['answer', async () => (await import('./commands/answer')).answer],
  ['packet list', async () => (await import('./commands/packet')).packetList],
  ['packet show', async () => (await import('./commands/packet')).packetShow],
  ['packet resolve', async () => (await import('./commands/packet')).packetResolve],
  ['packet revise', async () => (await import('./commands/packetRevise')).packetRevise],
  ['memory confirm', async () => (await import('./commands/memory')).memoryConfirm],
  ['memory list', async () => (await import('./commands/memory')).memoryList],
  ['memory show', async () => (await import('./commands/memory')).memoryShow],
  ['memory verify', async () => (await import('./commands/memory')).memoryVerify],
  ['memory set-aside', async () => (await import('./commands/memory')).memorySetAside],
  ['handoff export', async () => (await import('./commands/handoff')).handoffExport],
  ['handoff resume', async () => (await import('./commands/handoff')).handoffResume],
  ['evidence verify', async () => (await import('./commands/evidenceVerify')).evidenceVerify],
  ['journal export', async () => (await import('./commands/journal')).journalExport],
  ['journal verify', async () => (await import('./commands/journal')).journalVerify],
  ['audit export', async () => (await import('./commands/audit')).auditExport],
  ['audit verify', async () => (await import('./commands/audit')).auditVerify],
  ['doctor', async () => (await import('./commands/doctor')).doctor],
  ['clean', async () => (await import('./commands/clean')).clean],
  ['events serve', async () => (await import('./commands/eventsServe')).eventsServe],
  ['orch start', async () => (await import('./commands/orch')).orchStart],
  ['orch task', async () => (await import('./commands/orch')).orchTask],
  ['worker signals', async () => (await import('./commands/workerSignals')).workerSignals],
]);
