import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { launchTicketSchema, processIdentitySchema, processRecordSchema, runFiles } from '../../contracts/launch';
import type { DraftLaunch, DraftPlaces, GivenFile } from '../../engine/ports/drafts';
import { utf8Text } from '../files/bytes/lines';
import { readWorkspaceFile } from '../files/place';
import { identityOf, isAlive } from '../processes/tree';
import { redactText } from '../system/redact';
import { allRuns, namesOrNone, runsOf, valueIn, launchStanding, type LaunchStanding } from './files';

/** Drafts lie beside missions, under names that no mission has, so that their agents count as workers everywhere. */
const draftName = /^draft-[0-9a-f-]{36}$/;

/** The file that names the process which makes a draft; in the draft's folder until the draft is made. */
const ownerFile = 'owner.json';

/** @param secrets values that no file may hold */
export function draftPlaces(workspaceDir: string, missionsDir: string, secrets: readonly string[]): DraftPlaces {
  return {
    async othersAtWork(draftId, since) {
      for (const { mission, runDir } of await allRuns(missionsDir)) {
        if (mission === draftId) continue;
        const record = await valueIn(runDir, runFiles.process, processRecordSchema);
        if (record === null) continue;
        if (since !== null && record.started_at >= since) return true;
        const { supervisor, worker } = record;
        if ((await isAlive(supervisor)) || (worker !== null && (await isAlive(worker)))) return true;
      }
      return false;
    },
    owner: () => identityOf(process.pid),
    async recordDraft(draftId) {
      const folder = path.join(missionsDir, draftId);
      const owner = JSON.stringify(await identityOf(process.pid));
      // A failure is left to the launch, which is refused where nothing can be written.
      await mkdir(folder, { recursive: true })
        .then(() => writeFile(path.join(folder, ownerFile), owner))
        .catch(() => undefined);
    },
    forgetDraft: (draftId) => rm(path.join(missionsDir, draftId, ownerFile), { force: true }).catch(() => undefined),
    async planIds() {
      const names = await namesOrNone(path.join(workspaceDir, 'docs', 'plans'));
      return names.flatMap((name) => /^PLAN_(.+)\.json$/i.exec(name)?.[1] ?? []);
    },
    read: (relative, limit) => readGiven(workspaceDir, relative, limit),
    redact: (text) => redactText(text, secrets).text,
  };
}

async function readGiven(workspaceDir: string, relative: string, limit: number): Promise<GivenFile> {
  const read = await readWorkspaceFile(workspaceDir, relative, limit);
  if (read.kind === 'none') return { ok: false, reason: 'it is not there' };
  if (read.kind !== 'file') return { ok: false, reason: read.reason };
  const text = utf8Text(read.bytes);
  if (text === null) return { ok: false, reason: 'it is no UTF-8 text' };
  return text.includes('\0') ? { ok: false, reason: 'it is no text' } : { ok: true, text, bytes: read.bytes.length };
}

/** The folders of drafts. `live`: a process makes the draft, also between its launches, or a launch of it may run. */
export async function draftFolders(
  missionsDir: string,
): Promise<readonly { readonly draft_id: string; readonly live: boolean }[]> {
  const drafts = (await namesOrNone(missionsDir)).filter((name) => draftName.test(name)).sort();
  return Promise.all(
    drafts.map(async (draft_id) => {
      const runs = await runsOf(missionsDir, draft_id);
      const standings = await Promise.all(runs.map((runDir) => launchStanding(runDir)));
      const owner = await valueIn(path.join(missionsDir, draft_id), ownerFile, processIdentitySchema);
      return { draft_id, live: standings.some(mayRun) || (owner !== null && (await isAlive(owner))) };
    }),
  );
}

export async function draftLaunches(missionsDir: string): Promise<readonly DraftLaunch[]> {
  const found: DraftLaunch[] = [];
  for (const { mission, runDir } of await allRuns(missionsDir)) {
    if (!draftName.test(mission)) continue;
    const standing = await launchStanding(runDir);
    if (standing.kind === 'ended' || standing.kind === 'revoked' || standing.kind === 'void') continue;
    const ticket = standing.ticket ?? (await valueIn(runDir, runFiles.claimed, launchTicketSchema));
    if (ticket === null) continue;
    const { launch_id, nonce, max_runtime_seconds, grace_seconds } = ticket;
    const process = 'process' in standing ? standing.process : null;
    found.push({
      draft_id: mission,
      run_dir: runDir,
      known: { launch_id, nonce, process, max_runtime_seconds, grace_seconds },
    });
  }
  return found;
}

/** A ticket that is too old starts nothing. */
function mayRun(standing: LaunchStanding): boolean {
  if (standing.kind === 'waiting') return Date.parse(standing.ticket.expires_at) > Date.now();
  return standing.kind === 'taken' || standing.kind === 'running';
}
