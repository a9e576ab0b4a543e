import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { agentNames } from '../../src/contracts/vocabulary/workers';

/** Names of at least two parts, as sentences and documents write settings; a part may stand for an agent. */
const name = /missionControl\.(?:\w+|\$\{\w+\}|<cli>)(?:\.(?:\w+|\$\{\w+\}|<cli>))+/g;

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
    readonly commands: readonly { readonly command: string }[];
  };
}

describe('settings that sentences and documents name', () => {
  const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
  const known = new Set([
    ...contributes.configuration.flatMap(({ properties }) => Object.keys(properties)),
    ...contributes.commands.map(({ command }) => command),
    // Commands of the page, which no palette lists.
    'missionControl.doctor.remedy',
  ]);
  const wrongIn = (text: string): readonly string[] =>
    [...text.matchAll(name)]
      .flatMap(([found]) => agentNames.map((agent) => found.replaceAll(/\$\{\w+\}|<cli>|\b(?:NAME|AGENT)\b/g, agent)))
      .filter((one) => !known.has(one));

  it('are those of the manifest', () => {
    const files = ['README.md', ...globSync('{src,webview-ui/src}/**/*.{ts,tsx}'), ...globSync('docs/**/*.md')];
    assert.ok(files.length > 500, `only ${files.length} files were found`);
    assert.deepEqual(
      files.flatMap((file) => wrongIn(readFileSync(file, 'utf8')).map((one) => `${file}: ${one}`)),
      [],
    );
  });

  it('are found where one is wrong', () =>
    assert.deepEqual(
      [...new Set(wrongIn('the setting missionControl.NAME.env, or `missionControl.${agent}.path`'))],
      agentNames.map((agent) => `missionControl.${agent}.env`),
    ));
});
