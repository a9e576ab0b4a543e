import { offeredKey, offeredWords, type MenuSection } from '../../../src/contracts/page/menuKeys';
import type { ShownMission } from '../../../src/contracts/page/panelView';

/** Decides VS Code's own context menu of an element. */
export function menuContext(
  section: MenuSection,
  entry: string,
  view: ShownMission['view'] | null,
  task?: string,
): string {
  return JSON.stringify({
    webviewSection: section,
    entry,
    ...(task !== undefined && { task_id: task }),
    ...(view && { [offeredKey]: offeredWords(view, task ?? null) }),
    preventDefaultContextMenuItems: true,
  });
}
