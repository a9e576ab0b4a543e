import path from 'node:path';
import { readdir, lstat } from 'node:fs/promises';
import { errorCode, errorWords } from '../../base/outcome';
import {
  evidenceFinding,
  type EvidenceFinding,
  sameDigest,
  withForm,
  withHint,
} from '../../contracts/vocabulary/codes/evidenceFindings';
import {
  evidenceNames,
  executionsDir,
  keptPlanPath,
  lineEndsHint,
  taskFile,
} from '../../contracts/vocabulary/files/evidenceFiles';
import type { EvidenceReader } from '../../engine/ports/evidence';
import { placeInWorkspace, readWorkspaceFile } from '../files/place';
import { isPathId } from '../state/folder';
import { readEvidence } from './documents';
import { checkOutputs } from './outputs';
import { ignoredReason } from '../../base/text/ignoredEvidence';
import { evidenceIgnoredBy } from '../git/evidence';
import type { EvidenceFacts } from '../../core/verify/facts';
import { parsedJson, textAt } from '../../base/json';
import { sha256Of, lineEndsExplain } from '../files/bytes/sha256';
import { parseJsonText } from '../documents/json';
import { carriedFromIn, longestChain } from '../../base/carriedFrom';
import type { CarriedFrom } from '../../core/plan/approvedPlan';
import { explainedDigest } from './explained';

/** Reads the evidence of a plan; opens every file once and follows no link. */
export function evidenceReader(workspaceRoot: string, planId: string): EvidenceReader {
  if (!isPathId(planId) || planId.includes('..')) return noEvidence(planId);
  return {
    read: (missionId) =>
      readEvidence(workspaceRoot, planId, missionId === undefined ? '' : `${evidenceNames.archive}/${missionId}`),
    archived: () => archivedIn(workspaceRoot, planId),
    planNow: (facts) => checkPlanFile(workspaceRoot, facts),
    outputsNow: (facts) => checkOutputs(workspaceRoot, facts),
    carriedNow: (facts) => checkCarriedEvidence(workspaceRoot, facts),
    ignoredNow: () => checkIgnored(workspaceRoot, planId),
    contextsNow: (facts) => checkContexts(workspaceRoot, facts),
    memoryNow: (facts) => checkMemory(workspaceRoot, facts),
  };
}

function noEvidence(planId: string): EvidenceReader {
  const message = `${JSON.stringify(planId)} is no plan id; name one of the folders of docs/ops/executions.`;
  const nothing = { facts: null, findings: [evidenceFinding('PLAN_ID_INVALID', '', message)] };
  const none = (): Promise<[]> => Promise.resolve([]);
  return {
    read: () => Promise.resolve(nothing),
    archived: () => Promise.resolve({ names: [], findings: [] }),
    ...{ planNow: none, outputsNow: none, carriedNow: none, ignoredNow: none, contextsNow: none, memoryNow: none },
  };
}

/** The folders of archived executions; each has the id of its mission. */
async function archivedIn(workspaceRoot: string, planId: string): ReturnType<EvidenceReader['archived']> {
  const folder = `${executionsDir}/${planId}/${evidenceNames.archive}`;
  const findings: EvidenceFinding[] = [];
  try {
    const place = await placeInWorkspace(workspaceRoot, folder);
    if (place.kind === 'refused') {
      findings.push(evidenceFinding('EVIDENCE_LINKED', evidenceNames.archive, `Not read: ${place.reason}.`));
      return { names: [], findings };
    }
    const entries = await readdir(place.absolute, { withFileTypes: true });
    for (const entry of entries) {
      if (entry.isDirectory()) continue;
      const file = `${evidenceNames.archive}/${entry.name}`;
      findings.push(
        entry.isSymbolicLink()
          ? evidenceFinding('EVIDENCE_LINKED', file, 'Not read: it is a symbolic link.')
          : evidenceFinding('FILE_UNEXPECTED', file, 'No archived execution is a file.'),
      );
    }
    return { names: entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort(), findings };
  } catch (error) {
    const { archive } = evidenceNames;
    if (errorCode(error) === 'ENOTDIR')
      findings.push(evidenceFinding('FILE_UNEXPECTED', archive, 'It is no folder: no execution is archived here.'));
    else if (errorCode(error) !== 'ENOENT')
      findings.push(evidenceFinding('EVIDENCE_UNREADABLE', archive, `Not readable: ${errorWords(error)}.`));
    return { names: [], findings };
  }
}

async function checkIgnored(workspaceRoot: string, planId: string): Promise<readonly EvidenceFinding[]> {
  const by = await evidenceIgnoredBy(workspaceRoot, planId);
  return by === null ? [] : [evidenceFinding('EVIDENCE_IGNORED', '', ignoredReason(`${executionsDir}/${planId}`, by))];
}

/** Compares each decision that a task saved with its file in the memory, unless that was begun anew. */
async function checkMemory(
  workspaceRoot: string,
  { header, tasks }: EvidenceFacts,
): Promise<readonly EvidenceFinding[]> {
  const findings: EvidenceFinding[] = [];
  for (const [taskId, { evidence }] of tasks)
    for (const [index, { memory }] of (evidence?.attempts ?? []).entries())
      for (const { name, path, sha256 } of memory?.entries ?? []) {
        if (path === null || sha256 === null) continue;
        const file = await readWorkspaceFile(workspaceRoot, path);
        if (file.kind === 'file' && sameDigest(sha256Of(file.bytes), sha256)) continue;
        const pointer = `/attempts/${index}/memory`;
        const record = file.kind === 'file' ? parsedJson(file.bytes.toString('utf8')) : null;
        const isNew = textAt(record, 'mission_id') !== null && textAt(record, 'mission_id') !== header.mission_id;
        findings.push(
          file.kind === 'none' || isNew
            ? evidenceFinding('MEMORY_NOT_KEPT', taskFile(taskId), `${name} is gone from ${path}.`, pointer)
            : evidenceFinding(
                'MEMORY_CHANGED',
                taskFile(taskId),
                `${name} in ${path} is not as it was saved.`,
                pointer,
              ),
        );
      }
  return findings;
}

