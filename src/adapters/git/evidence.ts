import path from 'node:path';
import {
  attributeLines,
  evidenceNames,
  executionsDir,
  type IgnoredBy,
} from '../../contracts/vocabulary/files/evidenceFiles';
import { askGit, partTexts, nulEnded } from './command';
import { askIgnored, ownRules } from './excludes';
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
  const question = ['check-attr', '-z', '--stdin', 'text'];
  const answer = await askGit(placeIn(repository, workspace), question, { input: nulEnded(files) });
  if (!answer.ok) return [];
  // Git answers with file, attribute and value for each file.
  const parts = partTexts(answer.stdout);
  const isKept = (file: string): boolean => parts[files.indexOf(`./${file}`) * 3 + 2] === 'unset';
  return attributeLines.filter((_, index) => samples[index]?.every(isKept) !== true);
}

/**
 * Finds the rule of repository or user by which git ignores evidence of a plan. Evidence that git
 * tracks already does not count. Null: git keeps all of it, cannot say, or is not used.
 */
export async function evidenceIgnoredBy(workspace: string, planId: string): Promise<IgnoredBy | null> {
  const repository = await locateRepository(workspace);
  if (repository === null) return null;
  const place = placeIn(repository, workspace);
  const files = [evidenceNames.header, evidenceNames.summary, evidenceNames.lockedPlan, 'TASK_T1.json'].map(
    (name) => `./${executionsDir}/${planId}/${name}`,
  );
  const answer = await askIgnored(place, await ownRules(place), files, '--verbose');
  const parts = answer.ok ? partTexts(answer.stdout) : [];
  for (let at = 0; at + 3 < parts.length; at += 4) {
    const [file = '', line = '', pattern = ''] = parts.slice(at, at + 3);
    // A rule with `!` keeps the file.
    if (!pattern.startsWith('!')) return { file: shownFile(repository.top, file), line: Number(line), pattern };
  }
  return null;
}

/** Git names a file of the repository relative to its top. */
function shownFile(top: string, file: string): string {
  const absolute = path.resolve(top, file);
  return absolute.startsWith(`${top}${path.sep}`) ? path.relative(top, absolute).replaceAll(path.sep, '/') : absolute;
}
