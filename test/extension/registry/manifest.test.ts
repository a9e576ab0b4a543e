import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { menuSections, offeredKey, offeredWords, planWords, standingWords } from '../../../src/contracts/page/menuKeys';
import { walkthroughSteps } from '../../../src/contracts/page/panelMessages';
import { commandEntries } from '../../../src/contracts/vocabulary/commands';
import { manifestOf } from '../../../src/extension/registry/manifest';
import {
  commands,
  container,
  contextKeys,
  extensionId,
  ownKeys,
  planGlob,
  stepKeys,
  treeViews,
  views,
} from '../../../src/extension/registry/registry';
import { settings } from '../../../src/extension/registry/settingEntries';
import { agentNames } from '../../../src/contracts/vocabulary/workers';
import { walkthrough } from '../../../src/extension/registry/walkthrough';
import { missionView } from '../sampleViews';

interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
    readonly virtualWorkspaces: { readonly supported: boolean };
  };
  readonly extensionKind: readonly string[];
  readonly icon: string;
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category: string;
      readonly icon?: string;
    }[];
    readonly menus: Readonly<
      Record<string, readonly { readonly command: string; readonly when: string; readonly group: string }[]>
    >;
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly mac: string }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly order: number;
      readonly properties: Readonly<Record<string, SettingProperty>>;
    }[];
    readonly configurationDefaults: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
    readonly jsonValidation: readonly { readonly fileMatch: string; readonly url: string }[];
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string; readonly icon: string }[] };
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when: string }[];
    readonly walkthroughs: readonly (typeof walkthrough)[];
  };
}