/** Compares each kept snapshot with its recorded digest. Expects none where the mission's folder is absent. */
async function checkContexts(workspaceRoot: string, { tasks }: EvidenceFacts): Promise<readonly EvidenceFinding[]> {
  const findings: EvidenceFinding[] = [];
  for (const [taskId, { evidence }] of tasks)
    for (const [index, { attempt, context }] of (evidence?.attempts ?? []).entries()) {
      if (!context) continue;
      const file = await readWorkspaceFile(workspaceRoot, context.kept);
      if (file.kind === 'file' && sameDigest(sha256Of(file.bytes), context.snapshot_sha256)) continue;
      const pointer = `/attempts/${index}/context`;
      const of = `${context.kept}, the context of attempt ${attempt} of task ${taskId},`;
      const changed = `${of} is not what was frozen and given to the worker.`;
      const missionFolder = path.join(workspaceRoot, path.posix.dirname(path.posix.dirname(context.kept)));
      if (file.kind !== 'none') findings.push(evidenceFinding('CONTEXT_CHANGED', taskFile(taskId), changed, pointer));
      else if (await lstat(missionFolder).catch(() => null))
        findings.push(evidenceFinding('CONTEXT_NOT_KEPT', taskFile(taskId), `${of} is gone.`, pointer));
    }
  return findings;
}

/** Checks the plan: its locked bytes, because the file may be edited after its mission, else the file. */
async function checkPlanFile(
  workspaceRoot: string,
  { header, lockedPlan }: EvidenceFacts,
): Promise<readonly EvidenceFinding[]> {
  const file = await readWorkspaceFile(workspaceRoot, header.plan_path);
  if (file.kind !== 'file') {
    const why = file.kind === 'none' ? 'it is gone' : file.reason;
    return [evidenceFinding('PLAN_FILE_MISSING', header.plan_path, `The plan file was not compared: ${why}.`)];
  }
  const digest = sha256Of(file.bytes);
  if (sameDigest(digest, header.plan_sha256)) return [];
  const message = `The plan file now has the hash ${digest}, locked was ${header.plan_sha256}`;
  const hint = lineEndsExplain(file.bytes, header.plan_sha256) ? lineEndsHint : null;
  if (lockedPlan === null) {
    const kept = header.mission_id ? keptPlanPath(header.mission_id) : null;
    const mismatch = evidenceFinding('PLAN_HASH_MISMATCH', header.plan_path, `${message}.`);
    return [withForm(mismatch, hint, header.plan_path, kept)];
  }
  const { canonical_sha256 } = lockedPlan;
  const sameContent = canonical_sha256 !== null && canonical_sha256 === parseJsonText(file.bytes).canonical_sha256;
  const how =
    hint === null && !sameContent ? 'its content changed' : 'only line ends, spacing or the byte-order mark changed';
  return [withHint(evidenceFinding('PLAN_CHANGED_SINCE', header.plan_path, `${message}: ${how}.`), hint)];
}

/** Compares the evidence that tasks were carried over from with its digests, back to the mission that did the task. */
async function checkCarriedEvidence(
  workspaceRoot: string,
  { tasks }: EvidenceFacts,
): Promise<readonly EvidenceFinding[]> {
  const findings: EvidenceFinding[] = [];
  for (const [taskId, { evidence }] of tasks) {
    const name = taskFile(taskId);
    let from: CarriedFrom | null = evidence?.carried_from ?? null;
    for (let count = 0; from !== null && count < longestChain; count += 1) {
      const folder = `${executionsDir}/${from.plan_id}`;
      const place = `${folder}/${name}`;
      const { text, found, hint } = await evidenceAt(workspaceRoot, place, from);
      from = text === null ? null : carriedFromIn(text);
      if (text !== null) continue;
      const what = found ? 'is not as it was when the task was carried over' : 'is gone';
      const message = `${place}, which tells how the task was done, ${what}.`;
      findings.push(withForm(evidenceFinding('CARRIED_DISAGREES', name, message, '/carried_from'), hint, folder));
    }
  }
  return findings;
}

/** `text`: null: none of the files has the digest. `hint` explains a file whose content the digest proves. */
async function evidenceAt(
  workspaceRoot: string,
  place: string,
  { plan_id, mission_id, evidence_sha256 }: CarriedFrom,
): Promise<{ readonly text: string | null; readonly found: boolean; readonly hint: string | null }> {
  const name = place.split('/').pop() ?? '';
  const archived = `${executionsDir}/${plan_id}/${evidenceNames.archive}/${mission_id}/${name}`;
  let found = false;
  let hint: string | null = null;
  for (const one of [place, archived]) {
    const file = await readWorkspaceFile(workspaceRoot, one);
    if (file.kind !== 'file') continue;
    if (sameDigest(sha256Of(file.bytes), evidence_sha256))
      return { text: file.bytes.toString('utf8'), found: true, hint: null };
    found = true;
    hint ??= explainedDigest(name, file.bytes, evidence_sha256);
  }
  return { text: null, found, hint };
}
