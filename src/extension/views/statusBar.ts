import { ui } from '../../base/text/marked/ui';
import { type MissionFolders, followViews } from '../folder/missionFolders';
import { commands, together, type Contribution } from '../registry/registry';
import { StatusItem } from '../window/ui';
import { statusOf } from './statusText';

export function showInStatusBar(folders: MissionFolders): Contribution {
  const item = new StatusItem(ui`Mission Control`, commands.showNeedsYou.id);
  const following = followViews(folders, () => {
    const views = folders.all.flatMap(({ view }) => view ?? []);
    const now = views.reduce((newest, { generated_at }) => (generated_at > newest ? generated_at : newest), '');
    const missions = views.flatMap((view) => view.missions);
    item.show(statusOf(missions, now));
  });
  return together([following, item]);
}
