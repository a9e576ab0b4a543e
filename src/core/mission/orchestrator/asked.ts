import type { HumanDecision } from '../../../contracts/record/header';
import type { EventOf, MissionEvent } from '../../model/events';
import type { SessionReport } from '../../model/inputs';
import type { Session } from '../../model/session';
import type { AskedRevision, SessionAsk } from '../../model/sessionFacts';
import type { Mission, Progress, ReceivedPlan } from '../../model/state';
import { refuse, type CommandDecision, type Refused } from '../parts/commandDecision';
import { withRow } from '../parts/evolveParts';
import { decidedByPerson, personWasFaster } from './due';
import { cannotChoose } from './choice';
import { revise } from '../revision/revise';
import { withRevision } from '../revision/revisable';

/** A session that makes so many requests that would change something is ended by the last of them. */
const requestLimit = 40;

/** Records a request that would change something, with its answer. It is carried out after the session has ended. */
export function asked(
  mission: Mission,
  session: Session,
  { launch_id, request_id, ask }: Extract<SessionReport, { type: 'OrchestratorHasAsked' }>,
  at: string,
): readonly MissionEvent[] {
  if (session.requests.some((request) => request.request_id === request_id)) return [];
  // A journal does not grow with what a flood asks.
  if (session.stop?.code === 'ORCHESTRATOR_LIMIT') return [];
  const refused = askRefusal(mission, session, ask, at);
  const event: MissionEvent = {
    type: 'OrchestratorAsked',
    ...{ launch_id, request_id, tool: ask.tool === 'invalid' ? (ask.asked ?? ask.tool) : ask.tool },
    ...(refused ? { accepted: false, ...refused } : { accepted: true, code: 'OK', reason: note(ask), next: [] }),
    ...(refused ? {} : whatCounts(ask)),
  };
  if (session.requests.length + 1 < requestLimit) return [event];
  const reason = `It made ${requestLimit} requests that would change something.`;
  return [event, { type: 'OrchestratorStopRequested', launch_id, code: 'ORCHESTRATOR_LIMIT', reason }];
}

/**
 * The revisions of a session that are still possible, in their order, and the mission as they leave it. Each is judged
 * after those before it, because revisions that are possible alone may be impossible together.
 */
export function revisionsOf(
  mission: Mission,
  session: Session,
  at: string,
): { readonly events: readonly MissionEvent[]; readonly revised: Mission } {
  const events: MissionEvent[] = [];
  let revised = mission;
  for (const revision of session.revisions) {
    const decided = revisionOf(revised, session, revision, at);
    if ('code' in decided) continue;
    events.push(...decided.events);
    revised = decided.events.reduce(withEvent, revised);
  }
  return { events, revised };
}

/** Returns what a revision comes to, judged as a person's, and more strictly where a person revised before. */
function revisionOf(
  mission: Progress,
  session: Session,
  { task_id, changes, reason }: AskedRevision,
  at: string,
): CommandDecision {
  const over = decidedByPerson(mission, session);
  if (over !== null) return refuse('PACKET_CLOSED', personWasFaster(over), [endNow]);
  if (reason.trim() === '') return refuse('REASON_REQUIRED', 'A revision needs a reason.', ['Say why.']);
  const body = { type: 'ReviseMetadata', task_id, packet_id: null, changes } as const;
  return revise(mission, body, decisionOf(mission, reason, at));
}

export function decisionOf({ orchestrator }: ReceivedPlan, reason: string, at: string): HumanDecision {
  return { actor: { kind: 'orchestrator', name: orchestrator?.worker ?? '' }, reason, at };
}

/** Says why a session may propose no plan now; null: it may. Asked before its DRAFT is written. */
export function cannotPropose(mission: Progress, session: Session, reason: string): Refused | null {
  const over = decidedByPerson(mission, session);
  if (over !== null) return refuse('PACKET_CLOSED', personWasFaster(over), [endNow]);
  if (session.choice)
    return refuse('PACKET_CLOSED', `This session has decided already: ${session.choice.outcome}.`, [endNow]);
  // Nothing beyond the limit is recorded, and an unrecorded DRAFT counts as a change that the session made.
  if (session.stop?.code === 'ORCHESTRATOR_LIMIT') return refuse('ORCHESTRATOR_LIMIT', session.stop.reason, [endNow]);
  if (reason.trim() === '') return refuse('REASON_REQUIRED', 'A proposal needs a reason.', ['Say why.']);
  if (session.drafts.length < draftLimit) return null;
  return refuse('ORCHESTRATOR_LIMIT', `This session has proposed ${draftLimit} plans already.`, ['Choose an outcome.']);
}

/** The most plans that a session proposes. */
const draftLimit = 3;

const endNow = 'End this session.';

function askRefusal(mission: Mission, session: Session, ask: SessionAsk, at: string): Refused | null {
  if (ask.tool === 'invalid')
    return refuse(ask.code, ask.reason, ask.next ?? ['Use the tools of the mission server, and nothing else.']);
  if (session.choice)
    return refuse('PACKET_CLOSED', `This session has decided already: ${session.choice.outcome}.`, [endNow]);
  if (ask.tool === 'choose_outcome') return cannotChoose(mission, session, ask);
  if (ask.tool === 'propose_plan_revision') return null;
  const revised = revisionOf(revisionsOf(mission, session, at).revised, session, ask, at);
  // The orchestrator cannot follow the steps of a person.
  return 'code' in revised ? refuse(revised.code, revised.reason, ['Revise it otherwise, or not at all.']) : null;
}

function withEvent(mission: Mission, event: MissionEvent): Mission {
  if (event.type !== 'MetadataRevised') return mission;
  const { type: _type, task_id, ...revision } = event;
  return withRow(mission, task_id, (row) => withRevision(row, revision));
}

function note(ask: SessionAsk): string {
  const { tool } = ask;
  if (tool === 'propose_plan_revision')
    return `Written as ${ask.path}, a DRAFT that a person approves or not. Nothing goes on by it: choose an outcome as well.`;
  return tool === 'revise_metadata'
    ? 'Recorded. It counts with your outcome, once this session has ended and the workspace is as before.'
    : 'Recorded. It counts once this session has ended and the workspace is as before. There is nothing more to do: end now.';
}

function whatCounts(ask: SessionAsk): Pick<EventOf<'OrchestratorAsked'>, 'choice' | 'revision' | 'draft'> {
  switch (ask.tool) {
    case 'choose_outcome': {
      const { tool: _tool, ...choice } = ask;
      return { choice };
    }
    case 'revise_metadata': {
      const { tool: _tool, ...revision } = ask;
      return { revision };
    }
    case 'propose_plan_revision': {
      const { plan_id, path, sha256 } = ask;
      return { draft: { plan_id, path, sha256 } };
    }
    case 'invalid':
      return {};
  }
}
