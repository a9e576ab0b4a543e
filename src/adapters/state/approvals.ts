import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ApprovalRecord, SealedApproval } from '../../core/plan/approvalRecord';
import type { Approvals } from '../../engine/ports/engine';
import { keepNewest } from '../files/removeTree';
import { readOnce } from '../files/opened';
import { done, errorCode, errorWords, refused } from '../../base/outcome';
import { isPathId } from './folder';
import { openUserKey, type UserKey } from '../user/key';

/** Number of used approvals that are kept; older ones have long expired. */
const kept = 2000;

/** Approvals of one workspace, sealed with the key of this user. */
export function createApprovals(workspaceDir: string, keyFolder?: string): Approvals {
  const place = async (key: UserKey): Promise<Pick<ApprovalRecord, 'workspace_dir' | 'machine_id'>> => ({
    workspace_dir: await realpath(workspaceDir),
    machine_id: key.seal('machine', await machineName()).slice(0, 32),
  });
  return {
    async seal({ plan_sha256, by, at, speaks_to, instructions }) {
      const key = await openUserKey(keyFolder);
      if (!key.ok) return key;
      const nonce = randomBytes(16).toString('hex');
      const record = {
        ...{ plan_sha256, by, at, nonce, ...(await place(key.value)) },
        ...(speaks_to && { speaks_to }),
        ...(instructions && { instructions }),
      };
      return done({ ...record, mac_sha256: macOf(key.value, record) });
    },
    async look(records) {
      const key = await openUserKey(keyFolder);
      if (!key.ok) return { here: { problem: key.refusal.reason.replace(/\.$/, '') }, seals: [] };
      const seals = [];
      for (const record of records) {
        const sealed = record !== null && record.mac_sha256 === macOf(key.value, record);
        seals.push({ sealed, used_by: sealed ? await userOf(key.value, record.nonce) : null });
      }
      return { here: await place(key.value), seals };
    },
    async use(nonce, missionId) {
      const key = await openUserKey(keyFolder);
      if (!key.ok) return key;
      try {
        const folder = usedFolder(key.value);
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await keepNewest(folder, kept - 1);
        // Only one process can create the file, so an approval counts once even if two start at once.
        await writeFile(path.join(folder, nonceName(nonce)), missionId, { flag: 'wx', mode: 0o600 });
        return done(null);
      } catch (error) {
        const used = errorCode(error) === 'EEXIST';
        if (used && (await userOf(key.value, nonce)) === missionId) return done(null);
        return refused(
          used ? 'APPROVAL_RECORD_REQUIRED' : 'STATE_FOLDER_UNAVAILABLE',
          used
            ? `The approval was used by ${(await userOf(key.value, nonce)) ?? 'another mission'}.`
            : `That the approval is used cannot be recorded: ${errorWords(error)}.`,
          'Approve the plan again.',
        );
      }
    },
  };
}

function macOf(key: UserKey, approval: ApprovalRecord): string {
  const { plan_sha256, by, workspace_dir, machine_id, at, nonce, speaks_to, instructions } = approval;
  const hosts = speaks_to === undefined ? [] : [JSON.stringify(speaks_to)];
  const files = instructions === undefined ? [] : ['instructions', JSON.stringify(instructions)];
  return key.seal('approval', '1', plan_sha256, by, workspace_dir, machine_id, at, nonce, ...hosts, ...files);
}

/** The mission that used an approval; null: none did. */
async function userOf(key: UserKey, nonce: SealedApproval['nonce']): Promise<string | null> {
  const read = await readOnce(path.join(usedFolder(key), nonceName(nonce)), 1000).catch(() => null);
  if (read?.kind === 'absent') return null;
  const name = read?.kind === 'file' ? read.bytes.toString('utf8') : '';
  return isPathId(name) ? name : 'another mission';
}

function usedFolder(key: UserKey): string {
  return path.join(key.folder, 'used');
}

/** A safe file name, whatever a record holds. */
function nonceName(nonce: string): string {
  return createHash('sha256').update(nonce).digest('hex');
}

/** Distinguishes machines that share a home folder. */
async function machineName(): Promise<string> {
  const id = process.platform === 'linux' ? await readFile('/etc/machine-id', 'utf8').catch(() => '') : '';
  return id.trim() || os.hostname();
}
