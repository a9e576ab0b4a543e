import { Uri } from 'vscode';
import { ui, type UiText } from '../../base/text/marked/ui';
import type { PanelItem } from '../../engine/views/panelView';
import type { TargetArgument } from '../commands/ask/targets';
import type { MissionFolder } from '../folder/missionFolders';
import type { CommandName } from '../registry/registry';
import { menuTargetOf, ownTexts, type OwnTexts } from '../views/menuTarget';

/** The content of the panel's last snapshot. */
export interface ShownInPanel {
  readonly items: readonly PanelItem[];
  readonly shown: string | null;
  readonly folderOf: (item: PanelItem) => MissionFolder | null;
  /** Returns what a row of a tree is about, by the row's name: `nothing` for a heading; null: no such row is shown. */
  readonly rowOf: (row: string) => TargetArgument | Uri | 'nothing' | null;
}

/** The checked argument of a command from a menu, a button or the palette, or the fault of the argument. */
export type CalledOn =
  | { readonly ok: true; readonly argument: unknown }
  /** Continues the title of the command. Repeats nothing of the argument, because it may be anything. */
  | { readonly ok: false; readonly why: UiText };

/** `changed`: a mission, or a file that one changed. */
type Takes = 'mission' | 'changed' | 'plan' | 'nothing';

/** `nothing`: the command itself decides about its argument. Absent: it takes a mission. */
const takesOther: Readonly<Partial<Record<CommandName, Takes>>> = {
  ...{ validatePlan: 'plan', approvePlan: 'plan', runPlan: 'plan', compareWithLockedPlan: 'plan', openPlan: 'plan' },
  ...{ newProjectContext: 'plan', openProjectContext: 'plan' },
  reviewChanges: 'changed',
  ...{ newPlan: 'nothing', draftPlan: 'nothing', runSample: 'nothing', openSample: 'nothing' },
  ...{ stopEverything: 'nothing', allowStarts: 'nothing', resumeHandoff: 'nothing', showNeedsYou: 'nothing' },
  ...{ openInBrowser: 'nothing', doctor: 'nothing', doctorRemedy: 'nothing', approveReviewed: 'nothing' },
  ...{ addComment: 'nothing', discardComments: 'nothing', sendBack: 'nothing' },
};

/**
 * Looks up what a menu names: a menu of the page passes what the page says, one of a tree the name of a row. A button
 * in the panel's title is about the shown mission. Refuses a name that is unknown, so that no command turns to another
 * mission or plan.
 */
export function calledOn(command: CommandName, argument: unknown, panel: ShownInPanel): CalledOn {
  const takes = takesOther[command] ?? 'mission';
  if (takes === 'nothing' || argument === undefined || argument === null) return { ok: true, argument };
  const file = takes === 'changed' ? fileOf(argument) : null;
  if (file) return { ok: true, argument: file };
  const given = ownTexts(argument, [
    'webviewSection',
    'entry',
    'task_id',
    'treeRow',
    'folder',
    'missionId',
    'taskId',
    'choice',
  ]);
  if (given === null) return { ok: false, why: ui`it was called on something that is no mission and no plan` };
  const found = argument instanceof Uri ? ofUri(argument, panel) : lookedUp(given, panel);
  if (!found.ok || found.argument === undefined) return found;
  const isUri = found.argument instanceof Uri;
  if (isUri === (takes === 'plan')) return found;
  return {
    ok: false,
    why: isUri ? ui`it was called on a file, and takes a mission` : ui`it was called on a mission, and takes a plan`,
  };
}

/** Returns a file, or that of a row of a source control, which another extension made; null: it is neither. */
function fileOf(argument: object): Uri | null {
  try {
    const file = argument instanceof Uri ? argument : (argument as { readonly resourceUri?: unknown }).resourceUri;
    return file instanceof Uri && file.scheme !== ofPanel ? file : null;
  } catch {
    // A getter may throw anything.
    return null;
  }
}

/** The scheme by which a button in the title of a page names it. */
const ofPanel = 'webview-panel';

function ofUri(uri: Uri, panel: ShownInPanel): CalledOn {
  if (uri.scheme !== ofPanel) return { ok: true, argument: uri };
  const item = panel.items.find(({ entry }) => entry.id === panel.shown);
  return item ? named(item, null, panel) : { ok: false, why: ui`the panel shows no mission` };
}

function lookedUp(given: OwnTexts, panel: ShownInPanel): CalledOn {
  const { treeRow, webviewSection, missionId, folder, taskId, choice } = given;
  if (treeRow !== undefined) {
    const row = panel.rowOf(treeRow);
    if (row === null) return { ok: false, why: ui`the row of its menu is no longer shown` };
    return { ok: true, argument: row === 'nothing' ? undefined : row };
  }
  if (webviewSection !== undefined) {
    const target = menuTargetOf(given, panel.items);
    if (!target.ok) return target;
    const found = named(target.item, target.task_id, panel);
    const isMission = found.ok && target.item.of.kind === 'mission';
    return isMission && choice !== undefined
      ? { ok: true, argument: { ...(found.argument as TargetArgument), choice } }
      : found;
  }
  if (missionId === undefined) return { ok: false, why: ui`it was called on something that names no mission` };
  const argument = { missionId, ...(folder !== undefined && { folder }), ...(taskId !== undefined && { taskId }) };
  return { ok: true, argument };
}

function named(item: PanelItem, taskId: string | null, { folderOf }: ShownInPanel): CalledOn {
  const folder = item.folder.key;
  switch (item.of.kind) {
    case 'mission': {
      const { mission_id: missionId } = item.of.read.mission;
      return { ok: true, argument: { folder, missionId, ...(taskId !== null && { taskId }) } };
    }
    case 'draft': {
      const open = folderOf(item);
      return open
        ? { ok: true, argument: Uri.joinPath(open.folder.uri, ...item.of.draft.path.split('/')) }
        : { ok: false, why: ui`the folder of its plan is no longer open` };
    }
    case 'evidence_only':
    case 'unreadable':
      // Passes the entry, because Open Evidence knows evidence by it and no other command takes it for a mission.
      return { ok: true, argument: { folder, missionId: item.entry.id } };
  }
}
