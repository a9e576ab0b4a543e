import { withoutEnd } from '../../../base/text/plainLine';
import type { MissionEvent } from '../../model/events';
import type { Input, SessionReport } from '../../model/inputs';
import { sessionOf, type Session } from '../../model/session';
import type { SessionResult } from '../../model/sessionFacts';
import { isNews } from '../../model/usage';
import type { Mission, Progress } from '../../model/state';
import { attribute, blocks } from '../../observation/attribute';
import type { Change } from '../../observation/change';
import { decidedByPerson, overBudget, personWasFaster } from './due';
import { asked, decisionOf, revisionsOf } from './asked';
import { cannotChoose, resolutionOf } from './choice';
import { refusedModel } from './model';
import { resolve } from '../resolve/packetCommands';

/** The events that a fact about an orchestrator's session causes; none when the mission does not wait for it. */
export function sessionReport(mission: Mission, input: Input, report: SessionReport): readonly MissionEvent[] {
  const session = sessionOf(mission, report.launch_id);
  if (!session) return [];
  const { launch } = session;
  switch (report.type) {
    case 'OrchestratorWasPrepared':
      return launch.prepared ? [] : [{ ...report, type: 'OrchestratorPrepared' }];
    case 'OrchestratorWasStarted':
      return launch.process ? [] : [{ ...report, type: 'OrchestratorStarted' }];
    case 'OrchestratorUsageWasSeen':
      return isNews(launch.usage_seen, report.usage, mission.plan.budget.on_exceed === 'stop')
        ? [{ ...report, type: 'OrchestratorUsageSeen' }]
        : [];
    case 'OrchestratorWasUnavailable': {
      const { packet_id, task_id } = session;
      const over = decidedByPerson(mission, session);
      const { code, reason } =
        over === null ? report : { code: 'PACKET_CLOSED' as const, reason: personWasFaster(over) };
      return [{ ...report, type: 'OrchestratorUnavailable', packet_id, task_id, code, reason }];
    }
    case 'OrchestratorMustEnd':
      return session.stop ? [] : [{ ...report, type: 'OrchestratorStopRequested' }];
    case 'OrchestratorHasAsked':
      return asked(mission, session, report, input.at);
    case 'OrchestratorHasEnded':
      return sessionEnded(mission, session, input, report);
  }
}

function sessionEnded(
  mission: Mission,
  session: Session,
  { at }: Input,
  { launch_id, end, look, without_tools = false }: Extract<SessionReport, { type: 'OrchestratorHasEnded' }>,
): readonly MissionEvent[] {
  const found = 'unread' in look ? [] : changesOf(session, end, look);
  const unread = 'unread' in look ? look.unread : null;
  const result = resultOf(mission, session, { end, changes: found, unread, without_tools });
  const event: MissionEvent = {
    type: 'OrchestratorEnded',
    ...{ launch_id, end, result },
    observed_sha256: 'unread' in look ? null : look.observed_sha256,
  };
  if (result.kind !== 'applied' || !session.choice) return [event];
  const { outcome, reason } = session.choice;
  // A revision that has become impossible is left out; the outcome still counts.
  const revised = revisionsOf(mission, session, at).events;
  const resolved = resolve(mission, resolutionOf(session, session.choice), decisionOf(mission, reason, at));
  if ('code' in resolved) throw new Error(`Broken invariant: ${outcome} was allowed and is refused.`);
  return [event, ...revised, ...resolved.events];
}

type Ended = Extract<SessionReport, { type: 'OrchestratorHasEnded' }>;

