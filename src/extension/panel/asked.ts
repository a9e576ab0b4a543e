import { commands as vscodeCommands } from 'vscode';
import { ui } from '../../base/text/marked/ui';
import { menuSections, type MenuArgument } from '../../contracts/page/menuKeys';
import type { PageMessage } from '../../contracts/page/pageMessage';
import type { PanelItem } from '../../engine/views/panelView';
import { commands } from '../registry/registry';
import { confirm } from '../window/ui';

type Asked = Extract<PageMessage, { readonly type: 'ask' }>;

/** Opens what a button of the page asks for. It goes the way of a menu of the page, which looks up what it names. */
export async function openAsked(asked: Asked, items: readonly PanelItem[]): Promise<void> {
  const { command, entry, task_id, choice } = asked;
  // Every other command asks by itself.
  if (command === 'runPlan' && !(await isToRun(items.find((item) => item.entry.id === entry)))) return;
  const isOfPlan = command === 'approvePlan' || command === 'runPlan';
  const section = isOfPlan ? 'draft' : task_id === undefined ? 'mission' : 'task';
  await vscodeCommands.executeCommand(commands[command].id, {
    ...{ webviewSection: menuSections[section], entry },
    ...(task_id !== undefined && { task_id }),
    ...(choice !== undefined && { choice }),
  } satisfies MenuArgument & Pick<Asked, 'choice'>);
}

/** Asks a person, because the page may be forged and an approved plan starts at once. */
async function isToRun(item: PanelItem | undefined): Promise<boolean> {
  if (item?.of.kind !== 'draft') return false;
  const { plan_id, path, tasks } = item.of.draft;
  const count = `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}`;
  return confirm(
    ui`Run plan ${plan_id}?`,
    ui`${path} has ${count}. An approved plan starts at once.`,
    'Run',
    'Not Now',
  );
}
