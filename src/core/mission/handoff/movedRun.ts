import { withoutEnd } from '../../../base/text/plainLine';
import { decisionStep } from '../../../base/text/steps';
import type { Mission } from '../../model/state';
import { refuse, type Refused } from '../parts/commandDecision';
import { utcText } from '../../../base/text/amounts';

/** A mission that a person gave away with its run: it never goes on here. */
export type GivenAway = NonNullable<Mission['moved']> & { readonly mission_id: string; readonly plan_id: string };

type Given = Pick<Mission, 'mission_id' | 'run_id' | 'plan' | 'moved'>;

/** Null: the mission was not given away. */
export function givenAway({ mission_id, plan, moved }: Given): GivenAway | null {
  return moved && { mission_id, plan_id: plan.plan_id, ...moved };
}

/** Names who gave a mission away, when, with what and why. Journal and handoff have the whole digest. */
export function givenAwayWords({ mission_id, plan_id, n, sha256, decision }: GivenAway): string {
  const { actor, reason, at } = decision;
  const handoff = `handoff ${n} (bundle ${sha256.slice(0, 8)})`;
  return `${actor.name} gave mission ${mission_id} of plan ${plan_id} away at ${utcText(at)} with ${handoff}: ${withoutEnd(reason)}.`;
}

/** The missions whose run is elsewhere, the one given away last first; a run that came back has another mission. */
export function runsElsewhere(missions: readonly Given[]): readonly GivenAway[] {
  return missions
    .filter((mission) => cameBackAs(mission, missions) === null)
    .flatMap((mission) => givenAway(mission) ?? [])
    .sort((left, right) => (left.decision.at < right.decision.at ? 1 : -1));
}

/** The mission as which the run is here again; null: it is elsewhere. See `notTakenSince` for handoffs before. */
export function cameBackAs({ run_id }: Pick<Given, 'run_id'>, missions: readonly Given[]): string | null {
  return missions.find((mission) => mission.run_id === run_id && !mission.moved)?.mission_id ?? null;
}

/** The give-away that a handoff does not follow; null: none. @param bundles digests that its run went on from */
export function notTakenSince(bundles: readonly string[], given: readonly GivenAway[]): GivenAway | null {
  const taken = new Set(bundles.map((sha256) => sha256.toUpperCase()));
  return given.find(({ sha256 }) => !taken.has(sha256.toUpperCase())) ?? null;
}

/** Names who gave the run away, when and with what, and what a person can do. No step runs it here beside the taker. */
export function givenAwayRefusal(away: GivenAway): Refused {
  const reason = `${givenAwayWords(away)} It does not go on here, because it would run in two places.`;
  return refuse('MISSION_CLOSED', reason, [
    'Go on with it in the place that took the handoff.',
    `If no place took it, copy ${away.path} to another clone, and resume that copy there.`,
    ...otherSteps(away.plan_id),
  ]);
}

/** The same where the run is here again, as the mission `back`. `next`: what goes on there. */
export function cameBackRefusal({ mission_id }: Pick<Given, 'mission_id'>, back: string, ...next: string[]): Refused {
  const reason = `The run of mission ${mission_id} was given away. The run came back as mission ${back}.`;
  return refuse('MISSION_CLOSED', reason, [`mission status ${back}`, ...next]);
}

/** The same where only the evidence says so, in another clone: no handoff of it is refused here. */
export function movedEvidenceRefusal(planId: string, header: string): Refused {
  const given = `${header} says that the run of plan ${planId} was given away.`;
  return refuse('MISSION_CLOSED', `${given} It does not go on here, because it would run in two places.`, [
    'Go on with it in the place that took the handoff.',
    'If no place took it, copy the folder of its handoff, and resume that copy here.',
    ...otherSteps(planId),
  ]);
}

function otherSteps(planId: string): readonly string[] {
  return [
    `Or give back the mission that goes on there, by this plan or a revision, and resume that handoff here. The command there: ${decisionStep('handoff export', planId, '--move')}`,
    'If it is lost, give its plan a new plan_id and approve it. That is another run, which does all tasks again.',
  ];
}
