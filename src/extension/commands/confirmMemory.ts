import { commands as vscodeCommands } from 'vscode';
import { quotedName } from '../../base/text/oneLine';
import { ui } from '../../base/text/marked/ui';
import type { ProposedMemoryView } from '../../contracts/page/liveView';
import type { Composition } from '../compose';
import { commands } from '../registry/registry';
import { takesNamed } from '../views/missionFacts';
import { pick, pickMany } from '../window/pick';
import { decide } from './ask/decisions';
import { chooseLane, type TargetArgument, chooseFor } from './ask/targets';

/** Asks what to remember of a verified task: which value of each conflict, then which of the other entries. */
export async function confirmMemory(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'confirmMemory', 'Nothing waits to be remembered.');
  if (!target) return;
  const { title } = target.question;
  const { mission } = target;
  const waiting = mission.lanes.filter(({ task_id }) => takesNamed('confirmMemory', mission, task_id));
  const lane = await chooseLane(target, waiting);
  if (!lane?.memory) return;
  const { task_id, memory } = lane;
  const long = memory.some((entry) => isLong(entry));
  // The list shows one entry at a time in full, but a person compares both values of a conflict.
  const asked = long ? `${title} (Mission Control shows the whole texts)` : title;
  if (long)
    await vscodeCommands.executeCommand(commands.showMissionControl.id, {
      folder: target.folder.folder.uri.toString(),
      missionId: mission.mission_id,
    } satisfies TargetArgument);
  const replace: string[] = [];
  for (const entry of memory.filter(({ conflict }) => conflict)) {
    const chosen = await chooseValue(entry, task_id, asked);
    if (!chosen) return;
    if (chosen.replaces) replace.push(entry.name);
  }
  const others = memory.filter(({ conflict }) => !conflict);
  const kept = others.length === 0 ? [] : await chooseKept(others, task_id, asked);
  if (!kept) return;
  const keep = kept.map(({ label }) => label);
  const discard = memory.map(({ name }) => name).filter((name) => !keep.includes(name) && !replace.includes(name));
  const saved = [...keep, ...replace];
  await decide(
    composition,
    target,
    { type: 'ConfirmMemory', task_id, keep, replace, discard },
    saved.length === 0
      ? ui`Nothing of task ${task_id} is remembered.`
      : ui`Remembered of task ${task_id}: ${ui.join(saved.map(quotedName), ', ')}.`,
  );
}

/** Characters that fit into a line of a list in VS Code's narrowest window. */
const shown = 80;

function isLong(entry: ProposedMemoryView): boolean {
  return detailOf(entry).length > shown || (entry.conflict && (entry.current?.decision.length ?? 0) > shown);
}

function detailOf({ decision, rationale }: ProposedMemoryView): string {
  return `${decision} (${rationale})`;
}

/** Asks for one of both values of a conflict; none is preselected. */
function chooseValue(
  entry: ProposedMemoryView,
  taskId: string,
  title: string,
): Promise<{ readonly replaces: boolean } | undefined> {
  const { name, current } = entry;
  const items = [
    {
      label: current ? `Keep version ${current.version}` : 'Discard it',
      detail: current?.decision ?? 'It names a version that is not there.',
      replaces: false,
    },
    { label: 'Replace it with what is proposed', detail: detailOf(entry), replaces: true },
  ];
  return pick(items, {
    title,
    placeHolder: 'Which of them counts?',
    prompt: ui`Task ${taskId}: ${name} contradicts what is remembered.`,
  });
}

function chooseKept(
  entries: readonly ProposedMemoryView[],
  taskId: string,
  title: string,
): Promise<readonly { readonly label: string }[] | undefined> {
  const items = entries.map((entry) => ({
    label: entry.name,
    ...(entry.current && { description: `replaces version ${entry.current.version}, as it says` }),
    detail: detailOf(entry),
  }));
  return pickMany(items, {
    title,
    placeHolder: 'Which of them are remembered?',
    prompt: ui`Task ${taskId} proposes these entries. The ones without a tick are discarded.`,
  });
}
