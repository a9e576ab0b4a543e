import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from '../../src/adapters/processes/tree';
import type { ProcessRecord } from '../../src/contracts/launch';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import type { MissionWorkspace } from './missionWorkspace';

/** The processes of every launch, as the journal has them, with the task they work on. */
export async function started(
  workspace: MissionWorkspace,
): Promise<readonly (ProcessRecord & { readonly task: string })[]> {
  const events = (await workspace.events()).map(({ event }) => event);
  const records = events.flatMap((event) => (event.type === 'WorkerStarted' ? [event.process] : []));
  return events.flatMap((event) =>
    event.type === 'LaunchRequested'
      ? records
          .filter(({ launch_id }) => launch_id === event.launch_id)
          .map((record) => ({ ...record, task: event.task_id }))
      : [],
  );
}

/** Waits until each of these tasks has a worker, and returns the processes in the order of the tasks. */
export async function waitForStarted(
  workspace: MissionWorkspace,
  ...tasks: readonly string[]
): Promise<readonly ProcessRecord[]> {
  return waitFor(
    async () => {
      const all = await started(workspace);
      const found = tasks.flatMap((task) => all.filter((record) => record.task === task));
      return found.length === tasks.length && found;
    },
    { what: `the workers of ${tasks.join(', ')}` },
  );
}

/** How many of these supervisors and workers live, by process id, start time and boot. */
export async function living(...records: readonly (ProcessRecord | undefined)[]): Promise<number> {
  const all = records.flatMap((record) => (record?.worker ? [record.supervisor, record.worker] : []));
  return (await Promise.all(all.map(isAlive))).filter(Boolean).length;
}

/** What the strips of the panel say, one per lane. */
export async function waitForStrips(window: VscodeWindow, ...parts: readonly string[]): Promise<void> {
  const frame = await window.webviewFrame('Mission Control');
  await waitFor(
    async () => {
      const strips = await frame.locator('.lane').allInnerTexts();
      return strips.length === parts.length && parts.every((part, index) => strips[index]?.includes(part));
    },
    { what: `the strips ${parts.join(', ')}` },
  );
}

/** The status in the evidence of a task, once the journal says that it is written. */
export async function waitForEvidence(workspace: MissionWorkspace, task: string): Promise<string> {
  await waitFor(
    async () =>
      (await workspace.events()).some(({ event }) => event.type === 'TaskEvidenceWritten' && event.task_id === task),
    { what: `the evidence of ${task}` },
  );
  return evidenceStatus(workspace, task);
}

export function evidenceStatus(workspace: MissionWorkspace, task: string): string {
  const file = path.join(workspace.workspaceDir, 'docs/ops/executions', workspace.planId, `TASK_${task}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { status: string }).status;
}
