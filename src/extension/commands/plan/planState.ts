import { workspace, type Uri } from 'vscode';
import { planState } from '../../../core/view/plan/editorFindings';
import { missionWord } from '../../../base/text/words';
import type { Composition } from '../../compose';

/** Describes each plan of a list by its state and that of its newest mission. */
export function stateOfPlans({ folders, planWork, settings }: Composition): (uri: Uri) => Promise<string> {
  return async (uri) => {
    const folder = folders.of(uri.fsPath);
    const workspaceDir = folder?.folder.uri.fsPath;
    const options = { defaultWorker: settings.defaultWorker(), ...(workspaceDir !== undefined && { workspaceDir }) };
    const state = planState(await planWork.findings(uri.fsPath, null, options));
    const plan = workspace.asRelativePath(uri, false);
    const newest = (folder?.view?.missions ?? [])
      .filter(({ plan_path }) => plan_path === plan)
      .reduce<{ readonly started_at: string; readonly word: string } | null>((latest, mission) => {
        const { started_at } = mission;
        return latest === null || latest.started_at < started_at ? { started_at, word: missionWord(mission) } : latest;
      }, null);
    return newest === null ? state : `${state}, mission ${newest.word}`;
  };
}
