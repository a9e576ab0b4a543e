import assert from 'node:assert/strict';
import { stepLines } from '../../src/base/text/steps';
import { recoveryPacketSchema } from '../../src/contracts/recoveryPacket';
import type { EndedAttempt } from '../../src/core/model/attempt';
import { needsOf, declaredIntent } from '../../src/core/context/tier0';
import type { PlannedTask } from '../../src/core/plan/approvedPlan';
import { openChanges, type Mission } from '../../src/core/model/state';
import { overlaps } from '../../src/core/paths/compare';
import { packetFacts } from '../../src/core/mission/documents';
import { taskEvidence } from '../../src/core/mission/evidence/taskEvidence';
import { launchChange } from '../../src/core/mission/parts/launchChange';
import { recoveryPacket } from '../../src/core/packets/packet';
import { missionView } from '../../src/core/view/mission/missionView';
import { packetFindings } from '../../src/core/packets/rules';
import { missionStatus } from '../../src/core/mission/status';
import { nameOfChange } from '../../src/core/observation/outstanding';
import { isLegalEdge } from '../../src/core/execution/envelope';
import { verificationLine } from '../../src/core/view/mission/attemptView';
import { checkAfterLimit } from './afterLimit';
import { assertAudited } from './audit';
import { evidenceErrors } from './evidence';
import { landedWrongly, shareLayers } from './landing';
import { checkMilestones, milestonesAreGates } from './milestones';
import type { Played } from './play';
import type { Scenario } from './scenario';
import { statesBefore } from './statesBefore';
import { revisionText } from '../../src/core/view/plan/approvalView';

