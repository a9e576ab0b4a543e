import { menuSections, type MenuArgument } from '../../contracts/menuKeys';
import type { PanelItem } from '../../engine/views/panelView';

/** What a menu was called on, as the last snapshot knows it. */
export interface MenuTarget {
  readonly item: PanelItem;
  readonly task_id: string | null;
}

/**
 * A menu's argument comes from the page or a tree and may be forged or outdated: only what it names is looked up, and
 * nothing of it is used. Null: it names nothing that is shown.
 */
export function menuTargetOf(argument: unknown, items: readonly PanelItem[]): MenuTarget | null {
  if (typeof argument !== 'object' || argument === null) return null;
  const { webviewSection, entry, task_id } = argument as Readonly<Partial<Record<keyof MenuArgument, unknown>>>;
  const item = items.find((candidate) => candidate.entry.id === entry);
  if (!item) return null;
  // A menu of one kind of thing never acts on another: its command would find no mission named and take the only one.
  switch (webviewSection) {
    case menuSections.draft:
      return item.of.kind === 'draft' && task_id === undefined ? { item, task_id: null } : null;
    case menuSections.mission:
      return item.of.kind === 'mission' && task_id === undefined ? { item, task_id: null } : null;
    case menuSections.evidence:
      return item.of.kind === 'evidence_only' && task_id === undefined ? { item, task_id: null } : null;
    case menuSections.task: {
      if (item.of.kind !== 'mission') return null;
      const row = item.of.read.mission.rows.find(({ task }) => task.task_id === task_id);
      return row ? { item, task_id: row.task.task_id } : null;
    }
    default:
      return null;
  }
}
