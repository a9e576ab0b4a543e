import { ui, type UiText } from '../../base/text/marked/ui';
import { menuSections, type MenuArgument } from '../../contracts/page/menuKeys';
import type { PanelItem } from '../../engine/views/panelView';

export type MenuTarget =
  | { readonly ok: true; readonly item: PanelItem; readonly task_id: string | null }
  | { readonly ok: false; readonly why: UiText };

/** Uses nothing else of its argument, because the page may send a forged or old one. */
export function menuTargetOf(
  { webviewSection, entry, task_id }: Readonly<Partial<Record<keyof MenuArgument, string>>>,
  items: readonly PanelItem[],
): MenuTarget {
  const item = items.find((candidate) => candidate.entry.id === entry);
  if (!item) return { ok: false, why: ui`its menu names no mission that is shown` };
  // Refuses another kind of thing, because the command would find no named mission and take the only one.
  if (webviewSection === menuSections.task) {
    const task =
      item.of.kind === 'mission' ? item.of.read.mission.rows.find((row) => row.task.task_id === task_id) : null;
    return task
      ? { ok: true, item, task_id: task.task.task_id }
      : { ok: false, why: ui`its menu names no task of mission ${item.entry.title}` };
  }
  if (kinds.get(webviewSection ?? '') === item.of.kind && task_id === undefined)
    return { ok: true, item, task_id: null };
  return { ok: false, why: ui`its menu is not one of ${item.entry.title}` };
}

const kinds: ReadonlyMap<string, PanelItem['of']['kind']> = new Map([
  [menuSections.draft, 'draft'],
  [menuSections.mission, 'mission'],
  [menuSections.evidence, 'evidence_only'],
]);

export type OwnTexts = Readonly<Partial<Record<string, string>>>;

/**
 * The texts that a foreign object itself has under these names. Null: it is no object, one of them is no text, or it
 * cannot be read. Runs none of its getters, and ignores its prototype.
 */
export function ownTexts(of: unknown, names: readonly string[]): OwnTexts | null {
  if (typeof of !== 'object' || of === null) return null;
  const texts: Record<string, string> = {};
  try {
    for (const name of names) {
      const property = Object.getOwnPropertyDescriptor(of, name);
      if (property === undefined) continue;
      if (typeof property.value !== 'string') return null;
      texts[name] = property.value;
    }
  } catch {
    // A proxy may throw anything.
    return null;
  }
  return texts;
}
