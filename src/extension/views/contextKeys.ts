import { commands } from 'vscode';
import type { MissionView } from '../../contracts/page/missionView';
import type { MissionFolders } from '../folder/types';
import { contextKeys, type ContextKeyName } from '../registry/registry';
import { contextFacts } from './missionFacts';
import { followViews } from '../folder/missionsHere';
import type { Contribution } from '../registry/contribution';

/** Sets our context keys, on which the palette's commands depend; no other code sets them. */
export class ContextKeys implements Contribution {
  readonly #set = new Map<ContextKeyName, boolean>();
  readonly #following: Contribution;

  constructor(private readonly folders: MissionFolders) {
    this.#following = followViews(folders, () => this.#update());
  }

  dispose(): void {
    this.#following.dispose();
  }

  #update(): void {
    const missions: readonly MissionView[] = this.folders.all.flatMap((folder) => folder.view?.missions ?? []);
    const facts = contextFacts(missions);
    for (const name of Object.keys(contextKeys) as ContextKeyName[]) {
      if (this.#set.get(name) === facts[name]) continue;
      this.#set.set(name, facts[name]);
      void commands.executeCommand('setContext', contextKeys[name], facts[name]);
    }
  }
}
