import { executionHeaderSchema } from '../../src/contracts/record/header';
import { milestoneEvidenceSchema } from '../../src/contracts/milestoneEvidence';
import { milestoneDocument } from '../../src/core/mission/milestones/document';
import { taskEvidenceSchema } from '../../src/contracts/taskEvidence';
import { headerDocument } from '../../src/engine/effects/write/writeDocuments';
import { documentText } from '../../src/base/json';
import { executionHeader } from '../../src/core/mission/documents';
import { taskEvidence } from '../../src/core/mission/evidence/taskEvidence';
import { fold } from '../../src/core/mission/evolve';
import type { Mission } from '../../src/core/model/state';
import { checkExecution } from '../../src/core/verify/execution';
import type { EvidenceFacts } from '../../src/core/verify/facts';
import type { Played } from './play';
import { planSha256 } from './world';

/** What `evidence verify` holds against the evidence that this mission has written until now: errors only. */
export function evidenceErrors({ entries, mission }: Played): readonly string[] {
  const facts = evidenceOf({ entries, mission });
  if (facts === null) return [];
  const errors = checkExecution(facts, { entries, chain: { valid: true, first_bad: null } })
    .filter(({ severity }) => severity === 'error')
    .map(({ code, file, pointer, message }) => `${code} ${file}${pointer}: ${message}`);
  return [...errors, ...foreignWorkers(facts, mission)];
}

/** Launches under the name of another worker than the one of their task, also where the launch never came about. */
function foreignWorkers({ tasks }: EvidenceFacts, mission: Mission): readonly string[] {
  return mission.rows.flatMap(({ task: { task_id, worker } }) =>
    (tasks.get(task_id)?.evidence?.attempts ?? [])
      .flatMap(({ launches }) => launches)
      .filter((launch) => launch.worker !== worker)
      .map((launch) => `launch ${launch.launch_id} of ${task_id} names ${launch.worker} instead of ${worker}`),
  );
}

/**
 * The evidence as it lies on disk: the header as it was when it was last written, each task as it was when it ended.
 */
export function evidenceOf({ entries, mission }: Pick<Played, 'entries' | 'mission'>): EvidenceFacts | null {
  const types = entries.map(({ event }) => event.type);
  const at = types.includes('MissionReported') ? types.indexOf('MissionReported') : types.indexOf('HeaderWritten');
  const then = at === -1 ? null : fold(entries.slice(0, at));
  if (then === null) return null;
  const written = digest;
  const reported = types.includes('MissionReported');
  const summary_sha256 = reported ? written : null;
  const header = headerDocument(executionHeader(then, { summary_sha256, at: mission.last_at }));
  return {
    header: executionHeaderSchema.parse(JSON.parse(header)),
    header_sha256: written,
    sealed: true,
    lockedPlan: { value: mission.plan, sha256: planSha256, canonical_sha256: mission.plan_canonical_sha256 },
    summary_sha256,
    tasks: new Map(
      mission.rows.flatMap(({ task: { task_id }, evidence }) =>
        evidence ? [[task_id, { evidence: writtenTask(task_id, mission), sha256: evidence.sha256 }] as const] : [],
      ),
    ),
    milestones: new Map(
      mission.rows.flatMap((row) => {
        const document = row.evidence ? milestoneDocument(mission, row) : null;
        if (document === null) return [];
        const evidence = milestoneEvidenceSchema.parse(JSON.parse(document));
        return [[evidence.milestone_id, { evidence, sha256: digest }] as const];
      }),
    ),
    hintFor: () => null,
  };
}

/** The digest of every file that the world of the scenarios writes. */
const digest = 'F'.repeat(64);

function writtenTask(taskId: string, mission: Mission) {
  const row = mission.rows.find(({ task }) => task.task_id === taskId);
  if (!row) throw new Error(`There is no task ${taskId}.`);
  return taskEvidenceSchema.parse(JSON.parse(documentText(taskEvidence(mission, row, []))));
}
