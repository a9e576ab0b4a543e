import { attributeLines, evidenceNames, executionsDir } from '../../contracts/vocabulary/files/evidenceFiles';
import { askGit, splitNul } from './command';
import { placeIn } from './index';
import { locateRepository } from './locate';

/** Files that the lines are for, by the line. */
const samples: readonly (readonly string[])[] = [
  ['docs/plans/PLAN_P1.json'],
  [
    `${executionsDir}/P1/${evidenceNames.summary}`,
    `${executionsDir}/P1/TASK_T1.json`,
    `${executionsDir}/P1/${evidenceNames.archive}/M1/${evidenceNames.header}`,
  ],
];

/**
 * The lines that `.gitattributes` of a workspace folder lacks. Git itself judges them, because a later line or another
 * file may take one back. Empty: git keeps every byte already, cannot say, or is not used.
 */
export async function missingAttributeLines(workspace: string): Promise<readonly string[]> {
  const repository = await locateRepository(workspace);
  if (repository === null) return [];
  const files = samples.flat().map((file) => `./${file}`);
  const answer = await askGit(placeIn(repository, workspace), ['check-attr', '-z', '--stdin', 'text'], {
    input: files.map((file) => `${file}\0`).join(''),
  });
  if (!answer.ok) return [];
  // Git answers with file, attribute and value for each file.
  const parts = [...splitNul(answer.stdout)].map((part) => part.toString('utf8'));
  const isKept = (file: string): boolean => parts[files.indexOf(`./${file}`) * 3 + 2] === 'unset';
  return attributeLines.filter((_, index) => samples[index]?.every(isKept) !== true);
}
