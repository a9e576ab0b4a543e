import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { manifestOf } from '../../../src/extension/registry/manifest';
import { commands, contextKeys, planGlob, settings, views } from '../../../src/extension/registry/registry';
import { walkthrough } from '../../../src/extension/registry/walkthrough';

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
    readonly virtualWorkspaces: { readonly supported: boolean };
  };
  readonly extensionKind: readonly string[];
  readonly icon: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
    readonly configuration: {
      readonly properties: Readonly<
        Record<string, { readonly scope: string; readonly default: unknown; readonly type: string }>
      >;
    };
    readonly configurationDefaults: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
    readonly jsonValidation: readonly { readonly fileMatch: string; readonly url: string }[];
    readonly walkthroughs: readonly (typeof walkthrough)[];
  };
}

/** What VS Code reads. That every contributed command is registered, and no other, is shown in the extension host. */
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const commandIds: ReadonlySet<string> = new Set(Object.values(commands).map(({ id }) => id));

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

  it('uses every context key in a condition, and no other', () => {
    const used = manifest.contributes.menus.commandPalette.flatMap(
      ({ when }) => when.match(/missionControl\.\w+/g) ?? [],
    );
    assert.deepEqual(new Set(used), new Set<string>(Object.values(contextKeys)));
  });

  it('has conditions only for commands that exist', () => {
    for (const { command } of manifest.contributes.menus.commandPalette) assert.ok(commandIds.has(command), command);
  });

  it('lets no repository set what decides what is executed', () => {
    const { properties } = manifest.contributes.configuration;
    assert.deepEqual(
      Object.keys(properties),
      Object.values(settings).map(({ id }) => id),
    );
    for (const [id, property] of Object.entries(properties)) assert.equal(property.scope, 'machine', id);
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
    for (const [id, { type, default: value }] of Object.entries(manifest.contributes.configuration.properties)) {
      assert.equal(Array.isArray(value) ? 'array' : typeof value, type, id);
    }
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
    for (const { url } of manifest.contributes.jsonValidation) assert.ok(existsSync(path.resolve(url)), url);
    for (const { media } of walkthrough.steps) assert.ok(existsSync(media.svg), media.svg);
  });

  it('leads the walkthrough to commands that exist', () => {
    for (const { description, completionEvents } of walkthrough.steps) {
      const linked = [...description.matchAll(/\(command:([\w.]+)\)/g)].map(([, id]) => id ?? '');
      assert.ok(linked.length > 0);
      for (const id of [...linked, ...completionEvents.map((event) => event.replace('onCommand:', ''))])
        assert.ok(commandIds.has(id), id);
    }
  });
});
