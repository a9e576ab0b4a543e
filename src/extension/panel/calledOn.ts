import { Uri } from 'vscode';
import type { PanelItem } from '../../engine/views/panelView';
import type { TargetArgument } from '../commands/targets';
import type { MissionFolder } from '../folder/types';
import { menuTargetOf } from '../views/menuTarget';

/** What the panel shows, as its last snapshot says. */
export interface ShownInPanel {
  readonly items: readonly PanelItem[];
  /** Id of the entry in full; null: none. */
  readonly shown: string | null;
  readonly folderOf: (item: PanelItem) => MissionFolder | null;
  /** What a row of a tree is about, by its name; null: no such row is shown. */
  readonly rowOf: (row: string) => TargetArgument | Uri | null;
}

/** The argument of a command that was called from a menu, a button or the palette. */
export type CalledOn = { readonly ok: true; readonly argument: unknown } | { readonly ok: false };

/**
 * Menus of the page hand over what the page says of itself, those of a tree the name of a row: it is looked up in what
 * is shown, and what names nothing there is refused. A button in the panel's title is about the mission that the panel shows. Every other argument is for
 * the command to judge.
 */
export function calledOn(argument: unknown, panel: ShownInPanel): CalledOn {
  if (argument instanceof Uri && argument.scheme === 'webview-panel') {
    const item = panel.items.find(({ entry }) => entry.id === panel.shown);
    return item ? { ok: true, argument: named(item, null, panel) } : { ok: false };
  }
  if (typeof argument !== 'object' || argument === null) return { ok: true, argument };
  if ('treeRow' in argument) {
    const found = typeof argument.treeRow === 'string' ? panel.rowOf(argument.treeRow) : null;
    return found === null ? { ok: false } : { ok: true, argument: found };
  }
  if (!('webviewSection' in argument)) return { ok: true, argument };
  const target = menuTargetOf(argument, panel.items);
  return target ? { ok: true, argument: named(target.item, target.task_id, panel) } : { ok: false };
}

function named(item: PanelItem, taskId: string | null, { folderOf }: ShownInPanel): TargetArgument | Uri | undefined {
  switch (item.of.kind) {
    case 'mission':
      return {
        ...{ folder: item.folder.key, missionId: item.of.read.mission.mission_id },
        ...(taskId !== null && { taskId }),
      };
    case 'draft': {
      const folder = folderOf(item);
      return folder ? Uri.joinPath(folder.folder.uri, ...item.of.draft.path.split('/')) : undefined;
    }
    case 'evidence_only':
    case 'unreadable':
      // No command takes it for a mission, so none turns to another one; Open Evidence knows evidence by its entry.
      return { folder: item.folder.key, missionId: item.entry.id };
  }
}
