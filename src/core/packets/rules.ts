import {
  categoriesWithCodesOfTheirOwn,
  codeOfCategory,
  type ReasonCategory,
} from '../../contracts/vocabulary/codes/codes';
import { recoveryOutcomes } from '../../contracts/vocabulary/recovery';
import { collectFindings, type AddFinding, type Finding } from '../documents/finding';
import { listAt, numberAt, objectAt, objectsAt, quoted, textAt, textsAt, type JsonObject } from '../../base/json';
import { blockCode } from './blockCode';
import { baseName, climbs, inside, parentOf } from './names';

/**
 * Rules beyond the shape, for any object. Without a known `missionDir`, files may lie in the run
 * directory or in the folder of its mission. They may also lie in the folder of the session record,
 * if that is named like the mission. So a packet can be judged by itself.
 */
export function packetFindings(packet: JsonObject, missionDir: string | null): readonly Finding[] {
  const block = objectAt(packet, 'block') ?? {};
  const { report, list } = collectFindings();
  judgeOutcomes(packet, report);
  judgeIdentity(packet, block, report);
  judgeReason(block, report);
  judgePaths(packet, block, missionDir, report);
  return list;
}

function judgeOutcomes(packet: JsonObject, report: AddFinding): void {
  if (listAt(packet, 'allowedOutcomes') === null) return;
  const seen = new Set<string>();
  for (const [option, index] of objectsAt(packet, 'allowedOutcomes')) {
    const outcome = textAt(option, 'outcome');
    if (outcome === null) continue;
    if (seen.has(outcome)) {
      const message = `Outcome ${quoted(outcome)} is listed twice; list each of the five once.`;
      report('SCHEMA_INVALID', `/allowedOutcomes/${String(index)}/outcome`, message);
    }
    seen.add(outcome);
  }
  const missing = recoveryOutcomes.filter((outcome) => !seen.has(outcome));
  if (missing.length > 0)
    report(
      'MISSING_REQUIRED_INPUT',
      '/allowedOutcomes',
      `${missing.length === 1 ? 'Outcome' : 'Outcomes'} ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing; a packet offers each of the five: ${recoveryOutcomes.join(', ')}.`,
    );
}

function judgeIdentity(packet: JsonObject, block: JsonObject, report: AddFinding): void {
  const differs = (pointer: string, message: string): void => report('LEDGER_INCONSISTENT', pointer, message);
  const missionId = textAt(packet, 'missionId');
  const ofBlock = textAt(block, 'missionId');
  if (ofBlock !== null && missionId !== null && ofBlock !== missionId)
    differs(
      '/block/missionId',
      `The block names mission ${quoted(ofBlock)}, the packet ${quoted(missionId)}; write the same missionId.`,
    );
  const runId = textAt(block, 'runId');
  const runDir = textAt(block, 'runDir');
  if (runId !== null && runDir !== null && baseName(runDir) !== runId)
    differs(
      '/block/runId',
      `The run directory is named ${quoted(baseName(runDir))}, not ${quoted(runId)}; make runId and runDir agree.`,
    );
  if (Date.parse(textAt(packet, 'createdAt') ?? '') < Date.parse(textAt(block, 'timestamp') ?? ''))
    differs('/createdAt', 'The packet is older than its block; correct the times.');
  const reason = textAt(block, 'reasonCategory');
  const code = textAt(block, 'code');
  if (reason !== null && code !== null && isCategory(reason) && !categoriesWithCodesOfTheirOwn.includes(reason)) {
    const wanted = blockCode(reason);
    if (code !== wanted)
      differs('/block/code', `${reason} has the code ${wanted}, not ${quoted(code)}; write that one.`);
  }
}

function judgeReason(block: JsonObject, report: AddFinding): void {
  const kind = textAt(block, 'kind');
  const reason = textAt(block, 'reasonCategory');
  if (block['validatorMode'] !== undefined && kind === 'worker')
    report('SCHEMA_INVALID', '/block/validatorMode', 'Only a validator has a validatorMode; remove it.');
  const contradicts = (pointer: string, message: string): void => report('LEDGER_INCONSISTENT', pointer, message);
  if (reason === 'child_exit_nonzero' && numberAt(block, 'exitCode') === 0)
    contradicts(
      '/block/exitCode',
      'child_exit_nonzero says that the process failed, but its exit code is 0; correct the code or the reasonCategory.',
    );
  if (reason === 'missing_handoff' && kind === 'validator')
    contradicts(
      '/block/reasonCategory',
      'A validator hands over no work, it writes a report; for a missing one write missing_validation_report.',
    );
  if ((reason === 'validator_report_failed' || reason === 'missing_validation_report') && kind === 'worker')
    contradicts('/block/reasonCategory', `Only a validator writes a report; ${reason} cannot block a worker.`);
}

function judgePaths(packet: JsonObject, block: JsonObject, missionDir: string | null, report: AddFinding): void {
  const missionId = textAt(packet, 'missionId');
  const runDir = textAt(block, 'runDir') ?? '';
  const session = textAt(objectAt(packet, 'dispatch'), 'orchestratorSessionRecordPath');
  const sessionDir = session === null ? null : parentOf(session);
  const ownSession = sessionDir !== null && baseName(sessionDir) === missionId ? [sessionDir] : [];
  const owner = missionOfRun(runDir);
  const ownFolder = owner !== null && owner === missionId ? [parentOf(parentOf(runDir))] : [];
  const allowed = missionDir === null ? [runDir, ...ownSession, ...ownFolder] : [missionDir];
  const candidates = [
    ...(missionDir === null ? [] : [{ pointer: '/block/runDir', path: runDir }]),
    ...textsAt(block, 'artifactPaths').map(([path, index]) => ({ pointer: `/block/artifactPaths/${index}`, path })),
    ...(session === null ? [] : [{ pointer: '/dispatch/orchestratorSessionRecordPath', path: session }]),
  ];
  const climbing = [{ pointer: '/block/runDir', path: runDir }, ...candidates].find(({ path }) => climbs(path));
  if (climbing !== undefined) {
    report('SCOPE_VIOLATION', climbing.pointer, `The path ${quoted(climbing.path)} contains ".."; write it without.`);
    return;
  }
  if (missionDir === null && owner !== null && missionId !== null && owner !== missionId) {
    const message = `This is a run directory of mission ${quoted(owner)}, not of ${quoted(missionId)}; a packet only names files of its own mission.`;
    report('SCOPE_VIOLATION', '/block/runDir', message);
    return;
  }
  for (const { pointer, path } of candidates) {
    if (allowed.some((folder) => inside(path, folder))) continue;
    const message = `${quoted(path)} is outside the mission directory; a packet only names files of its own mission.`;
    report('SCOPE_VIOLATION', pointer, message);
  }
}

/** `.../missions/<mission>/runs/<run>` names its mission; other layouts do not. */
function missionOfRun(runDir: string): string | null {
  const runs = parentOf(runDir);
  const mission = parentOf(runs);
  return baseName(runs) === 'runs' && baseName(parentOf(mission)) === 'missions' ? baseName(mission) : null;
}

function isCategory(reason: string): reason is ReasonCategory {
  return Object.hasOwn(codeOfCategory, reason);
}
