import { refuse, type Refused } from './parts/commandDecision';
import { decisionStep, fileStep } from '../../base/text/steps';
import { quotedArguments } from '../../base/text/marked/visible';
import { movedCode } from '../../contracts/vocabulary/handoff';
import { attributeLines, keptPlanPath, lineEndsHint } from '../../contracts/vocabulary/files/evidenceFiles';
import type { ApprovalVerdict } from '../plan/approvalRecord';
import { isOver } from '../execution/envelope';
import { waitsForPerson } from '../model/lanes';
import type { Mission, Course } from '../model/state';
import { activeMission, activeRefusal } from './activeElsewhere';
import { motionOf } from './effects';
import { givenAwayRefusal, movedEvidenceRefusal, type GivenAway } from './handoff/movedRun';
import { reviseStep } from './revision/supersede';
import { cancelUnderWay } from './takeover/takeover';

/** The evidence that the folder of a plan holds already. */
export type ExistingEvidence =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'present';
      readonly mission_id: string | null;
      readonly plan_sha256: string | null;
      readonly state: string | null;
      /** Why it failed. */
      readonly code: string | null;
      readonly readable: boolean;
    };

/** What the engine reads before a plan is received. */
export interface StartFacts {
  readonly plan_id: string;
  readonly plan_sha256: string;
  /** Relative to the workspace, or absolute where it lies outside. */
  readonly plan_path: string;
  readonly evidence: ExistingEvidence;
  /** The plan that this one is a revision of; null: none. */
  readonly supersedes: string | null;
  /** Digests of the plan with other line ends or byte-order mark, for a hint in the refusal. */
  readonly other_forms?: readonly string[];
  /** Names of all evidence folders, of any plan. */
  readonly executions: readonly string[];
  readonly missions: readonly KnownMission[];
  /** Missions whose run is elsewhere, the one given away last first; none for a run that is resumed from a handoff. */
  readonly given_away: readonly GivenAway[];
}

type KnownMission = ReturnType<typeof knownMission>;

/**
 * @param busy an engine drives the mission now, also between two tasks
 * @param wanted paths that the plan to be started may write
 */
export function knownMission(mission: Mission, busy: boolean, wanted: readonly string[]) {
  return {
    mission_id: mission.mission_id,
    plan_id: mission.plan.plan_id,
    plan_sha256: mission.plan_sha256,
    open: mission.execution !== 'REPORTED',
    /** The plan that was approved in its place. */
    superseded_by: mission.superseded?.plan_id ?? null,
    active: activeMission(mission, busy, wanted),
    /** Its end is decided, but not all of its evidence may be written. */
    ends: (mission.ending ?? mission.criteria ?? mission.moved) !== null,
    cancelling: cancelUnderWay(mission),
    // A resume completes what is due even while a decision is pending, so only then it cannot be resumed.
    waits: mission.rows.some(waitsForPerson) && motionOf(mission) === 'rests',
    came: mission.resumed_from !== null,
    endedHere: endedHere(mission),
  };
}

/** Says whether a plan may be executed here and now, whatever its approval says; null means yes. */
export function refuseStart(facts: StartFacts): Refused | null {
  const folder = `docs/ops/executions/${facts.plan_id}`;
  const place = `docs/plans/PLAN_${facts.plan_id}.json`;
  if (facts.plan_path !== place) return misplaced(facts, place);
  const otherwise = spelledOtherwise(facts.plan_id, [
    ...facts.executions,
    ...facts.missions.map((mission) => mission.plan_id),
  ]);
  if (otherwise) return otherwise;
  const early = refuseRevision(facts, place);
  if (early) return early;
  const active = facts.missions.find((mission) => mission.active)?.active;
  if (active) return activeRefusal(active);
  const open = facts.missions.find((mission) => mission.open && mission.plan_id === facts.plan_id);
  if (open) return stillOpen(open);
  const away = facts.given_away.find(({ plan_id }) => plan_id === facts.plan_id);
  if (away) return givenAwayRefusal(away);
  const gone = facts.missions.find(({ plan_id, superseded_by }) => plan_id === facts.plan_id && superseded_by !== null);
  if (gone?.superseded_by) return supersededBy(`Plan ${facts.plan_id}`, gone.superseded_by, facts);
  const other = facts.missions.find(
    (mission) => mission.plan_id === facts.plan_id && !sameHash(mission.plan_sha256, facts.plan_sha256),
  );
  if (other) return reused(facts, other.plan_sha256, other.mission_id);
  const unseen = unseenFailure(facts.missions);
  if (unseen) return unseen;
  const { evidence } = facts;
  if (evidence.kind === 'none') return null;
  if (!evidence.readable || evidence.plan_sha256 === null) {
    return refuse('EVIDENCE_FOREIGN', `${folder} holds evidence that cannot be read.`, [
      'mission doctor',
      `Move ${folder} away after looking at it.`,
    ]);
  }
  if (!sameHash(evidence.plan_sha256, facts.plan_sha256)) return reused(facts, evidence.plan_sha256, null);
  if (evidence.code === movedCode) return movedEvidenceRefusal(facts.plan_id, `${folder}/EXECUTION_HEADER.json`);
  if (!isOver(evidence.state) || evidence.mission_id === null) {
    return refuse(
      'EVIDENCE_FOREIGN',
      `${folder} holds evidence of an execution that no journal of this user knows here and that has not ended.`,
      [
        `mission status ${facts.plan_id}`,
        'Let it end where it was started.',
        `Or move ${folder} away after looking at it.`,
      ],
    );
  }
  return null;
}

