import type { MissionFolder, MissionFolders } from './types';
import type { Contribution } from '../registry/contribution';

/** Calls back for every snapshot of every folder, including folders added later, and once at the start. */
export function followViews(folders: MissionFolders, onView: (folder: MissionFolder | null) => void): Contribution {
  let perFolder: readonly Contribution[] = [];
  const follow = (): void => {
    for (const subscription of perFolder) subscription.dispose();
    perFolder = folders.all.map((folder) => folder.onDidChangeView(() => onView(folder)));
    onView(null);
  };
  const subscription = folders.onDidChange(follow);
  follow();
  return {
    dispose() {
      subscription.dispose();
      for (const each of perFolder) each.dispose();
    },
  };
}
