import { evidenceNames, keptPlanPath } from '../../contracts/vocabulary/evidenceFiles';
import { evidenceDir } from '../evidence/places';
import { validatorIds } from '../plan/milestones';
import type { EvidenceFacts } from './facts';
import {
  evidenceFinding,
  withForm,
  sameDigest,
  type EvidenceFinding,
} from '../../contracts/vocabulary/evidenceFindings';

/** Compares the approved bytes with the digests of the header. `planned`: the ids of their tasks. */
export function checkLockedPlan({ header, lockedPlan, sealed, hintFor }: EvidenceFacts): {
  planned: readonly string[] | null;
  findings: EvidenceFinding[];
} {
  const name = evidenceNames.lockedPlan;
  if (lockedPlan === null) {
    return {
      planned: null,
      findings: sealed ? [evidenceFinding('LOCKED_PLAN_MISSING', name, 'The bytes that were approved are gone.')] : [],
    };
  }
  const findings: EvidenceFinding[] = [];
  const recorded = [header.plan_sha256, ...(header.locked_plan === undefined ? [] : [header.locked_plan.sha256])];
  if (recorded.some((digest) => !sameDigest(digest, lockedPlan.sha256))) {
    findings.push(
      withForm(
        evidenceFinding(
          'PLAN_HASH_MISMATCH',
          name,
          `The locked plan has the hash ${lockedPlan.sha256}, the header ${header.plan_sha256}.`,
        ),
        hintFor(name, header.plan_sha256),
        evidenceDir(header.plan_id),
        header.mission_id ? keptPlanPath(header.mission_id) : null,
      ),
    );
  }
  // The exact bytes leave no other content; bytes that were only reformatted have the same.
  else if (header.plan_canonical_sha256 && !sameDigest(header.plan_canonical_sha256, lockedPlan.canonical_sha256 ?? ''))
    findings.push(
      evidenceFinding(
        'STATE_INCONSISTENT',
        evidenceNames.header,
        'The header has another digest of the plan’s content than the locked plan.',
        '/plan_canonical_sha256',
      ),
    );
  const plan = lockedPlan.value;
  const planned = taskIdsOf(plan);
  if (planned === null)
    findings.push(evidenceFinding('LOCKED_PLAN_INVALID', name, 'The locked plan cannot be read as a plan with tasks.'));
  else if (memberOf(plan, 'plan_id') !== header.plan_id) {
    findings.push(
      evidenceFinding('LOCKED_PLAN_INVALID', name, 'The locked plan has another plan_id than the header.', '/plan_id'),
    );
  }
  return { planned, findings };
}

function taskIdsOf(plan: unknown): readonly string[] | null {
  const tasks = memberOf(plan, 'tasks');
  if (!Array.isArray(tasks)) return null;
  const ids = tasks.map((task: unknown) => memberOf(task, 'task_id'));
  // What validates milestones has evidence like a task.
  return ids.every((id) => typeof id === 'string') ? [...ids, ...validatorIds(plan).values()] : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