/** Checks whether the mission came out as its scenario says, and what holds in every journal. */
export function check(scenario: Scenario, { mission, entries }: Played, when = 'undisturbed'): void {
  const { then } = scenario;
  const types = entries.map((entry) => entry.event.type);
  assert.deepEqual(evidenceErrors({ mission, entries }), [], `evidence ${when}`);
  assertAudited(entries);
  assert.equal(missionStatus(mission), then.status, when);
  assert.equal(mission.execution, then.execution, when);
  assert.deepEqual(Object.fromEntries(mission.rows.map((row) => [row.task.task_id, row.status])), then.rows, when);
  if (then.codes)
    assert.deepEqual(
      pick(
        mission.rows.map((row) => [row.task.task_id, row.code]),
        then.codes,
      ),
      then.codes,
      when,
    );
  if (then.row_reasons)
    assert.deepEqual(
      pick(
        mission.rows.map((row) => [row.task.task_id, row.reason]),
        then.row_reasons,
      ),
      then.row_reasons,
      when,
    );
  for (const [task, line] of Object.entries(then.verification ?? {})) {
    const last = mission.rows.find((row) => row.task.task_id === task)?.attempts.at(-1);
    assert.equal(last && verificationLine(last), line, when);
  }
  for (const [task, category] of Object.entries(then.categories ?? {})) {
    const failure = mission.rows.find((row) => row.task.task_id === task)?.attempts.at(-1)?.failure;
    assert.equal(failure?.kind === 'recoverable' ? failure.category : null, category, when);
  }
  if (then.attempts)
    assert.deepEqual(
      pick(
        mission.rows.map((row) => [row.task.task_id, row.attempts.length]),
        then.attempts,
      ),
      then.attempts,
      when,
    );
  if (then.evidence)
    assert.deepEqual(
      Object.fromEntries(
        mission.rows.flatMap((row) => (row.evidence ? [[row.task.task_id, row.evidence.status]] : [])),
      ),
      then.evidence,
      when,
    );
  for (const [task, wanted] of Object.entries(then.models ?? {})) {
    const attempts = mission.rows.find((row) => row.task.task_id === task)?.attempts ?? [];
    const found = attempts.map(({ phases }) => {
      const third = phases.find(({ phase }) => phase === 3);
      if (!third?.selected) return third?.outcome ?? 'never';
      const { logical_id, resolved_id, tier, capability_profile, role } = third.selected;
      return [logical_id, resolved_id ?? 'its own', tier, capability_profile, role].join(' ');
    });
    assert.deepEqual(found, wanted, when);
  }
  for (const [task, wanted] of Object.entries(then.reported ?? {})) {
    const row = mission.rows.find((candidate) => candidate.task.task_id === task);
    const facts = row && taskEvidence(mission, row, []).attempts;
    assert.deepEqual(
      facts?.map(({ model_selection }) => model_selection?.reported?.judged ?? null),
      wanted,
      when,
    );
  }
  const { attention, blocks } = missionView(mission, entries, new Map(), true);
  if (then.pause) assert.deepEqual({ code: attention?.code, next: stepLines(attention?.next ?? []) }, then.pause, when);
  if (then.pause_reason !== undefined) assert.ok(attention?.reason.includes(then.pause_reason), attention?.reason);
  if (then.ending_code !== undefined) assert.equal(mission.ending?.code, then.ending_code, when);
  if (then.packets)
    assert.deepEqual(
      mission.packets.map((packet) => ({ task_id: packet.task_id, state: packet.state.kind })),
      then.packets,
      when,
    );
  assert.deepEqual(packetProblems(mission), [], when);
  for (const [task, ends] of Object.entries(then.limit_ends ?? {})) {
    const packet = mission.packets.findLast(({ task_id }) => task_id === task);
    const shown = blocks.find(({ task_id }) => task_id === task);
    const { limitEnds } = recoveryPacket(packetFacts(mission, packet ?? assert.fail(), 'm', [])).block;
    assert.deepEqual([limitEnds, shown?.limit_ends], [ends, ends], when);
  }
  checkAfterLimit(then, mission, when);
  if (then.criteria)
    assert.deepEqual(
      Object.fromEntries((mission.criteria ?? []).map((item) => [item.criterion, item.result])),
      then.criteria,
      when,
    );
  for (const [task, wanted] of Object.entries(then.questions ?? {})) {
    const question = mission.packets.findLast(({ task_id }) => task_id === task)?.question;
    const choices = question?.choices.map(({ id }) => ` [${id}]`).join('') ?? '';
    const asked = question && `${question.asked_by.kind} ${question.asked_by.name}: ${question.text}${choices}`;
    assert.equal(asked ?? 'nothing', wanted, when);
  }
  for (const [task, wanted] of Object.entries(then.answers ?? {})) {
    const last = mission.rows.find((row) => row.task.task_id === task)?.attempts.at(-1);
    const given = last?.answers.map(
      ({ question, choice, text, decision }) =>
        `${question} ${choice === null ? '' : `[${choice}] `}${text} (${decision.actor.name}: ${decision.reason})`,
    );
    assert.deepEqual(given, wanted, when);
  }
  for (const [task, wanted] of Object.entries(then.revised ?? {}))
    assert.deepEqual(mission.rows.find((row) => row.task.task_id === task)?.revisions.map(revisionText), wanted, when);
  for (const [task, wanted] of Object.entries(then.telemetry ?? {})) {
    const attempts = mission.rows.find((row) => row.task.task_id === task)?.attempts ?? [];
    assert.deepEqual(
      attempts.map(({ phases, telemetry_mode }) => [telemetry_mode, phases[0]?.note.split('; telemetry ')[1]]),
      wanted.map((rule) => [rule.split(' ')[0], rule]),
      when,
    );
  }
  for (const [task, wanted] of Object.entries(then.invocations ?? {})) {
    const found = entries.flatMap(({ event }) => {
      if (event.type !== 'InvocationRecorded' || event.task_id !== task) return [];
      const { result, failure_reason, escalation_attempted } = event.record;
      return [
        `${result}${escalation_attempted ? ' escalated' : ''}${failure_reason === null ? '' : `: ${failure_reason}`}`,
      ];
    });
    assert.deepEqual(found, wanted, when);
  }
  for (const [task, status] of Object.entries(then.late_results ?? {})) {
    const last = mission.rows.find((row) => row.task.task_id === task)?.attempts.at(-1);
    const claim = last?.late_result?.claim;
    assert.equal(claim?.kind === 'valid' ? claim.result.status : claim?.kind, status, when);
    assert.equal(last?.claim.kind, 'missing', `${when}: a quarantined result is not the claim that is judged`);
  }
  for (const [task, counts] of Object.entries(then.launches ?? {})) {
    const attempts = mission.rows.find((row) => row.task.task_id === task)?.attempts;
    assert.deepEqual(
      attempts?.map(({ launches }) => launches.length),
      counts,
      when,
    );
  }
  for (const [task, wanted] of Object.entries(then.recoveries ?? {})) {
    const attempts = mission.rows.find((row) => row.task.task_id === task)?.attempts ?? [];
    const found = attempts
      .flatMap(({ recoveries }) => recoveries)
      .map(({ issue, action, status, retry_count }) => `${issue} ${action ?? 'none'} ${status} ${retry_count}`);
    assert.deepEqual(found, wanted, when);
  }
  for (const [task, wanted] of Object.entries(then.arguments ?? {})) {
    const attempts = mission.rows.find((row) => row.task.task_id === task)?.attempts ?? [];
    const found = attempts
      .flatMap(({ launches }) => launches)
      .filter(({ purpose }) => purpose.kind === 'worker')
      .map(({ prepared }) => prepared?.argv.slice(1).join(' ') ?? 'not prepared');
    assert.deepEqual(found, wanted, when);
  }
  for (const [task, attributions] of Object.entries(then.attributions ?? {})) {
    const observed = mission.rows.find((row) => row.task.task_id === task)?.attempts.at(-1)?.observed;
    assert.deepEqual(
      observed?.changes.map(({ attribution }) => attribution),
      attributions,
      when,
    );
  }
  for (const [task, wanted] of Object.entries(then.memory ?? {})) {
    const row = mission.rows.find((candidate) => candidate.task.task_id === task);
    const entries = row && taskEvidence(mission, row, []).attempts.at(-1)?.memory?.entries;
    assert.deepEqual(
      entries?.map(({ name, outcome, version }) => `${name} ${outcome}${version === null ? '' : ` ${version}`}`),
      wanted,
      when,
    );
  }
  for (const [task, wanted] of Object.entries(then.phase_9 ?? {})) {
    const last = mission.rows.find((row) => row.task.task_id === task)?.attempts.at(-1);
    const ninth = last?.phases.find(({ phase }) => phase === 9);
    assert.equal(`${ninth?.outcome} ${ninth?.note}`, wanted, when);
  }
  for (const [task, names] of Object.entries(then.outstanding ?? {})) {
    const list = mission.rows.find((row) => row.task.task_id === task)?.outstanding ?? [];
    assert.deepEqual(
      list.map((entry) => `${nameOfChange(entry)} ${entry.settled?.how ?? 'open'}`),
      names,
      when,
    );
  }
  if (then.ending_reason !== undefined)
    assert.ok(mission.ending?.reason.includes(then.ending_reason), `${when}: ${mission.ending?.reason ?? 'no end'}`);
  for (const [task, texts] of Object.entries(then.details ?? {})) {
    const failure = mission.rows.find((row) => row.task.task_id === task)?.attempts.at(-1)?.failure;
    const ways = blocks.find(({ task_id }) => task_id === task)?.ways ?? [];
    for (const text of texts)
      assert.ok(
        failure &&
          [failure.reason, ...failure.details, ...ways.map(({ does }) => does)].some((line) => line.includes(text)),
        `${when}: ${text}`,
      );
  }
  for (const [task, reason] of Object.entries(then.reasons ?? {}))
    assert.equal(mission.rows.find((row) => row.task.task_id === task)?.attempts.at(-1)?.failure?.reason, reason, when);
  // Who is slow is up to the world, and an owner that dies forgets whom it had asked.
  if (then.order && when === 'undisturbed')
    assert.deepEqual(
      entries.flatMap(({ event }) =>
        event.type === 'AttemptStarted'
          ? [`${event.task_id} started`]
          : event.type === 'AttemptEnded'
            ? [`${event.task_id} ${event.outcome}`]
            : [],
      ),
      then.order,
      when,
    );
  if (then.sessions)
    assert.deepEqual(
      mission.sessions.map(({ task_id, result }) =>
        result?.kind === 'applied'
          ? `${task_id} applied ${result.outcome}`
          : `${task_id} ${result?.kind ?? 'live'} ${result?.code ?? ''}: ${result?.reason ?? ''}`,
      ),
      then.sessions,
      when,
    );
  checkMilestones(then, mission, when);
  let from = 0;
  for (const type of then.events ?? []) {
    const at = types.indexOf(type as (typeof types)[number], from);
    assert.notEqual(at, -1, `${when}: no ${type} after event ${from}`);
    from = at + 1;
  }
  for (const type of then.no_events ?? [])
    assert.equal(types.includes(type as (typeof types)[number]), false, `${when}: ${type} must not happen`);
  invariants({ mission, entries }, when);
}

