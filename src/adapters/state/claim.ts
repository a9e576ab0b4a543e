import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parsedJson } from '../../base/json';
import { folderClaimSchema } from '../../contracts/fleetMirror';
import { done, errorHelp, errorWords, refused, type Outcome, type Refusal } from '../../base/outcome';
import { writeFileAtomic } from '../files/atomic';
import { readOnce } from '../files/opened';
import { openStateFolder, stateFolderOf } from './folder';

function claimOf(workspace: string): string {
  return path.join(stateFolderOf(workspace).root, 'claim.json');
}

/** Says in a folder that its journal belongs to a claim of a fleet, before a mission is received there. */
export async function writeClaim(workspace: string, job: string, run_id: string): Promise<Outcome<null>> {
  const folder = await openStateFolder(workspace);
  if (!folder.ok) return folder;
  const file = claimOf(workspace);
  try {
    await writeFileAtomic(file, `${JSON.stringify({ schema_version: '1.0.0', job, run_id })}\n`);
    return done(null);
  } catch (error) {
    const help = errorHelp(error, `Make ${folder.value.root} writable for your user.`);
    return refused('STATE_STORE_UNWRITABLE', `${file} cannot be written: ${errorWords(error)}.`, help);
  }
}

/** The folders directly below a folder that belong to a claim. */
export async function claimedFolders(folder: string) {
  const names = await readdir(folder).catch(() => []);
  const all = names.map(async (name) => {
    const workspace = path.join(folder, name);
    const claim = await readClaim(workspace);
    return claim?.success ? [{ workspace, ...claim.data }] : [];
  });
  return (await Promise.all(all)).flat();
}

/** The mission is over for the fleet, so no other host goes on with it, and a person decides here. */
export async function removeClaim(workspace: string): Promise<void> {
  // A claim that stays is refused with a step that works.
  await rm(claimOf(workspace), { force: true }).catch(() => undefined);
}

/**
 * Says why no process but the host of its claim runs a mission of this folder; null: no claim has it. A file that cannot
 * be read counts, because another host may go on.
 */
export async function claimed(workspace: string): Promise<Refusal | null> {
  const claim = await readClaim(workspace);
  if (claim === null) return null;
  return refused(
    'FLEET_CLAIMED',
    'A host of a fleet has, or had, the mission of this folder, and another host may go on with it. So nothing runs here.',
    claim.success ? `mission fleet show ${claim.data.job}` : 'mission fleet list',
    'Decide with `mission fleet watch` in the workspace that the plan was submitted from, or on the host that has it now.',
    'Where the mission was canceled, start `mission fleet host` with the same --folder again: it frees this folder.',
    'Where the fleet is gone for good, `mission handoff export` here and `mission handoff resume` in a clone go on with it.',
  ).refusal;
}

/** Null: no claim has the folder. */
async function readClaim(workspace: string) {
  const read = await readOnce(claimOf(workspace), 65_536).catch(() => ({ kind: 'irregular' }) as const);
  if (read.kind === 'absent') return null;
  return folderClaimSchema.safeParse(read.kind === 'file' ? parsedJson(read.bytes.toString('utf8')) : null);
}
