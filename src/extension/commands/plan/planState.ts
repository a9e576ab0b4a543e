import { workspace, type Uri } from 'vscode';
import { planState } from '../../../core/view/plan/editorFindings';
import { missionWord } from '../../../base/text/words';
import type { Composition } from '../../compose';
import { newestMission } from '../../editor/planLines';

export function stateOfPlans({ folders, planWork, settings }: Composition): (uri: Uri) => Promise<string> {
  return async (uri) => {
    const folder = folders.of(uri.fsPath);
    const workspaceDir = folder?.folder.uri.fsPath;
    const options = { defaultWorker: settings.defaultWorker(), ...(workspaceDir !== undefined && { workspaceDir }) };
    const state = planState(await planWork.findings(uri.fsPath, null, options));
    const newest = newestMission(folder?.view?.missions ?? [], workspace.asRelativePath(uri, false));
    return newest === null ? state : `${state}, mission ${missionWord(newest)}`;
  };
}
