import assert from 'node:assert/strict';
import path from 'node:path';
import vm from 'node:vm';
import esbuild from 'esbuild';
import type { MissionView } from '../../src/contracts/missionView';
import { attention, missionView } from './sampleViews';

interface Sections {
  readonly groupMissions: (missions: readonly MissionView[]) => readonly { readonly title: string }[];
}

async function sections(): Promise<Sections> {
  const built = await esbuild.build({
    entryPoints: [path.resolve('webview-ui/src/sections.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'sections',
    logLevel: 'silent',
  });
  return vm.runInNewContext(`${built.outputFiles[0]?.text ?? ''}\nsections`) as Sections;
}

describe('the groups of the panel', () => {
  it('put a mission that waits for a person first, also one that is paused by what a person has to look at', async () => {
    const { groupMissions } = await sections();
    const titleOf = (changes: Partial<MissionView>): readonly string[] =>
      [...groupMissions([missionView(changes)])].map(({ title }) => title);
    assert.deepEqual(titleOf({ status: 'paused' }), ['Paused']);
    assert.deepEqual(titleOf({ status: 'paused', attention: attention('LEDGER_INCONSISTENT') }), ['Needs a person']);
    assert.deepEqual(titleOf({ status: 'running', attention: attention(null) }), ['Needs a person']);
    assert.deepEqual(titleOf({ status: 'running', interrupted: true }), ['Needs a person']);
    assert.deepEqual(titleOf({ status: 'running' }), ['Running']);
  });
});
