import assert from 'node:assert/strict';
import path from 'node:path';
import { changedFiles, inFolder, missionName, type MissionFolder } from '../../../src/extension/folder/missionFolders';
import { controlView, here, missionView } from '../sampleViews';
import type { MissionView } from '../../../src/contracts/page/missionView';

describe('what sentences call a mission', () => {
  it('is its plan alone, in the only folder of a window', () => {
    assert.equal(missionName(here(missionView())).toString(), 'p');
    assert.equal(inFolder(null).toString(), '');
  });

  it('is its plan and its folder, where the window has another one', () => {
    assert.equal(missionName(here(missionView(), { workspace: 'copy/app' })).toString(), 'p in copy/app');
    assert.equal(inFolder('copy/app').toString(), ' in copy/app');
  });

  it('shows what a folder is called as text and nothing else', () => {
    assert.equal(inFolder('a\u202eb\nc').toString(), String.raw` in a\u202eb\nc`);
  });
});

describe('the files that missions changed', () => {
  const folderOf = (name: string, ...missions: readonly MissionView[]): MissionFolder =>
    ({
      folder: { name, uri: { fsPath: path.resolve('/', name), toString: () => `file:///${name}` } },
      view: controlView(missions, 'this'),
    }) as unknown as MissionFolder;
  const changing = (mission_id: string, started_at: string, ...changed: readonly string[]): MissionView => {
    const mission = missionView({ mission_id, started_at });
    return { ...mission, tasks: mission.tasks.map((task, index) => (index === 0 ? { ...task, changed } : task)) };
  };
  const found = (...folders: readonly MissionFolder[]): object =>
    Object.fromEntries([...changedFiles(folders)].map(([file, { mission_id }]) => [file, mission_id]));
  const at = (...names: readonly string[]): string => path.resolve('/', ...names);

  it('belong to the newest mission that changed them, each in its folder', () => {
    const old = changing('old', '2026-01-01T10:00:00Z', 'src/a.ts', 'b.ts');
    const young = changing('young', '2026-01-02T10:00:00Z', 'src/a.ts');
    assert.deepEqual(
      found(folderOf('app', old, young), folderOf('copy', changing('own', '2026-01-01T09:00:00Z', 'b.ts'))),
      {
        [at('app', 'src', 'a.ts')]: 'young',
        [at('app', 'b.ts')]: 'old',
        [at('copy', 'b.ts')]: 'own',
      },
    );
  });

  it('leave out a mission of another machine, and all but the newest of very many', () => {
    const away = { ...changing('away', '2026-01-03T10:00:00Z', 'a.ts'), runs_on: 'It runs on host h.' };
    const many = changing('many', '2026-01-02T10:00:00Z', ...Array.from({ length: 3000 }, (_, index) => `${index}.ts`));
    const old = changing('old', '2026-01-01T10:00:00Z', 'b.ts');
    const files = Object.values(found(folderOf('app', old, many, away)));
    assert.deepEqual([files.length, [...new Set(files)]], [2000, ['many']]);
  });
});
