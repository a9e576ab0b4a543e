import type { EachMember, ExecutionHeader } from '../../contracts/record/header';
import { evidenceNames } from '../../contracts/vocabulary/files/evidenceFiles';
import { orchestratorSessionFile } from '../../contracts/vocabulary/orchestrator';
import { filled } from '../../base/json';
import { lingeredWords } from '../../base/text/endWords';
import { stepLine } from '../../base/text/steps';
import { type Place, utcSeconds } from '../evidence/places';
import type { SummaryFacts } from '../evidence/summaryParts';
import { streamPaths } from '../lifecycle/parts/announced';
import { workerLaunch } from '../lifecycle/parts/workerLaunch';
import { type EndedAttempt, startedNothing } from '../model/attempt';
import { categoryOf, type Mission, type Packet, type Progress, rowOf, type TaskRow, type Tasks } from '../model/state';
import { changesAtEnd } from '../observation/verifyChange';
import { blockCode, exitNumber } from '../packets/blockCode';
import { baseName } from '../packets/names';
import type { PacketFacts } from '../packets/packet';
import { waitOf } from './resolve/waits';
import { evidenceStatus } from './evidence/ledgerDocument';
import { attemptsOf } from './handoff/handoffs';
import { milestoneStandings } from './milestones/document';
import { answerable, leadsTo } from './questions/questions';
import { missionStatus } from './status';
import { notObserved, taskEvidence } from './evidence/taskEvidence';
import { waysOut } from './waysOut';

/** EXECUTION_HEADER.json of a mission that is locked or has ended, without its seal. */
export function executionHeader(
  mission: Mission,
  written: {
    readonly summary_sha256: string | null;
    readonly at: string;
    /** Null or absent: host and user are not recorded. */
    readonly identity?: { readonly host: string; readonly user: string } | null | undefined;
  },
): ExecutionHeader {
  const { plan, ending, superseded, resumed_from: from, moved_aside, approved_here, rows } = mission;
  return {
    contract_version: 'S2-B-06.v1',
    plan_id: plan.plan_id,
    goal_id: plan.goal_id,
    plan_path: mission.plan_path,
    plan_sha256: mission.plan_sha256,
    started_at_utc: utcSeconds(mission.received_at),
    state: ending ? 'REPORTED' : mission.execution,
    host: written.identity?.host,
    user: written.identity?.user,
    executor: 'mission',
    mission_id: mission.mission_id,
    run_id: mission.run_id,
    ended_at_utc: ending && utcSeconds(ending.at),
    outcome: ending?.outcome ?? null,
    status: missionStatus(mission),
    cancelled: ending?.cancelled ?? false,
    code: ending?.code ?? null,
    reason: ending?.reason ?? null,
    plan_canonical_sha256: mission.plan_canonical_sha256,
    plan_sha256_observed: observedMismatch(mission) ?? undefined,
    resumed_from: from
      ? {
          ...{ mission_id: from.mission_id, handoff: from.handoff },
          ...{ bundle_sha256: from.bundle_sha256, moved: from.moved, decision: from.decision },
        }
      : undefined,
    supersedes: plan.supersedes ?? undefined,
    superseded_by: superseded ?? undefined,
    archived: mission.archived ?? undefined,
    moved_aside: filled(moved_aside),
    approval_source: mission.approval_source,
    approved_by: plan.approved_by,
    approved_at: plan.approved_at,
    approved_here: approved_here ? { by: approved_here.by, at: approved_here.at } : undefined,
    confinement: mission.confinement,
    policy_sha256: mission.policy.sha256,
    state_history: ending
      ? [...mission.execution_history, { state: 'REPORTED', at: written.at }]
      : mission.execution_history,
    locked_plan: { file: evidenceNames.lockedPlan, sha256: mission.plan_sha256 },
    summary: written.summary_sha256 === null ? null : { file: evidenceNames.summary, sha256: written.summary_sha256 },
    tasks: rows.map((row) => ({
      task_id: row.task.task_id,
      status: evidenceStatus(row),
      code: row.code,
      attempts: attemptsOf(row),
      evidence_sha256: row.evidence?.sha256 ?? null,
    })),
    milestones: filled(milestoneStandings(mission).map(({ header }) => header)),
    orchestrator: orchestratorEvidence(mission),
    success_criteria: mission.criteria ?? [],
    journal: { events: mission.last_seq, last_hash: mission.last_hash },
    tool: { name: 'mission-control', version: mission.tool_version },
    not_observed: [
      ...new Set(
        rows.flatMap((row) => [
          ...(row.carried?.attempts ?? []).flatMap((attempt) => attempt.not_observed),
          ...row.attempts.flatMap((attempt) => notObserved(attempt)),
        ]),
      ),
    ],
  } satisfies EachMember<Omit<ExecutionHeader, 'header_sha256'>>;
}

export function summaryFacts(mission: Progress, header: ExecutionHeader, places: readonly Place[] = []): SummaryFacts {
  return {
    header,
    tasks: mission.rows.map((row) => taskEvidence(mission, row, places)),
    milestones: milestoneStandings(mission),
    streamed: new Map(
      mission.rows.flatMap(({ task, attempts }) =>
        attempts.map((attempt) => [`${task.task_id}#${attempt.attempt}`, streamPaths(attempt)] as const),
      ),
    ),
    places,
    scratch: mission.plan.scratch,
  };
}

