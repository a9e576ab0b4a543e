import { commands, treeKeys, treeViews, type CommandName } from './registry';
import { walkthrough } from './walkthrough';

/** The words of a tree without rows, in the form of package.json. */
export interface Welcome {
  readonly view: string;
  readonly contents: string;
  readonly when: string;
}

const inFolder = `workspaceFolderCount > 0 && ${treeKeys.isRead}`;
const trusted = `${inFolder} && isWorkspaceTrusted`;
const untrusted = `${inFolder} && !isWorkspaceTrusted`;
const noFolder = 'workspaceFolderCount == 0';

/** @param extension its id, by which VS Code names the walkthrough */
export function welcomesOf(extension: string): readonly Welcome[] {
  const steps = encodeURIComponent(JSON.stringify([`${extension}#${walkthrough.id}`, false]));
  const openWalkthrough = `[Open Walkthrough](command:workbench.action.openWalkthrough?${steps})`;
  const openFolder = '[Open Folder](command:workbench.action.files.openFolder)';
  const trust = '[Manage Workspace Trust](command:workbench.trust.manage)';
  const { needsYou, missions, plans } = treeViews;
  const limits =
    'This workspace is not trusted: plans are validated and missions are shown, and nothing is approved, started or resumed.';
  return [
    says(needsYou, inFolder, 'Nothing needs you.'),
    says(needsYou, noFolder, 'What needs you stands here: blocked tasks, questions, failures.'),
    says(
      missions,
      trusted,
      'No mission has run here. A mission runs an approved plan and leaves evidence in the repository.',
      button('runSample'),
      openWalkthrough,
    ),
    says(missions, untrusted, `No mission has run here. ${limits}`, trust, openWalkthrough),
    says(
      missions,
      noFolder,
      'Missions run in a folder, and none is open.',
      button('openSample'),
      openFolder,
      openWalkthrough,
    ),
    says(
      plans,
      trusted,
      'There is no plan yet. A plan names its tasks, the paths each may write, and who performs them.',
      button('newPlan'),
      button('draftPlan'),
    ),
    says(plans, untrusted, 'There is no plan yet. In a workspace that is not trusted, plans are only validated.'),
    says(plans, noFolder, 'Plans lie in docs/plans of a folder, and none is open.', button('openSample'), openFolder),
  ];
}

function says({ id }: { readonly id: string }, when: string, ...lines: readonly string[]): Welcome {
  return { view: id, contents: lines.join('\n'), when };
}

function button(name: CommandName): string {
  const { id, title } = commands[name];
  return `[${title}](command:${id})`;
}
