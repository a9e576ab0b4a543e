import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { scratch, removeScratch } from '../../../adapters/scratch';
import type { Composition } from '../../../../src/extension/compose';
import type { MissionFolder } from '../../../../src/extension/folder/missionFolders';
import { fakeVscode } from '../../fakeVscode';

class Uri {
  constructor(readonly fsPath: string) {}
  static file(file: string): Uri {
    return new Uri(file);
  }
  static joinPath({ fsPath }: Uri, ...parts: readonly string[]): Uri {
    return new Uri(path.join(fsPath, ...parts));
  }
}

describe('the lines that keep approved bytes exact, after New Plan', () => {
  let asked: string[];
  let answer: string | undefined;
  let reported: string[];
  let top: string;
  before(() =>
    fakeVscode({
      Uri,
      workspace: {
        fs: {
          readFile: ({ fsPath }: Uri) => readFile(fsPath),
          writeFile: ({ fsPath }: Uri, bytes: Uint8Array) => writeFile(fsPath, bytes),
        },
      },
      window: {
        showInformationMessage: (text: string) => {
          asked.push(text);
          return Promise.resolve(answer);
        },
      },
    }),
  );
  beforeEach(async () => {
    [asked, answer, reported] = [[], 'Add Lines', []];
    top = await scratch();
    execFileSync('git', ['init', '-q'], { cwd: top });
  });
  afterEach(removeScratch);

  const put = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
    writeFileSync(path.join(top, name), text);
  };
  const read = (name: string): string => readFileSync(path.join(top, name), 'utf8');
  const offer = async (workspace = '.'): Promise<void> => {
    const { offerExactBytes } = await import('../../../../src/extension/commands/plan/exactBytes');
    const known = new Map<string, unknown>();
    const documentSaved = (_: unknown, file: string): Promise<void> => {
      reported.push(path.relative(top, file));
      return Promise.resolve();
    };
    const composition = {
      context: {
        globalState: {
          get: (key: string) => known.get(key),
          update: (key: string, value: unknown) => known.set(key, value),
        },
      },
      folders: { of: () => ({ documentSaved }) },
      planWritten: { notify: () => Promise.resolve() },
      person: { actor: { kind: 'human', name: 'Ada' } },
    } as unknown as Composition;
    const folder = { folder: { uri: new Uri(path.join(top, workspace)) } } as unknown as MissionFolder;
    await offerExactBytes(composition, folder);
    await offerExactBytes(composition, folder);
  };
  const [attributes, prettier] = [
    'docs/plans/*.json -text\ndocs/ops/executions/** -text\n',
    'docs/plans/*.json\ndocs/ops/executions/\n',
  ];

  it('are added below what the files hold, also without a newline at their end, and asked for once', async () => {
    put('.prettierrc', '{}');
    put('.prettierignore', 'dist');
    put('.gitattributes', '* text=auto\n');
    await offer();
    assert.deepEqual(asked, [
      'Git may change line ends and Prettier the layout, and then an approval no longer fits its file. Add 2 lines to .gitattributes and 2 lines to .prettierignore?',
    ]);
    assert.equal(read('.prettierignore'), `dist\n${prettier}`);
    assert.equal(read('.gitattributes'), `* text=auto\n${attributes}`);
    assert.deepEqual(reported, ['.gitattributes', '.prettierignore']);
  });

  it('are added to no file where a person says no', async () => {
    put('.prettierrc', '{}');
    put('.prettierignore', 'dist');
    answer = 'Not Here';
    await offer();
    assert.equal(asked.length, 1);
    assert.equal(read('.prettierignore'), 'dist');
  });

  it('go to the file that Prettier reads at the top of the repository, which the question names', async () => {
    put('package.json', '{"devDependencies": {"prettier": "3"}}');
    put('packages/app/.gitattributes', attributes);
    await offer('packages/app');
    assert.deepEqual(asked, [
      'Prettier may change the layout, and then an approval no longer fits its file. Add 2 lines to ../../.prettierignore? Prettier reads ../../.prettierignore only where it starts in the folder of that file. For a start in the workspace folder, add docs/plans/*.json and docs/ops/executions/ to .prettierignore as well.',
    ]);
    assert.equal(read('.prettierignore'), 'packages/app/docs/plans/*.json\npackages/app/docs/ops/executions/\n');
  });
});