export function packetFacts(
  mission: Mission,
  packet: Packet,
  missionDir: string,
  artifactPaths: readonly string[],
): PacketFacts {
  const row = rowOf(mission, packet.task_id);
  const attempt = row.attempts.find((candidate) => candidate.attempt === packet.attempt);
  const end = attempt?.launches.at(-1)?.end ?? null;
  const failure = attempt?.failure?.kind === 'recoverable' ? attempt.failure : null;
  const stayed = attempt && workerLaunch(attempt)?.end?.did_not_exit;
  const wait = waitOf(mission, packet);
  const { question } = packet;
  const answered = question && leadsTo(mission, { ...packet, question });
  const reasonCategory = categoryOf(mission, packet);
  const ran = attempt?.launches.some(({ run_dir, prepared }) => prepared && run_dir === packet.run_dir) === true;
  const runDir = ran ? `${missionDir}/runs/${packet.run_dir}` : missionDir;
  const exitCode = end === null || startedNothing(end) ? null : end.exit_code;
  const signal = end?.signal ?? null;
  const carriedCode = !failure && row.carried?.category ? row.code : null;
  const dirty = changedPaths(attempt);
  const validatorMode = row.task.validator?.mode;
  const remedies = packetRemedies(mission, row, packet);
  return {
    packetId: packet.packet_id,
    missionId: mission.mission_id,
    missionTitle: `${mission.plan.plan_id} (${mission.plan.goal_id})`,
    createdAt: packet.issued_at,
    block: {
      schemaVersion: 1,
      timestamp: packet.issued_at,
      reasonCategory,
      kind: row.task.validator || attempt?.launches.at(-1)?.purpose.kind === 'verify' ? 'validator' : 'worker',
      ...(validatorMode && { validatorMode }),
      failedItemId: packet.task_id,
      failedItemTitle: row.task.description,
      missionId: mission.mission_id,
      milestoneId: row.task.milestone ?? mission.plan.plan_id,
      featureId: packet.task_id,
      runId: baseName(runDir),
      runDir,
      exitCode: exitNumber(exitCode, signal),
      signal,
      cancelled: failure?.human_only === 'stopped_by_human',
      code: failure?.code ?? carriedCode ?? blockCode(reasonCategory),
      ...(failure?.limit_ends && { limitEnds: { ...failure.limit_ends } }),
      ...(wait?.goesOn && { goesOnAt: wait.at }),
      status: [
        failure?.human_only ?? '',
        row.reason,
        ...(stayed ? [lingeredWords(stayed)] : []),
        ...(failure?.details ?? []),
      ]
        .filter((part) => part !== '')
        .join('\n'),
      ...(dirty !== null && { dirty }),
      artifactPaths: [...artifactPaths],
    },
    ...(question && {
      question: {
        text: question.text,
        choices: question.choices.map(({ id, text }) => ({ id, text })),
        askedBy: question.asked_by,
        ...(answered && { leadsTo: answered }),
      },
    }),
    ...(remedies.length > 0 && { remedies }),
    sessionRecord: mission.orchestrator ? `${missionDir}/${orchestratorSessionFile}` : null,
  };
}

function orchestratorEvidence({ orchestrator, sessions }: Tasks): ExecutionHeader['orchestrator'] {
  if (!orchestrator) return undefined;
  const finished = sessions.flatMap(({ launch, packet_id, task_id, choice, result }) => {
    if (!result) return [];
    const why = result.kind === 'applied' ? { code: null, reason: null } : { code: result.code, reason: result.reason };
    const { launch_id, end } = launch;
    const model = end?.model ?? null;
    return [{ launch_id, packet_id, task_id, model, result: result.kind, chose: choice?.outcome ?? null, ...why }];
  });
  return { worker: orchestrator.worker, sessions: finished };
}

/** Lists what helps while the packet is open; a task that has gone on needs nothing. */
function packetRemedies(mission: Mission, row: TaskRow, packet: Packet): NonNullable<PacketFacts['remedies']> {
  if (row.status !== 'blocked' || !answerable(packet)) return [];
  return waysOut(mission, row, packet).flatMap(({ step, label, does, helps, refused }) =>
    helps && !refused ? [{ label, does, command: stepLine(step) }] : [],
  );
}

function observedMismatch(mission: Tasks): string | null {
  for (const row of mission.rows) {
    const attempt = row.attempts.find(
      (candidate) => candidate.failure?.kind === 'structural' && candidate.failure.code === 'PLAN_HASH_MISMATCH',
    );
    if (attempt) return attempt.plan_sha256_observed;
  }
  return null;
}

function changedPaths(attempt: EndedAttempt | undefined): string | null {
  const changes = changesAtEnd(attempt?.observed?.changes ?? [], attempt?.after_verify?.changes ?? []);
  if (changes.length === 0) return null;
  const shown = changes.slice(0, 200).map((change) => `${change.kind} ${change.path}`);
  return [...shown, ...(changes.length > shown.length ? [`and ${changes.length - shown.length} more`] : [])].join('\n');
}