interface SettingProperty {
  readonly scope: string;
  readonly default: unknown;
  readonly type: string;
  readonly order: number;
  readonly markdownDescription: string;
  readonly enum?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

/** What VS Code reads. That every contributed command is registered, and no other, is shown in the extension host. */
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const commandIds: ReadonlySet<string> = new Set(Object.values(commands).map(({ id }) => id));

const properties = Object.assign(
  {},
  ...manifest.contributes.configuration.map((group) => group.properties),
) as Readonly<Record<string, SettingProperty>>;
const menuEntries = Object.values(manifest.contributes.menus).flat();
const conditions = [...menuEntries, ...manifest.contributes.viewsWelcome].map(({ when }) => when);

/** Those of VS Code that our conditions name. */
const vscodeKeys = new Set([
  ...['workspaceFolderCount', 'resourceScheme', 'resourceFilename', 'resourcePath'],
  ...['resourceLangId', 'activeEditor', 'commentController', 'commentThreadIsEmpty'],
  ...['webviewId', 'webviewSection', 'activeWebviewPanelId', 'view', 'viewItem', 'isWorkspaceTrusted'],
]);

/** The keys of a condition. */
function keysOf(when: string): readonly string[] {
  return (
    when
      .split(/&&|\|\|| in /)
      .map((part) => part.trim().replace(/^!\(?/, '').split(/\s/)[0] ?? '')
      // `false`: not in the palette.
      .filter((key) => key !== '' && key !== 'false')
  );
}

/** The words that a condition looks for in a list of words. */
function wordsOf(when: string): readonly string[] {
  return [...when.matchAll(/=~ \/;\(?([\w|]+)\)?;\//g)].flatMap(([, words = '']) => words.split('|'));
}

describe('manifest of the extension', () => {
  it('is what the registry says', () => {
    const { activationEvents, capabilities, contributes, extensionKind, icon } = manifest;
    assert.deepEqual(
      { activationEvents, capabilities, contributes, extensionKind, icon },
      JSON.parse(JSON.stringify(manifestOf())),
    );
  });

  it('contributes exactly the commands of the registry', () => {
    assert.deepEqual(new Set(manifest.contributes.commands.map(({ command }) => command)), commandIds);
    assert.ok(manifest.contributes.commands.every(({ category }) => category === 'Mission Control'));
  });

  it('uses every context key in a condition, and none that is never set', () => {
    const used = new Set(conditions.flatMap(keysOf));
    const ours = [ownKeys, contextKeys].flatMap((keys) => Object.values<string>(keys));
    assert.deepEqual([...used].filter((key) => !vscodeKeys.has(key)).sort(), [...ours, offeredKey].sort());
  });

  it('shows buttons for a plan beside no other file: the state is of the plan that has the focus', () => {
    const buttons = (manifest.contributes.menus['editor/title'] ?? []).filter(({ when }) =>
      [ownKeys.planState, ownKeys.planChanged].some((key) => when.includes(key)),
    );
    assert.ok(buttons.length > 0);
    for (const { command, when } of buttons) {
      const [, pattern = ''] = /resourceFilename =~ \/(\S+)\//.exec(when) ?? [];
      const shown = ['PLAN_x-1.json', 'package.json', 'PLAN_x.json.md', 'MYPLAN_x.json'].filter((name) =>
        new RegExp(pattern).test(name),
      );
      assert.deepEqual(shown, ['PLAN_x-1.json'], command);
    }
  });

  it('offers the steps of a plan and the review of a changed file wherever it stands, and beside no other', () => {
    const { menus, keybindings } = manifest.contributes;
    const plan = /^PLAN_.*\.json$/;
    for (const place of ['explorer/context', 'editor/context', 'editor/title/context']) {
      const [changed, ...entries] = (menus[place] ?? []).toReversed();
      assert.equal(changed?.when, `resourcePath in ${ownKeys.changedFiles}`);
      const titles = entries.map(({ command }) => Object.values(commands).find(({ id }) => id === command)?.title);
      assert.deepEqual(titles, ['Run Plan', 'Approve Plan', 'Validate Plan'], place);
      assert.ok(entries.every(({ when }) => when === `resourceFilename =~ /${plan.source}/`));
    }
    assert.deepEqual([plan.test('PLAN_one.json'), plan.test('package.json')], [true, false]);
    assert.ok(keybindings.every(({ command }) => Object.values(commands).some(({ id }) => id === command)));
    assert.deepEqual(
      keybindings.map(({ key, mac }) => [key, mac]),
      [
        ['ctrl+k y', 'cmd+k y'],
        ['ctrl+k ctrl+y', 'cmd+k cmd+y'],
      ],
    );
  });

  it('would be found wanting with a key that is never set, and with a word that no list has', () => {
    assert.deepEqual(keysOf("!missionControl.hasNone && webviewId == 'x' || a.b =~ /;canX;/"), [
      'missionControl.hasNone',
      'webviewId',
      'a.b',
    ]);
    assert.deepEqual(wordsOf(`${offeredKey} =~ /;(RetryTask|Retry);/`), ['RetryTask', 'Retry']);
  });

  it('goes by words that a mission or a task carries', () => {
    const { offers } = missionView();
    const known = new Set<string>([
      ...Object.keys(offers),
      ...[standingWords, planWords].flatMap((words) => Object.values<string>(words)),
    ]);
    const words = menuEntries.flatMap(({ when }) => wordsOf(when));
    assert.ok(words.length > 10);
    assert.deepEqual(
      words.filter((word) => !known.has(word)),
      [],
    );
  });

  it('has every command of a person in the menus of page and trees, and names one that is not there', () => {
    const { menus } = manifest.contributes;
    const missing = (names: readonly string[]): readonly string[] =>
      names.filter((name) =>
        ['webview/context', 'view/item/context'].some((menu) =>
          (menus[menu] ?? []).every(({ command }) => command !== `missionControl.${name}`),
        ),
      );
    assert.deepEqual(missing(commandEntries.map(([, { name }]) => name)), []);
    assert.deepEqual(missing(['pause', 'snoozeBlock']), ['snoozeBlock']);
  });

  it('has the same menu on the rows of trees as on the page, by the same words', () => {
    const { menus } = manifest.contributes;
    const onPage = menus['webview/context'] ?? [];
    const onRows = menus['view/item/context'] ?? [];
    for (const section of [menuSections.mission, menuSections.task]) {
      const page = onPage.filter(({ when }) => when.includes(`'${section}'`));
      const rows = onRows.filter(({ when, group }) => when.includes(`^${section};`) && !group.startsWith('inline'));
      const told = (entries: typeof page): readonly string[] =>
        entries.map(({ command, when }) => `${command} ${wordsOf(when).join()}`);
      assert.deepEqual(told(rows), told(page));
      assert.ok(rows.length > 5);
    }
  });

  it('finds the rows of trees by conditions that hold for them, and for no other', () => {
    const mission = missionView({ offers: { ...missionView().offers, PauseMission: true, RetryTask: ['T2'] } });
    const onRow = (menu: string): readonly string[] =>
      (manifest.contributes.menus['view/item/context'] ?? [])
        .filter(({ when }) =>
          [...when.matchAll(/viewItem =~ \/(.*?)\/(?= |$)/g)].every(([, regex = '']) => new RegExp(regex).test(menu)),
        )
        .map(({ command }) => command.replace('missionControl.', ''));
    assert.deepEqual(
      new Set(onRow(`${menuSections.mission}${offeredWords(mission, null)}`)),
      new Set(['pause', 'openEvidence', 'verifyEvidence', 'reviewChanges']),
    );
    assert.deepEqual(
      new Set(onRow(`${menuSections.task}${offeredWords(mission, 'T2')}`)),
      new Set(['retryTask', 'reviewChanges']),
    );
    assert.deepEqual(onRow(`${menuSections.task}${offeredWords(mission, 'T1')}`), ['reviewChanges']);
    const revisable = missionView({ offers: { ...missionView().offers, SupersedeMission: true } });
    assert.ok(onRow(`${menuSections.mission}${offeredWords(revisable, null)}`).includes('newRevision'));
    const begun = { ...mission, tasks: mission.tasks.map((task) => ({ ...task, attempts: 0 })) };
    assert.deepEqual(onRow(`${menuSections.task}${offeredWords(begun, 'T1')}`), []);
    assert.deepEqual(
      new Set(onRow(`${menuSections.plan};${planWords.run};`)),
      new Set(['validatePlan', 'runPlan', 'openPlan']),
    );
    const trees = /view =~ \/(.*?)\//.exec(manifest.contributes.menus['view/item/context']?.[0]?.when ?? '')?.[1];
    for (const { id } of Object.values(treeViews)) assert.match(id, new RegExp(trees ?? '^$'));
  });

  it('has a container of trees, and each says what to do where it is empty, in every workspace', () => {
    const { viewsContainers, views: contributed, viewsWelcome } = manifest.contributes;
    assert.deepEqual(
      viewsContainers.activitybar.map(({ id }) => id),
      [container.id],
    );
    const ids = Object.values(treeViews).map(({ id }) => id);
    assert.deepEqual(
      (contributed[container.id] ?? []).map(({ id }) => id),
      ids,
    );
    for (const id of ids) {
      const all = viewsWelcome.filter(({ view }) => view === id);
      assert.ok(
        all.some(({ when }) => when === 'workspaceFolderCount == 0'),
        id,
      );
      assert.ok(
        all.some(({ when }) => when.includes(ownKeys.isRead)),
        id,
      );
    }
    for (const { contents } of viewsWelcome)
      for (const [, id = '', argument] of contents.matchAll(/\(command:([\w.]+)(\?[^)]*)?\)/g)) {
        assert.ok(commandIds.has(id) || id.startsWith('workbench.'), id);
        if (argument === undefined) continue;
        const read = JSON.parse(decodeURIComponent(argument.slice(1))) as unknown;
        assert.deepEqual(read, [`${extensionId}#${walkthrough.id}`, false]);
      }
    assert.equal(extensionId, `${manifest.publisher}.${manifest.name}`);
  });

  it('has buttons for what steers a mission in the panel’s title, words for what is decided, Cancel in the overflow', () => {
    const inTitle = (manifest.contributes.menus['editor/title'] ?? []).filter(({ when }) =>
      when.includes(`activeWebviewPanelId == '${views.panel.viewType}'`),
    );
    const iconOf = (id: string): string | undefined =>
      manifest.contributes.commands.find(({ command }) => command === id)?.icon;
    const shown = inTitle
      .filter(({ group }) => group.startsWith('navigation'))
      .map(({ command }) => `${command} ${iconOf(command) ?? 'in words'}`.replace('missionControl.', ''));
    assert.deepEqual(shown, [
      ...['resolveBlocker in words', 'pause $(debug-pause)', 'resume $(debug-continue)', 'stopWorker $(debug-stop)'],
      ...['acceptChange in words', 'completeIntervention in words', 'answerQuestion in words'],
      ...['confirmMemory in words', 'acknowledge in words', 'openEvidence in words'],
    ]);
    const cancel = inTitle.find(({ command }) => command === commands.cancelMission.id);
    assert.equal(cancel?.group, '9_end');
    // Each by a word of the mission that the panel shows, or by the mission being there at all.
    for (const { when } of inTitle) assert.ok(when.includes(ownKeys.shownOffers), when);
  });

  it('has conditions only for commands that exist', () => {
    for (const { command } of menuEntries) assert.ok(commandIds.has(command), command);
  });

  it('shows built-in icons on buttons alone', () => {
    for (const { icon } of manifest.contributes.commands) if (icon !== undefined) assert.match(icon, /^\$\([a-z-]+\)$/);
  });

  it('lets no repository set what decides what is executed', () => {
    assert.deepEqual(new Set(Object.keys(properties)), new Set(Object.values(settings).map(({ id }) => id)));
    const own = Object.entries(properties).filter(([, { scope }]) => scope !== 'machine');
    assert.deepEqual(
      own.map(([id, { scope }]) => `${scope} ${id}`),
      [
        ...['defaultWorker', 'terminals.open', 'terminals.keep'].map((name) => `application missionControl.${name}`),
        ...agentNames.map((name) => `application missionControl.${name}.model`),
      ],
    );
    assert.deepEqual(
      new Set(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations),
      new Set(Object.keys(properties)),
    );
  });

  it('leaves its own folder out of Explorer and search, and never out of what is watched', () => {
    const defaults = Object.entries(manifest.contributes.configurationDefaults);
    assert.deepEqual(
      defaults.map(([id, value]) => [id, Object.keys(value)]),
      [
        ['files.exclude', ['**/.mission-control']],
        ['search.exclude', ['**/.mission-control']],
        [
          '[mission-control-review]',
          ['editor.wordWrap', 'editor.lineNumbers', 'editor.minimap.enabled', 'editor.stickyScroll.enabled'],
        ],
      ],
    );
  });

  it('gives settings defaults of their type', () => {
    for (const [id, { type, default: value }] of Object.entries(properties)) {
      assert.equal(Array.isArray(value) ? 'array' : typeof value, type, id);
    }
  });

  it('shows each setting once, in a section, in an order, with a meaning for each of its values', () => {
    const groups = manifest.contributes.configuration;
    assert.deepEqual(
      groups.map(({ order }) => order),
      groups.map((_, index) => index + 1),
    );
    const all = groups.flatMap((group) => Object.entries(group.properties));
    assert.equal(new Set(all.map(([id]) => id)).size, all.length);
    for (const { properties: shown } of groups)
      assert.deepEqual(
        Object.values(shown).map(({ order }) => order),
        Object.keys(shown).map((_, index) => index + 1),
      );
    for (const [id, { markdownDescription, enum: values = [], markdownEnumDescriptions: meanings = [] }] of all) {
      assert.match(markdownDescription, /^[A-Z].*\.$/, id);
      assert.equal(meanings.length, values.length, id);
      for (const [, linked = ''] of markdownDescription.matchAll(/`#([^#]*)#`/g))
        assert.ok(linked in properties, linked);
    }
  });

  it('shows the settings in the order in which a person needs them', () => {
    const ofAgent = (title: string, name: string): readonly [string, readonly string[]] => [
      title,
      [`${name}.path`, `${name}.model`, `${name}.extraArgs`, `env.${name}`, `${name}.hosts`],
    ];
    assert.deepEqual(
      manifest.contributes.configuration.map((group) => [
        group.title,
        Object.entries(group.properties)
          .toSorted(([, one], [, other]) => one.order - other.order)
          .map(([id]) => id.replace('missionControl.', '')),
      ]),
      [
        [
          'Missions',
          ['defaultWorker', 'confinement', 'agentNetwork', 'approval.hours', 'terminals.open', 'terminals.keep'],
        ],
        ['Orchestrator', ['orchestrator.worker', 'orchestrator.model']],
        ['Evidence and Browser', ['evidence.includeHostAndUser', 'events.enabled']],
        ofAgent('Claude Code', 'claude'),
        ofAgent('Codex', 'codex'),
        ofAgent('Gemini', 'gemini'),
        ofAgent('OpenCode', 'opencode'),
      ],
    );
  });

  it('runs where the files are, with limits where they are not trusted', () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
    assert.equal(manifest.capabilities.virtualWorkspaces.supported, false);
  });

  it('is activated by plans and by its panel', () => {
    assert.deepEqual(manifest.activationEvents, [
      `workspaceContains:${planGlob}`,
      `onWebviewPanel:${views.panel.viewType}`,
    ]);
  });

  it('names files that are there', () => {
    for (const { icon } of [
      ...manifest.contributes.viewsContainers.activitybar,
      ...Object.values(manifest.contributes.views).flat(),
    ])
      assert.ok(existsSync(icon), icon);
    for (const { url } of manifest.contributes.jsonValidation) assert.ok(existsSync(path.resolve(url)), url);
    for (const { media } of walkthrough.steps) assert.ok(existsSync(media.svg), media.svg);
  });

  it('has the doctor and the sample among the steps of the walkthrough, before a plan of one’s own', () => {
    const ids = walkthrough.steps.map(({ id }) => id);
    assert.deepEqual(ids.slice(0, 3), ['check', 'sample', 'plan']);
    for (const step of walkthroughSteps) assert.ok(ids.includes(step), step);
  });

  it('leads the walkthrough to commands that exist, and ticks each step by a key of its own', () => {
    const stepKeyIds: readonly string[] = Object.values(stepKeys);
    for (const { description, completionEvents } of walkthrough.steps) {
      const linked = [...description.matchAll(/\(command:([\w.]+)\)/g)].map(([, id]) => id ?? '');
      assert.ok(linked.length > 0);
      for (const id of linked) assert.ok(commandIds.has(id), id);
      for (const event of completionEvents) {
        const [, kind, named = ''] = /^(onCommand|onContext):(\S+)/.exec(event) ?? [];
        assert.ok(
          kind === 'onCommand' ? commandIds.has(named) : kind === 'onContext' && stepKeyIds.includes(named),
          event,
        );
      }
    }
    const keys = walkthrough.steps
      .flatMap(({ completionEvents }) => completionEvents)
      .map((event) => event.split(':')[1]);
    assert.deepEqual(keys, ['missionControl.doctor', ...stepKeyIds]);
  });
});
