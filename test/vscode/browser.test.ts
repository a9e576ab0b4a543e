import { writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { story } from './harness/story';
import type { VscodeWindow } from './harness/window';
import { makeMissionWorkspace, openMissionWindow } from './missionWorkspace';
import type { MissionWorkspace } from './missionWorkspace';

const title = 'Mission Control: Open Mission Control in Browser';

// Where a person switched it on: browserOpens.test.ts.
describe('Mission Control in a browser, where only the repository switched it on', () => {
  let window: VscodeWindow;

  story(async () => {
    const workspace = await makeMissionWorkspace('one', ['only'], { git: true });
    await setOfRepository(workspace);
    window = await openMissionWindow(workspace);
  });

  it('nothing listens, and the command says how a person switches it on', async () => {
    await window.command(title);
    await window.notifications.waitFor(/^Nothing listens for a browser\. Switch on missionControl\.events\.enabled/);
  });
});

async function setOfRepository({ workspaceDir }: MissionWorkspace): Promise<void> {
  await mkdir(path.join(workspaceDir, '.vscode'), { recursive: true });
  const settings = { 'missionControl.events.enabled': true };
  await writeFile(path.join(workspaceDir, '.vscode/settings.json'), JSON.stringify(settings));
}