/** What holds in every journal, whatever the scenario. The numbers are those of docs/internals/invariants.md. */
function invariants({ mission, entries }: Played, when: string): void {
  const states = entries.flatMap(({ event }): string[] =>
    event.type === 'PlanLocked' ? ['LOCKED'] : event.type === 'LaunchRequested' ? ['launch'] : [],
  );
  if (states.includes('launch')) assert.equal(states[0], 'LOCKED', `${when}: invariant 1, a launch before LOCKED`);
  mission.execution_history.forEach((entry, index) => {
    const previous = mission.execution_history[index - 1];
    if (previous) assert.ok(isLegalEdge(previous.state, entry.state), `${when}: ${previous.state} -> ${entry.state}`);
  });
  for (const row of mission.rows) {
    if (mission.ending?.outcome === 'COMPLETED')
      assert.deepEqual(openChanges(row), [], `${when}: completed although something of it still blocks`);
    for (const attempt of row.attempts) {
      const ran = attempt.launches.some(({ purpose, process }) => purpose.kind === 'verify' && process);
      assert.ok(!ran || attempt.after_verify || attempt.unread !== null, `${when}: nobody looked after verify`);
      relaunchesAreRecorded(attempt, when);
      contextIsFrozen(attempt, row.task, when);
      assert.deepEqual(
        attempt.phases.slice(-3).map((phase) => phase.phase),
        [8, 9, 10],
        `${when}: termination always runs`,
      );
      const numbers = attempt.phases.map(({ phase }) => place(phase));
      const back = attempt.phases.findIndex(({ phase }) => phase === 7);
      if (back !== -1) numbers.splice(back - 1, 2);
      assert.deepEqual(
        numbers.toSorted((left, right) => left - right),
        numbers,
        `${when}: no backward phase but once from 7 to 6`,
      );
    }
    const done = entries.findIndex(
      ({ event }) => event.type === 'RowTransitioned' && event.task_id === row.task.task_id && event.to === 'done',
    );
    const later = entries
      .slice(done + 1)
      .some(({ event }) => event.type === 'AttemptStarted' && event.task_id === row.task.task_id);
    assert.ok(
      done === -1 || !later || row.task.validator !== undefined,
      `${when}: invariant 3, a completed task ran again`,
    );
    if (row.status !== 'in_progress')
      assert.notEqual(
        row.lock === 'held' &&
          row.attempts.every((attempt) => attempt.launches.every((launch) => launch.end?.tree_gone !== false)),
        true,
        `${when}: a lock outlives its attempt`,
      );
  }
  if (mission.rows.some((row) => row.unproven))
    assert.equal(mission.execution, 'EXECUTING', `${when}: invariant 9, ended with processes that are not proven gone`);
  milestonesAreGates(entries, when);
  assert.deepEqual(landedWrongly(entries, mission), [], when);
  locksAreDisjoint(entries, mission, when);
  if (mission.execution === 'REPORTED')
    assert.ok(
      mission.rows.every((row) => row.evidence),
      `${when}: invariant 6, a terminal mission without evidence`,
    );
}

