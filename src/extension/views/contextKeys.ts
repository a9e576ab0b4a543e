import { commands } from 'vscode';
import type { MissionFolders } from '../folder/types';
import { contextKeys, type ContextKeyName } from '../registry/registry';
import { contextFacts } from './missionFacts';
import { followViews } from '../folder/missionsHere';
import type { Contribution } from '../registry/contribution';

/** Sets our context keys, on which the palette's commands depend; no other code sets them. */
export function setContextKeys(folders: MissionFolders): Contribution {
  const set = new Map<ContextKeyName, boolean>();
  return followViews(folders, () => {
    const facts = contextFacts(folders.all.flatMap(({ view }) => view?.missions ?? []));
    for (const name of Object.keys(contextKeys) as ContextKeyName[]) {
      if (set.get(name) === facts[name]) continue;
      set.set(name, facts[name]);
      void commands.executeCommand('setContext', contextKeys[name], facts[name]);
    }
  });
}