/** Refuses a plan whose approval does not count here, as far as it has to. @param required by a record made here */
export function refuseApproval(approval: ApprovalVerdict, required: boolean, place: string): Refused | null {
  if (approval.counts) return null;
  if (required) return refuse('APPROVAL_RECORD_REQUIRED', approval.why, [fileStep('plan approve', place, '--by NAME')]);
  return refuseOtherBytes(approval.recorded === 'others' ? approval.why : null, place);
}

/** Refuses a plan of which a person approved other bytes here, and not these: what its file says is not enough then. */
export function refuseOtherBytes(approvedOtherwise: string | null, place: string): Refused | null {
  if (approvedOtherwise === null) return null;
  return refuse('PLAN_HASH_MISMATCH', approvedOtherwise, [
    fileStep('plan approve', place, '--by NAME'),
    'Or put the approved bytes back.',
  ]);
}

/** Refuses a revision whose mission has not ended, goes on elsewhere, or was superseded by another plan. */
function refuseRevision({ plan_id, supersedes, missions, given_away }: StartFacts, place: string): Refused | null {
  const before = missions.filter((mission) => mission.plan_id === supersedes);
  const other = before.find(({ superseded_by }) => superseded_by !== null && superseded_by !== plan_id);
  if (other?.superseded_by)
    return supersededBy(`Plan ${other.plan_id}, which this plan supersedes as well,`, other.superseded_by, {
      missions,
    });
  const open = before.find((mission) => mission.open);
  if (!open) {
    const away = given_away.find((mission) => mission.plan_id === supersedes);
    // It came with a handoff: the place that took the run revised it, and gave it back.
    const came = missions.some((mission) => mission.plan_id === plan_id && mission.came);
    return away && !came ? givenAwayRefusal(away) : null;
  }
  const reason = `Mission ${open.mission_id} of plan ${open.plan_id}, which this plan supersedes, has not ended.`;
  return refuse('MISSION_OPEN', reason, [
    `mission status ${open.mission_id}`,
    // Approving it once more ends that mission.
    ...(open.superseded_by === null ? [fileStep('plan approve', place, '--by NAME')] : []),
    ...(open.superseded_by !== null && !open.active ? [decisionStep('resume', open.mission_id)] : []),
  ]);
}

function supersededBy(what: string, planId: string, { missions }: Pick<StartFacts, 'missions'>): Refused {
  return refuse('PLAN_SUPERSEDED', `${what} was superseded by plan ${planId}.`, [
    fileStep('run', `docs/plans/PLAN_${lastRevision(planId, missions)}.json`),
  ]);
}

/** The plan at the end of the chain, which is the only one that may run. */
function lastRevision(planId: string, missions: StartFacts['missions']): string {
  let last = planId;
  for (const seen = new Set<string>(); !seen.has(last);) {
    seen.add(last);
    last = missions.find((one) => one.plan_id === last && one.superseded_by !== null)?.superseded_by ?? last;
  }
  return last;
}