/** Phase 2a comes between 2 and 3. */
function place(phase: EndedAttempt['phases'][number]['phase']): number {
  return phase === '2a' ? 2.5 : phase;
}

/** Invariant 17: no worker without its frozen context, which holds of the project what the declared intent asks for. */
function contextIsFrozen(attempt: EndedAttempt, task: PlannedTask, when: string): void {
  const asked = needsOf({ declared: declaredIntent(task) });
  assert.equal(attempt.bootstraps === true, asked.bootstrap && !attempt.validates, `${when}: phase 2a`);
  const launched = attempt.launches.some(({ purpose }) => purpose.kind === 'worker');
  if (!launched || task.worker === 'command') return;
  assert.ok(attempt.context, `${when}: invariant 17, a worker without a frozen context`);
  assert.equal(attempt.context.project_sha256 !== null, asked.project, `${when}: invariant 17, ai.project.json`);
}

/**
 * Invariants 2 and 7: a further worker of an attempt starts only after the tree of the one before was proven gone, by a
 * recorded decision that names what it changes; and at most three times for one issue.
 */
function relaunchesAreRecorded(attempt: EndedAttempt, when: string): void {
  const workers = attempt.launches.filter(({ purpose }) => purpose.kind === 'worker');
  const [first] = workers;
  if (first?.prepared)
    assert.equal(
      (launchChange(attempt, first)?.arguments?.added.length ?? 0) > 0,
      first.prepared.argv.length > 1,
      `${when}: invariant 7, what the first launch was given is not told`,
    );
  workers.slice(1).forEach((launch, index) => {
    const before = workers[index];
    assert.ok(before?.end?.tree_gone, `${when}: invariant 2, two workers in one attempt`);
    assert.notEqual(launch.run_dir, before.run_dir, `${when}: each launch has a run directory of its own`);
    const id = launch.adjustment?.recovery_id;
    const recovery = attempt.recoveries.find(({ recovery_id }) => recovery_id === id);
    assert.equal(recovery?.relaunch?.launch_id, launch.launch_id, `${when}: invariant 7, nobody decided on a relaunch`);
    assert.equal(recovery.denied_launch_id, before.launch_id, `${when}: invariant 7, it answers another launch`);
    assert.ok(recovery.retry_count <= 3, `${when}: more than three relaunches`);
    assert.notEqual(recovery.status, 'pending', `${when}: how the relaunch went is not recorded`);
    assert.ok(!launch.prepared || launchChange(attempt, launch)?.arguments, `${when}: invariant 7, no change is told`);
    if (launch.prepared && launch.adjustment?.fix_permissions === null)
      assert.notDeepEqual(launch.prepared.argv, before.prepared?.argv, `${when}: a relaunch that changes nothing`);
  });
}

