import { ui } from '../../base/text/marked/ui';
import type { MissionFolders } from '../folder/types';
import { commands } from '../registry/registry';
import { StatusItem } from '../window/ui';
import { followViews } from '../folder/missionsHere';
import { statusOf } from './statusText';
import type { Contribution } from '../registry/contribution';

/** Shows one item for the whole window. */
export class StatusBar implements Contribution {
  readonly #item = new StatusItem(ui`Mission Control`, commands.showNeedsYou.id);
  readonly #following: Contribution;

  constructor(private readonly folders: MissionFolders) {
    this.#following = followViews(folders, () => this.#update());
  }

  dispose(): void {
    this.#following.dispose();
    this.#item.dispose();
  }

  #update(): void {
    const views = this.folders.all.flatMap(({ view }) => (view ? [view] : []));
    const now =
      views
        .map(({ generated_at }) => generated_at)
        .sort()
        .at(-1) ?? '';
    this.#item.show(
      statusOf(
        views.flatMap(({ missions }) => missions),
        now,
      ),
    );
  }
}
