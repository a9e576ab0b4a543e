import { outcomeWords } from '../../../base/text/words';
import { phaseTitles } from '../../../contracts/vocabulary/execution';
import { withPhase } from '../../lifecycle/phases';
import { notLanded } from '../../lifecycle/judge/judgeStrays';
import { memoryName } from '../../memory/rememberedValue';
import { blocked, inLane, names, runDirsSoFar, withLane, withRow, withSession } from '../parts/evolveParts';
import type { EventTable } from '../parts/evolveParts';
import type { AfterPlan, Attempt, Intervention, MemoryWait } from '../../model/attempt';
import { appended, changed, exchanged } from '../../model/draft';
import type { AttemptFailure } from '../../model/facts';
import { laneOf } from '../../model/lanes';
import type { SeenAtEnd } from '../../model/events';
import { liveSession } from '../../model/session';
import type { Mission } from '../../model/state';

export const attemptEvents = {
  PhaseCompleted: {
    shown: { stream: 'progress', fine: true, ofLane: true },
    fold: (mission, event, { at }) => {
      // Phases 8 to 10 close an attempt that has already ended.
      const lane = laneOf(mission, event.task_id);
      if (lane)
        return withLane(mission, lane, {
          phases: withPhase(lane.phases, event, at, lane),
          ...(event.bootstraps && { bootstraps: event.bootstraps }),
          ...(event.context && { context: event.context }),
          audit: appended(lane.audit, { at, event }),
        });
      const closed = event.closing ? changed(mission, { closing_sha256: event.closing.sha256 }) : mission;
      return withRow(closed, event.task_id, (row) => {
        const place = row.attempts.findIndex(({ attempt }) => attempt === event.attempt);
        const past = row.attempts[place];
        if (!past) return {};
        const phases = withPhase(past.phases, event, at, past);
        return { attempts: exchanged(row.attempts, place, changed(past, { phases })) };
      });
    },
    line: (event) => `Phase ${event.phase} ${phaseTitles[event.phase]} ${outcomeWords[event.outcome]}. ${event.note}`,
  },
  PlanHashChecked: {
    shown: { stream: 'progress', fine: true, ofLane: true },
    fold: inLane((attempt, event, { seq }) => ({
      plan_sha256_observed: event.observed,
      plan_hash_explanation: event.explanation,
      ...(!event.matches && { plan_waits: (attempt.plan_waits ?? 0) + 1 }),
      stage: afterPlan(attempt, event.matches, seq),
    })),
    line: (event) =>
      event.matches ? 'Plan hash matches the lock.' : `Plan hash does not match the lock. ${event.explanation ?? ''}`,
  },
  BaselineTaken: {
    shown: { stream: 'progress', fine: true, ofLane: true },
    fold: inLane((_attempt, event) => {
      const { type: _type, task_id: _task, tree_sha256, ...baseline } = event;
      return {
        ...(tree_sha256 !== undefined && { tree_before: tree_sha256 }),
        baseline,
        stage: { at: 'launch', purpose: { kind: 'worker' } },
      };
    }),
    line: (event) => `Baseline of ${event.files} files taken.`,
  },
  BaselineImpossible: {
    shown: { stream: 'error', mark: 'bad', ofLane: true },
    fold: inLane((_attempt, event) =>
      blocked({
        category: 'external_change',
        reason: `Nothing was launched: what the workspace looks like could not be recorded. ${event.reason}`,
        details: [event.code],
      }),
    ),
    line: (event) => `Baseline could not be taken (${event.code}): ${event.reason}`,
  },
  ContextRefused: {
    shown: { stream: 'error', mark: 'bad', ofLane: true },
    fold: inLane((_attempt, event) => {
      const { type: _type, task_id: _task, code, ...why } = event;
      const reason = `Nothing was launched. ${why.reason}`;
      return blocked({ ...why, category: 'project_context', reason }, code);
    }),
    line: (event) => `Context could not be assembled (${event.code}): ${event.reason}`,
  },
  ModelRefused: {
    shown: { stream: 'error' },
    fold: inLane((_attempt, event) =>
      blocked({
        category: event.category,
        reason: `Nothing was launched. ${event.reason}`,
        details: [event.step],
      }),
    ),
    line: (event) => `No model for ${event.task_id}: ${event.reason}`,
  },
  NothingLaunched: {
    shown: { stream: 'status' },
    fold: inLane((_attempt, _event, { seq }) => ({ stage: { at: 'observing', since: seq, after: 'worker' } })),
    line: (event) => `Nothing is launched for ${event.task_id}: its milestone names no agent.`,
  },
  ExternalSaveRecorded: {
    shown: { stream: 'status', fine: true },
    fold: (mission, { save }) => {
      const saves = (of: Pick<Attempt, 'external_saves'>) => ({ external_saves: appended(of.external_saves, save) });
      const next = { ...mission, lanes: mission.lanes.map((lane) => changed(lane, saves(lane))) };
      return liveSession(next) ? withSession(next, saves) : next;
    },
    line: (event) => `${event.save.path} was saved in this editor during the attempt.`,
  },
  ChangesObserved: {
    shown: { stream: 'finding', ofLane: true },
    fold: inLane(
      (_attempt, event) => ({
        ...seenAtEnd(event),
        observed: event.observed,
        stage: { at: 'launch', purpose: { kind: 'verify', index: 0 } },
      }),
      fileSystemRead,
    ),
    line: (event) => `After the ${event.after ?? 'worker'}: ${counted(event.observed.changes.length)}.`,
  },
  ObservationFailed: {
    shown: { stream: 'error', mark: 'bad', printed: true, ofLane: true },
    fold: inLane((attempt, event) => ({
      unread: event.reason,
      ...blocked({
        category: 'external_change',
        reason: `What ${changer(attempt)} changed could not be read: ${event.reason}`,
        details: [],
      }),
    })),
    line: (event) => `Observation failed: ${event.reason}`,
  },
  InterventionRequested: {
    shown: { stream: 'review', mark: 'waits' },
    fold: inLane(
      ({ claim: claimed }, { failure, run_dir }, { at }) => ({
        intervention: { requested_at: at, missing: failure.details, run_dir, path: null, claimed, decision: null },
        stage: { at: 'intervention', failure },
      }),
      runDirsSoFar,
    ),
    line: (event) =>
      `Task ${event.task_id} waits for a person to complete its result: ${event.failure.details.join('; ')}.`,
  },
  InterventionOffered: {
    shown: { stream: 'review', fine: true },
    fold: inLane((attempt, event) => withIntervention(attempt, { path: event.path })),
    line: (event) => `Its result packet can be completed in ${event.path}.`,
  },
  InterventionCompleted: {
    shown: { stream: 'review' },
    fold: inLane((attempt, event, { seq }) => ({
      ...withIntervention(attempt, { decision: event.decision }),
      claim: event.claim,
      stage: { at: 'observing', since: seq, after: 'intervention' },
    })),
    line: (event) =>
      `The result of ${event.task_id} was completed by ${event.decision.actor.name}: ${event.decision.reason}`,
  },
  MemoryProposed: {
    shown: { stream: 'finding' },
    fold: inLane((_attempt, event, { at }) => ({
      memory: { proposed_at: at, entries: event.entries, standings: null, decided: null, saved: null },
      stage: { at: 'memory' },
    })),
    line: (event) => `Task ${event.task_id} proposes to remember: ${names(event.entries.map(memoryName))}.`,
  },
  MemoryCompared: {
    shown: { stream: 'status', fine: true },
    fold: inLane((attempt, event) => withMemory(attempt, { standings: event.standings })),
    line: (event) => {
      const conflicts = event.standings.filter(({ state }) => state === 'conflict').map(({ name }) => name);
      const known = event.standings.filter(({ state }) => state === 'known').map(({ name }) => name);
      return `Compared with what is remembered${known.length === 0 ? '' : `; known already: ${names(known)}`}${conflicts.length === 0 ? '' : `; contradicts it: ${names(conflicts)}`}.`;
    },
  },
  MemoryDecided: {
    shown: { stream: 'review' },
    fold: inLane((attempt, { standings, saves, discards, decision }) =>
      withMemory(attempt, { standings, decided: { saves, discards, decision } }),
    ),
    line: ({ saves, discards, decision }) =>
      `Decided by ${decision.actor.name}, to be remembered: ${names(saves) || 'nothing'}; discarded: ${names(discards) || 'nothing'}. ${decision.reason}`,
  },
  MemorySaved: {
    shown: { stream: 'status' },
    fold: inLane((attempt, event) => withMemory(attempt, { saved: event.saved })),
    line: (event) => `Remembered: ${names(event.saved.map(({ name, version }) => `${name} version ${version}`))}.`,
  },
  VerificationEnded: {
    shown: { stream: 'progress', fine: true },
    fold: inLane((attempt, _event, { seq }) => ({
      stage: { at: 'observing', since: seq, after: 'verify', failure: failureSoFar(attempt) },
    })),
    line: (event) => `Verify commands of ${event.task_id} have ended; what they left is looked at.`,
  },
  VerifyObserved: {
    shown: { stream: 'finding', printed: true, ofLane: true },
    fold: inLane((attempt, event) => {
      const { changes, observed_sha256, head, not_observed } = event;
      return {
        ...seenAtEnd(event),
        after_verify: { changes, observed_sha256, head, not_observed },
        stage: { at: 'judging', failure: failureSoFar(attempt) },
      };
    }, fileSystemRead),
    line: (event) => {
      const blocking = event.changes.filter(({ blocks }) => blocks !== null).length;
      const seen = `After the verify commands: ${counted(event.changes.length)}`;
      return blocking === 0 ? `${seen}.` : `${seen}, ${blocking} of which block the task.`;
    },
  },
  LandingRequested: {
    shown: { stream: 'progress', fine: true, ofLane: true },
    fold: inLane((_attempt, { launch_id, merges }) => ({
      stage: { at: 'landing', launch_id, ...(merges && { merges }) },
    })),
    line: ({ task_id, merges }) =>
      merges
        ? `What other tasks put into the workspace meanwhile is merged into the work of ${task_id}.`
        : `${task_id} is verified; its work is put into the workspace.`,
  },
  WorkLanded: {
    shown: { stream: 'progress', fine: true, ofLane: true },
    fold: inLane((_attempt, { launch_id }, { seq }) => ({
      landing: { launch_id, failure: null, seq },
      stage: { at: 'judging', failure: null },
    })),
    line: (event) => `The work of ${event.task_id} is in the workspace.`,
  },
  WorkNotLanded: {
    shown: { stream: 'error', ofLane: true },
    fold: inLane((attempt, event, { seq }) => {
      if (event.merged)
        return {
          merged: [...(attempt.merged ?? []), ...event.merged],
          ...{ observed: null, verify: [], after_verify: null },
          stage: { at: 'observing', since: seq, after: 'worker' },
        };
      const failure = notLanded(event);
      return {
        landing: { launch_id: event.launch_id, failure, seq },
        stage: { at: 'judging', failure },
      };
    }),
    line: ({ task_id, merged, reason }) =>
      merged ? reason : `The work of ${task_id} is not in the workspace: ${reason}`,
  },
} satisfies Partial<EventTable>;