function pick<T>(
  pairs: readonly (readonly [string, T])[],
  wanted: Readonly<Record<string, unknown>>,
): Record<string, T> {
  return Object.fromEntries(pairs.filter(([key]) => key in wanted));
}

/** Invariant 2 for lanes: no attempt begins while a lock that overlaps its own is held, or processes are not proven gone. */
function locksAreDisjoint(entries: Played['entries'], mission: Mission, when: string): void {
  const held = new Map<string, readonly string[]>();
  const before = statesBefore(entries);
  let live = 0;
  entries.forEach(({ event }, index) => {
    if (event.type === 'LockTaken') {
      for (const [task, paths] of held)
        for (const left of shareLayers(before(index), task, event.task_id) ? [] : paths)
          for (const right of event.resources)
            assert.equal(overlaps(left, right), false, `${when}: ${event.task_id} starts beside ${task}`);
      assert.ok(
        !before(index)?.rows.some((row) => row.unproven),
        `${when}: an attempt begins beside processes not proven gone`,
      );
      held.set(event.task_id, event.resources);
    } else if (event.type === 'LockReleased') held.delete(event.task_id);
    else if (event.type === 'AttemptStarted') live += 1;
    else if (event.type === 'AttemptEnded') live -= 1;
    assert.ok(live <= mission.plan.max_parallel, `${when}: more lanes than the plan allows`);
  });
}

/** What `mission check recovery-packet` would say of the packets of a mission, and where a code differs from status. */
function packetProblems(mission: Mission): readonly string[] {
  const folder = `.mission-control/missions/${mission.mission_id}`;
  return mission.packets.flatMap((packet) => {
    const document = recoveryPacket(packetFacts(mission, packet, folder, []));
    const shape = recoveryPacketSchema.safeParse(document);
    const rules = packetFindings({ ...document }, folder);
    const latest = mission.packets.findLast(({ task_id }) => task_id === packet.task_id) === packet;
    const row = mission.rows.find(({ task }) => task.task_id === packet.task_id);
    const shown = latest && row?.status === 'blocked' ? row.code : null;
    const { code } = document.block;
    return [
      ...(shown === null || shown === code ? [] : [`${packet.packet_id}: ${String(code)}, status says ${shown}`]),
      ...(shape.success ? [] : [shape.error.message]),
      ...rules.map(({ pointer, message }) => `${packet.packet_id}: ${pointer}: ${message}`),
    ];
  });
}
