import { opendir } from 'node:fs/promises';
import path from 'node:path';
import { adrFolder, projectFile, projectManifests } from '../../contracts/vocabulary/aiProject';
import type { DecisionRecord } from '../../core/project/judge';
import type { ProjectFiles, ProjectText } from '../../engine/ports/project';
import { done, errorWords, refused, type Outcome, errorHelp } from '../../base/outcome';
import { parseJsonText } from './json';
import { checkShape } from './schemas';
import { utf8Text } from '../files/bytes/lines';
import { createFileAtomic } from '../files/atomic';
import { readWorkspaceFile } from '../files/place';

/** Entries of one folder that are looked at, and bytes of a file that are read. */
const limits = { entries: 2000, bytes: 256 * 1024 } as const;
/** Bytes; a longer ai.project.json is given to no task. */
export const projectBytes: number = limits.bytes;

/** ai.project.json of the workspace with this root, and the files around it. Reading never rejects. */
export function projectFilesOf(root: string): ProjectFiles {
  return {
    async surroundings() {
      const names = await firstNamesIn(root);
      const texts = await Promise.all(projectManifests.map(async (name) => [name, await textOf(root, name)] as const));
      return {
        folder: path.basename(path.resolve(root)),
        names,
        texts: Object.fromEntries(texts.flatMap(([name, text]) => (text === null ? [] : [[name, text]]))),
      };
    },
    read: () => read(root),
    records: () => decisionRecords(root),
    checkShape: (value) => checkShape('ai-project', value),
    create: (text) => create(root, text),
  };
}

async function read(root: string): Promise<ProjectText> {
  const found = await readWorkspaceFile(root, projectFile, limits.bytes);
  if (found.kind === 'none') return { kind: 'absent' };
  return found.kind === 'file'
    ? { kind: 'read', text: parseJsonText(found.bytes) }
    : { kind: 'unreadable', reason: found.reason };
}

async function decisionRecords(root: string): Promise<readonly DecisionRecord[]> {
  const names = (await firstNamesIn(path.join(root, ...adrFolder.split('/')))).filter((name) =>
    /^ADR-.+\.md$/.test(name),
  );
  const records: DecisionRecord[] = [];
  for (const name of names) {
    const text = await textOf(root, `${adrFolder}/${name}`);
    records.push({ name, status: /^##\s+Status\s*\n+\s*\**([A-Za-z]+)/m.exec(text ?? '')?.[1] ?? null });
  }
  return records;
}

async function create(root: string, text: string): Promise<Outcome<null>> {
  try {
    if (await createFileAtomic(path.join(root, projectFile), text, { mode: 0o644, observed: true })) return done(null);
    const reason = `${projectFile} is there already, and nothing replaces it.`;
    return refused('PROJECT_FILE_EXISTS', reason, `mission check ai-project ${projectFile}`);
  } catch (error) {
    const reason = `${projectFile} could not be written (${errorWords(error)}).`;
    return refused('PROJECT_FILE_UNWRITABLE', reason, errorHelp(error, 'Check the permissions of the folder.'));
  }
}

/** Sorted; empty for a folder that cannot be read. */
async function firstNamesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) {
      names.push(name);
      if (names.length === limits.entries) break;
    }
  } catch {
    return []; // nothing is known of it
  }
  return names.sort();
}

/** Null: a link, a pipe, a long file, or a file that is not text. */
async function textOf(root: string, relative: string): Promise<string | null> {
  const read = await readWorkspaceFile(root, relative, limits.bytes);
  return read.kind === 'file' ? utf8Text(read.bytes) : null;
}
