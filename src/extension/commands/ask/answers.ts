import { commands as vscodeCommands } from 'vscode';
import type { MissionCommand } from '../../../contracts/commands/missionCommand';
import type { MissionView } from '../../../contracts/page/missionView';
import { ui, type UiText } from '../../../base/text/marked/ui';
import { missionWord } from '../../../base/text/words';
import { untilView } from '../../folder/missionsHere';
import type { Answer, MissionFolder, MissionFolders } from '../../folder/types';
import { commands } from '../../registry/registry';
import { commandStage, takesNamed, type CommandStage } from '../../views/missionFacts';
import { busy, inform } from '../../window/ui';
import { showRefusal } from './refusal';
import type { TargetArgument } from './targets';

export async function showAnswer(title: string, answer: Answer): Promise<void> {
  if (answer.accepted) await inform(ui`${title}: ${answer.reason}`);
  else await showRefusal(title, answer);
}

/**
 * Shows it as `showAnswer`, except what has still to happen. It shows that as progress until it has
 * happened, because VS Code takes back no other notification. A stopped worker and a canceled
 * mission are then said by a notification of their own.
 */
export async function showDecided(
  title: string,
  answer: Answer,
  command: MissionCommand,
  of: { readonly folders: MissionFolders; readonly folder: MissionFolder; readonly missionId: string },
): Promise<void> {
  if (!answer.accepted) return void showAnswer(title, answer);
  const { folders, folder, missionId } = of;
  await folder.refresh();
  const found = (): MissionView | undefined =>
    folders.all.includes(folder) ? folder.view?.missions.find((one) => one.mission_id === missionId) : undefined;
  const stage = (): CommandStage => {
    const mission = found();
    return mission ? commandStage(command, mission) : 'at_once';
  };
  const now = found();
  switch (stage()) {
    case 'coming':
      void busy(ui`${title}: ${answer.reason}`, () => untilView(folders, () => stage() !== 'coming'));
      return;
    case 'happened':
      if (now) void inform(ui`${title}: Mission ${now.plan_id} is ${missionWord(now)}.`);
      return;
    case 'shown':
      return;
    case 'at_once':
    case 'stuck': {
      const taskId = 'changes' in command ? command.task_id : null;
      if (taskId === null || !now || !takesNamed('retryTask', now, taskId)) void showAnswer(title, answer);
      else void offerRetry(ui`${title}: ${answer.reason}`, { folder: folder.folder.uri.toString(), missionId, taskId });
    }
  }
}

/** A revised task stays blocked, so its retry is one click away. */
async function offerRetry(text: UiText, argument: TargetArgument): Promise<void> {
  const { id, title } = commands.retryTask;
  if ((await inform(text, title)) === title) await vscodeCommands.executeCommand(id, argument);
}
