import { projectFile } from '../../contracts/vocabulary/aiProject';
import { repositoryPolicyPath } from '../../contracts/vocabulary/models';
import {
  changedFileMenu,
  commentThreadMenu,
  commentThreadTitle,
  pageMenu,
  panelTitle,
  planFileMenu,
  planTitle,
  reviewTitle,
  sourceControlMenu,
  treeMenu,
  treeTitle,
} from './menus';
import {
  category,
  commands,
  configurationDefaults,
  container,
  extensionId,
  pageLanguage,
  planGlob,
  treeViews,
  views,
  type CommandEntry,
  type CommandName,
  ownKeys,
} from './registry';
import { settingGroups, settings, type SettingEntry } from './settingEntries';
import { walkthrough } from './walkthrough';

/** Chords behind VS Code's own prefix; none of them is taken by VS Code. */
const keys: readonly (readonly [CommandName, string])[] = [
  ['showMissionControl', 'y'],
  ['showNeedsYou', 'ctrl+y'],
];

const fileMenu = [...planFileMenu, ...changedFileMenu];

/** The keys of package.json that `npm run generate` writes from the registry. */
export function manifestOf(): Readonly<Record<string, unknown>> {
  return {
    icon: 'media/icon.png',
    activationEvents: [`workspaceContains:${planGlob}`, `onWebviewPanel:${views.panel.viewType}`],
    extensionKind: ['workspace'],
    capabilities: {
      untrustedWorkspaces: {
        supported: 'limited',
        description:
          'Mission Control shows plans, findings and missions. It approves, starts and resumes nothing until you trust the workspace, because a plan names programs that run on your machine.',
        restrictedConfigurations: Object.values(settings).map(({ id }) => id),
      },
      virtualWorkspaces: {
        supported: false,
        description:
          'A mission starts programs that read and write files of this machine; a virtual workspace has none.',
      },
    },
    contributes: {
      commands: Object.values(commands).map((command: CommandEntry) => ({
        command: command.id,
        title: command.title,
        category,
        ...(command.icon !== undefined && { icon: `$(${command.icon})` }),
      })),
      menus: {
        commandPalette: paletteMenu(),
        'editor/title': [...panelTitle, ...planTitle, ...reviewTitle],
        'comments/commentThread/context': commentThreadMenu,
        'comments/commentThread/title': commentThreadTitle,
        'explorer/context': fileMenu,
        'editor/context': fileMenu,
        'editor/title/context': fileMenu,
        'scm/resourceState/context': sourceControlMenu,
        'webview/context': pageMenu,
        'view/item/context': treeMenu,
        'view/title': treeTitle,
      },
      keybindings: keys.map(([command, key]) => ({
        command: commands[command].id,
        key: `ctrl+k ${key}`,
        mac: `cmd+k ${key.replace('ctrl', 'cmd')}`,
      })),
      viewsContainers: { activitybar: [container] },
      views: {
        [container.id]: Object.values(treeViews).map((view) => ({
          ...view,
          contextualTitle: category,
          icon: container.icon,
        })),
      },
      viewsWelcome: welcomesOf(extensionId),
      configuration: settingGroups.map(({ title, settings: names }, index) => ({
        title,
        order: index + 1,
        properties: Object.fromEntries(names.map((name, place) => settingOf(settings[name], place + 1))),
      })),
      configurationDefaults,
      jsonValidation: [
        { fileMatch: `/${planGlob}`, url: './schemas/plan.editor.schema.json' },
        { fileMatch: `/${projectFile}`, url: './schemas/ai-project.editor.schema.json' },
        { fileMatch: `/${repositoryPolicyPath}`, url: './schemas/model-policy.schema.json' },
      ],
      languages: [{ id: pageLanguage, aliases: ['Mission Control page'] }],
      walkthroughs: [walkthrough],
    },
  };
}

function paletteMenu(): readonly { readonly command: string; readonly when: string }[] {
  return (Object.keys(commands) as CommandName[]).flatMap((name) => {
    const command = commands[name];
    return 'when' in command ? [{ command: command.id, when: command.when }] : [];
  });
}

function settingOf(entry: SettingEntry, order: number): readonly [string, object] {
  const { id, type, default: unset, scope, markdownDescription, values, minimum, maximum } = entry;
  return [
    id,
    {
      ...{ type, default: unset, scope, order, markdownDescription },
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
      ...(values && { enum: Object.keys(values), markdownEnumDescriptions: Object.values(values) }),
      ...(type === 'array' && { items: { type: 'string' } }),
    },
  ];
}

/** The words of a tree without rows, in the form of package.json. */
interface Welcome {
  readonly view: string;
  readonly contents: string;
  readonly when: string;
}

const inFolder = `workspaceFolderCount > 0 && ${ownKeys.isRead}`;
const trusted = `${inFolder} && isWorkspaceTrusted`;
const untrusted = `${inFolder} && !isWorkspaceTrusted`;
const noFolder = 'workspaceFolderCount == 0';

/** @param extension its id, by which VS Code names the walkthrough */
function welcomesOf(extension: string): readonly Welcome[] {
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
