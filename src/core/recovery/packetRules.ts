import type { RecoveryPacket } from '../../contracts/recoveryPacket';
import { categoriesWithCodesOfTheirOwn, codeOfCategory } from '../../contracts/vocabulary/codes';
import { recoveryOutcomes } from '../../contracts/vocabulary/recovery';
import type { Finding } from '../plan/finding';
import { baseName, climbs, inside, parentOf } from './packetNames';

/**
 * Rules beyond the shape. `missionDir` is the mission's folder when it is known; otherwise the run directory and the
 * folder of the session record (named like the mission) stand for it, so that a packet can be judged on its own.
 */
export function packetFindings(packet: RecoveryPacket, missionDir: string | null): readonly Finding[] {
  return [...outcomeFindings(packet), ...identityFindings(packet), ...pathFindings(packet, missionDir)];
}

function outcomeFindings(packet: RecoveryPacket): Finding[] {
  const given = packet.allowedOutcomes.map((option) => option.outcome);
  const findings: Finding[] = [];
  given.forEach((outcome, index) => {
    if (given.indexOf(outcome) !== index) {
      findings.push(
        error(
          'SCHEMA_INVALID',
          `/allowedOutcomes/${String(index)}/outcome`,
          `Outcome ${outcome} is listed twice: list each of the five once.`,
        ),
      );
    }
  });
  for (const outcome of recoveryOutcomes) {
    if (!given.includes(outcome)) {
      findings.push(
        error(
          'MISSING_REQUIRED_INPUT',
          '/allowedOutcomes',
          `Outcome ${outcome} is missing: a packet offers exactly the five.`,
        ),
      );
    }
  }
  return findings;
}

function identityFindings(packet: RecoveryPacket): Finding[] {
  const { block } = packet;
  const findings: Finding[] = [];
  const differs = (pointer: string, message: string): void => {
    findings.push(error('LEDGER_INCONSISTENT', pointer, message));
  };
  if (block.missionId !== packet.missionId)
    differs('/block/missionId', 'The block names another mission than the packet: write the same missionId.');
  if (baseName(block.runDir) !== block.runId)
    differs('/block/runId', 'runId is the name of the run directory: make them agree.');
  if (Date.parse(packet.createdAt) < Date.parse(block.timestamp))
    differs('/createdAt', 'The packet is older than its block: correct the times.');
  const ownCode = categoriesWithCodesOfTheirOwn.includes(block.reasonCategory);
  if (block.code !== undefined && !ownCode && block.code !== codeOfCategory[block.reasonCategory]) {
    differs(
      '/block/code',
      `${block.reasonCategory} has the code ${codeOfCategory[block.reasonCategory]}: write that one.`,
    );
  }
  if (block.validatorMode !== undefined && block.kind !== 'validator') {
    findings.push(error('SCHEMA_INVALID', '/block/validatorMode', 'Only a validator has a validatorMode: remove it.'));
  }
  return findings;
}

function pathFindings(packet: RecoveryPacket, missionDir: string | null): Finding[] {
  const { block, dispatch } = packet;
  const session = dispatch.orchestratorSessionRecordPath;
  const sessionDir = session === undefined ? null : parentOf(session);
  const ownSession = sessionDir !== null && baseName(sessionDir) === packet.missionId ? [sessionDir] : [];
  const allowed = missionDir === null ? [block.runDir, ...ownSession] : [missionDir];
  const candidates = [
    ...(missionDir === null ? [] : [{ pointer: '/block/runDir', path: block.runDir }]),
    ...block.artifactPaths.map((path, index) => ({ pointer: `/block/artifactPaths/${String(index)}`, path })),
    ...(session === undefined ? [] : [{ pointer: '/dispatch/orchestratorSessionRecordPath', path: session }]),
  ];
  const climbing = [{ pointer: '/block/runDir', path: block.runDir }, ...candidates].find(({ path }) => climbs(path));
  if (climbing !== undefined)
    return [error('SCOPE_VIOLATION', climbing.pointer, 'The path contains "..": write it without.')];
  return candidates
    .filter(({ path }) => !allowed.some((folder) => inside(path, folder)))
    .map(({ pointer }) =>
      error(
        'SCOPE_VIOLATION',
        pointer,
        'The path is outside the mission directory: a packet only names files of its own mission.',
      ),
    );
}

function error(findingCode: string, pointer: string, message: string): Finding {
  return { code: findingCode, severity: 'error', pointer, message };
}