function seenAtEnd(event: SeenAtEnd): Partial<Attempt> {
  return {
    plan_sha256_observed: event.plan_sha256_observed,
    plan_hash_explanation: event.plan_hash_explanation ?? null,
    ...(event.tree_sha256 !== undefined && { tree: event.tree_sha256 }),
    ...(event.project_at_end && { project_at_end: event.project_at_end }),
  };
}

function fileSystemRead(_mission: Mission, { file_system }: SeenAtEnd): Partial<Mission> {
  return file_system ? { file_system } : {};
}

function failureSoFar({ stage }: Attempt): AttemptFailure | null {
  return 'failure' in stage ? stage.failure : null;
}

function withMemory({ memory }: Attempt, facts: Partial<MemoryWait>): Partial<Attempt> {
  return memory ? { memory: { ...memory, ...facts } } : {};
}

function withIntervention({ intervention }: Attempt, facts: Partial<Intervention>): Partial<Attempt> {
  return intervention ? { intervention: { ...intervention, ...facts } } : {};
}

function changer({ stage, intervention }: Attempt): string {
  if ('failure' in stage) return 'the verify commands';
  return intervention ? 'the worker, or the person who completed its result,' : 'the worker';
}

function counted(changes: number): string {
  return changes === 0 ? 'nothing was changed' : changes === 1 ? '1 change' : `${changes} changes`;
}

/** Other bytes keep the attempt where it is until the mission is resumed. @param seq of the event that says so */
function afterPlan({ stage, validates }: Attempt, matches: boolean, seq: number): Attempt['stage'] {
  const then = 'then' in stage ? stage.then : isAfterPlan(stage) ? stage : undefined;
  if (!matches) return { at: 'plan_waits', ...(then && { then }) };
  if (then) return then;
  return validates ? { at: 'observing', since: seq, after: 'worker' } : { at: 'baseline', since: seq };
}

function isAfterPlan(stage: Attempt['stage']): stage is AfterPlan {
  return stage.at === 'launch' || stage.at === 'preparing' || stage.at === 'judging';
}