/** A session may change nothing in the workspace, so every path is out of its scope. */
function changesOf(
  { launch, external_saves, drafts }: Session,
  end: Ended['end'],
  look: Exclude<Ended['look'], { unread: string }>,
): readonly Change[] {
  const started = launch.process?.started_at ?? end.started_at;
  const reach = launch.prepared?.sandbox?.reach;
  return attribute({
    changes: look.changes,
    paths: [],
    forbidden_paths: [],
    worker_started_at: started,
    worker_ended_at: end.ended_at,
    // The runner wrote its drafts.
    external_saves: [...external_saves, ...drafts.map(({ path, sha256 }) => ({ path, sha256, at: started }))],
    // Any change means that it judged another workspace; saves and drafts of its own are left out.
    ...(reach && { reaches: [reach], reliedOn: () => 'is part of what it judged' }),
    comparison: look.comparison,
  });
}

interface SessionFacts {
  readonly end: Ended['end'];
  readonly changes: readonly Change[];
  readonly unread: string | null;
  readonly without_tools: boolean;
}

/** Says whether its decision counts; the guards are asked again. */
function resultOf(mission: Progress, session: Session, facts: SessionFacts): SessionResult {
  const { end, changes, unread } = facts;
  const without = (code: string, reason: string): SessionResult => ({
    kind: session.choice ? 'discarded' : 'undecided',
    ...{ code, reason, changes },
  });
  const its = changes.filter(({ violation }) => violation !== null);
  if (its.length > 0)
    return without(
      'NON_COMPLIANT',
      `The workspace changed while it ran, and nothing shows who changed it: ${named(its)}.`,
    );
  if (session.stop?.code === 'NON_COMPLIANT') return without('NON_COMPLIANT', session.stop.reason);
  if (!end.tree_gone) return without('ORCHESTRATOR_UNAVAILABLE', survivorWords(end.survivors));
  const over = decidedByPerson(mission, session);
  if (over !== null) return without('PACKET_CLOSED', personWasFaster(over));
  if (!session.choice) return without(...whyUndecided(mission, session, facts));
  if (unread !== null)
    return without('ORCHESTRATOR_UNAVAILABLE', `It is unknown whether it changed anything: ${withoutEnd(unread)}.`);
  const model = refusedModel(mission, session, end);
  if (model !== null) return without('MODEL_REFUSED', model);
  const others = changes.filter(blocks);
  if (others.length > 0)
    return without('CONTEXT_CHANGED', `Another program changed the workspace meanwhile: ${named(others)}.`);
  const refused = cannotChoose(mission, session, session.choice);
  if (refused) return without(refused.code, refused.reason);
  return { kind: 'applied', outcome: session.choice.outcome, changes };
}

function whyUndecided(
  mission: Progress,
  { stop, requests }: Session,
  { end, without_tools }: SessionFacts,
): [string, string] {
  const last = requests.findLast(({ accepted }) => !accepted);
  const refused = last ? ` Its last request was refused (${last.code}): ${last.reason}` : '';
  if (stop) return [stop.code, `${stop.reason}${refused}`];
  const budget = overBudget(mission);
  if (budget !== null) return ['ORCHESTRATOR_LIMIT', budget];
  const lacking = without_tools ? ' Its CLI did not start the mission tools, so it could not decide.' : '';
  if (end.reason === 'deadline') return ['TASK_TIMEOUT', `It did not decide in time.${refused}${lacking}`];
  const how = end.final_reason ?? end.error ?? (end.exit_code === 0 ? null : `exit code ${end.exit_code ?? 'unknown'}`);
  return [
    'ORCHESTRATOR_UNAVAILABLE',
    `It ended without a decision${how === null || how === '' ? '.' : `: ${withoutEnd(how)}.`}${refused}${lacking}`,
  ];
}

function survivorWords(survivors: readonly number[]): string {
  const who = survivors.length > 0 ? `: ${survivors.map((pid) => `process ${pid}`).join(', ')}` : '';
  return `Its processes are not proven gone${who}. Nothing waits for them; end them by hand.`;
}

function named(changes: readonly Change[]): string {
  const shown = changes.slice(0, 5).map(({ path }) => path);
  return `${shown.join(', ')}${changes.length > shown.length ? ` and ${changes.length - shown.length} more` : ''}`;
}