/** Refuses while no person has acknowledged that the last mission here failed. Source: seed 004 phase 0. */
function unseenFailure(missions: readonly KnownMission[]): Refused | null {
  const ended = missions.flatMap(({ mission_id, endedHere: end }) => (end ? [{ mission_id, ...end }] : []));
  const last = ended.reduce<(typeof ended)[number] | null>(
    (found, one) => (found && found.at > one.at ? found : one),
    null,
  );
  if (!last?.unseen) return null;
  return refuse(
    'FAILURE_UNACKNOWLEDGED',
    `Mission ${last.mission_id}, the last that ended in this workspace, failed, and no person has acknowledged it: ${last.reason}`,
    [`mission status ${last.mission_id}`, decisionStep('acknowledge', last.mission_id)],
  );
}

function endedHere({ ending, moved, acknowledged }: Course) {
  if (ending === null || moved !== null || ending.cancelled) return null;
  const { at, reason, outcome } = ending;
  return { at, reason, unseen: outcome === 'FAILED' && acknowledged === null };
}

/** Refuses `P1` beside `p1`: ids name folders, which are the same on file systems that ignore case. */
export function spelledOtherwise(planId: string, known: readonly string[]): Refused | null {
  const other = known.find((name) => name !== planId && name.toLowerCase() === planId.toLowerCase());
  if (other === undefined) return null;
  return refuse(
    'PLAN_ID_REUSED',
    `Plan id ${planId} was executed here as ${other}: ids that differ only in the case of letters are one id.`,
    ['Give this plan a new plan_id and approve it.', `Or, if it is the same plan, run docs/plans/PLAN_${other}.json.`],
  );
}

function stillOpen({ mission_id, ends, cancelling, waits }: KnownMission): Refused {
  if (ends) {
    const reason = `Mission ${mission_id} of this plan has ended; not all of its evidence is written yet.`;
    return refuse('MISSION_OPEN', reason, [`mission status ${mission_id}`, decisionStep('resume', mission_id)]);
  }
  return refuse('MISSION_OPEN', `Mission ${mission_id} of this plan has not ended.`, [
    `mission status ${mission_id}`,
    ...(waits ? [] : [decisionStep('resume', mission_id)]),
    ...(cancelling ? [] : [decisionStep('cancel', mission_id)]),
  ]);
}

/** @param mission_id of the mission that locked the other bytes; null: only evidence says so */
export function reused(
  { plan_id, other_forms = [] }: Pick<StartFacts, 'plan_id' | 'other_forms'>,
  locked: string,
  mission_id: string | null,
): Refused {
  const folder = `docs/ops/executions/${plan_id}`;
  const where = mission_id === null ? `${folder}/EXECUTION_HEADER.json` : `mission ${mission_id}`;
  const executed = `Plan id ${plan_id} was executed with other bytes: ${where} locked ${locked}.`;
  if (other_forms.some((digest) => sameHash(digest, locked)))
    return refuse('PLAN_ID_REUSED', `${executed} ${lineEndsHint}`, lineEndsNext(plan_id));
  const newId = 'Or give the changed plan a new plan_id and approve it.';
  return refuse(
    'PLAN_ID_REUSED',
    `${executed} An approved plan is immutable.`,
    mission_id === null
      ? [`Put the bytes back that ran: ${folder}/PLAN.locked.json holds them.`, newId]
      : [reviseStep({ mission_id }), `Or put the bytes back that ran: ${keptPlanPath(mission_id)} holds them.`, newId],
  );
}

/** Steps that restore the hashed bytes. */
function lineEndsNext(planId: string): readonly string[] {
  const plan = `docs/plans/PLAN_${planId}.json`;
  return [
    `Put into .gitattributes: ${attributeLines.join(' and ')}.`,
    `Copy docs/ops/executions/${planId}/PLAN.locked.json to ${plan}. Or, where git has it, delete it and run \`git restore -- ${plan}\`.`,
  ];
}

/** A plan in docs/plans of another folder belongs to that workspace; any other has to be moved. */
function misplaced({ plan_path }: StartFacts, place: string): Refused {
  const portable = plan_path.replaceAll('\\', '/');
  const own = portable.endsWith(`/${place}`) ? plan_path.slice(0, -place.length - 1) : null;
  return own === null
    ? refuse('PLAN_MISPLACED', `A plan runs only from ${place} of its workspace.`, [
        `Move the file to ${place}. If another plan is there, compare the two, and give this one another plan_id and its name.`,
      ])
    : refuse('PLAN_MISPLACED', `A plan runs only in its own workspace: this one belongs to ${own || '/'}.`, [
        `Run it there, or with ${quotedArguments(['--workspace', own || '/'])}.`,
      ]);
}

function sameHash(left: string, right: string): boolean {
  return left.toUpperCase() === right.toUpperCase();
}
