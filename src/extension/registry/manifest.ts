import { projectFile } from '../../contracts/vocabulary/aiProject';
import { repositoryPolicyPath } from '../../contracts/vocabulary/models';
import { pageMenu, panelTitle, planTitle, treeMenu, treeTitle } from './menus';
import {
  category,
  commands,
  configurationDefaults,
  container,
  extensionId,
  pageLanguage,
  planGlob,
  settings,
  treeViews,
  views,
  type CommandEntry,
  type CommandName,
} from './registry';
import { configurationOf } from './settingSections';
import { walkthrough } from './walkthrough';
import { welcomesOf } from './welcome';

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
          'Plans are validated and missions are shown; nothing is approved, started or resumed until the workspace is trusted.',
        restrictedConfigurations: Object.values(settings).map(({ id }) => id),
      },
      virtualWorkspaces: { supported: false, description: 'Missions run programs on files of this machine.' },
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
        'editor/title': [...titleMenu(), ...panelTitle, ...planTitle],
        'webview/context': pageMenu,
        'view/item/context': treeMenu,
        'view/title': treeTitle,
      },
      viewsContainers: { activitybar: [container] },
      views: {
        [container.id]: Object.values(treeViews).map((view) => ({
          ...view,
          contextualTitle: category,
          icon: container.icon,
        })),
      },
      viewsWelcome: welcomesOf(extensionId),
      configuration: configurationOf(),
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

function titleMenu(): readonly { readonly command: string; readonly when: string; readonly group: string }[] {
  return (Object.keys(commands) as CommandName[]).flatMap((name) => {
    const command = commands[name];
    return 'inTitle' in command ? [{ command: command.id, when: command.when, group: 'navigation' }] : [];
  });
}
