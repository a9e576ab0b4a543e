import { workPlaces } from '../../contracts/vocabulary/confinement';
import type { MissionHandoff } from '../../contracts/handoff';
import { evidenceProblem, importOf, ledgerAgainstPlan, revisionsProblem } from '../../core/handoff/import';
import { isOpen } from '../../core/ledger/transitions';
import type { MissionApproval } from '../plans/approvals';
import type { EngineOptions, EnginePorts, StartPorts } from '../ports/engine';
import { HandoffChecks, type HandoffCheck } from './checks';
import { keptHandoffFolder } from '../effects/write/handoffFolder';
import { decisionStep } from '../../base/text/steps';
import {
  exportAgain,
  handoffRefused,
  readHandoff,
  type HandoffRefusal,
  type ReadHandoff,
  type Judged,
  type ResumeRequest,
} from './reading';
import type { MissionEngine } from '../mission/engine';
import { judgeOutputs } from './outputs';
import { planOf } from './plan';
import { refusalOfHandedInstructions } from '../plans/instructions';
import { olderThanStop } from '../mission/missedStop';
import { admit, appendRecord, missionIdOf } from '../mission/start';
import { approveStep, equipmentFor } from '../mission/startRequirements';
import { receivePlan } from '../mission/receivePlan';
import { refusalsStream, type WorkspaceEvent } from '../ports/workspaceEvents';
import type { LedgerRow } from '../../contracts/freshContext';
import { priorities } from '../../contracts/vocabulary/intents';
import { validateAssignment } from '../../core/freshContext/assignment';
import { taskAssignment } from '../../core/handoff/taskAssignment';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import { movedCode } from '../../contracts/vocabulary/handoff';
import { commandLine } from '../../base/text/oneLine';
import { givenAwayRefusal, notTakenSince, runsElsewhere } from '../../core/mission/handoff/movedRun';
import { MissionReader } from '../views/reader';

export type Resumed =
  | {
      readonly kind: 'started';
      readonly engine: MissionEngine;
      readonly checks: readonly HandoffCheck[];
      readonly notes: readonly string[];
      readonly approval: MissionApproval;
    }
  | {
      readonly kind: 'refused';
      readonly refusal: HandoffRefusal;
      readonly checks: readonly HandoffCheck[];
      readonly plan_id: string | null;
    };

/** By the session reset protocol and start checklist of seed 003, before the first event. Journals refusals. */
export async function resumeHandoff(
  request: ResumeRequest,
  ports: StartPorts,
  options: EngineOptions,
  busy: ReadonlySet<string> = new Set(),
): Promise<Resumed> {
  const checks = new HandoffChecks();
  const { asked_at = ports.clock.now() } = request;
  let given: MissionHandoff | null = null;
  const refuse = async (refusal: HandoffRefusal): Promise<Resumed> => {
    const event: WorkspaceEvent = {
      type: 'HandoffResumeRefused',
      plan_id: given?.plan_id ?? null,
      mission_id: given?.mission_id ?? null,
      code: refusal.code,
      reason: refusal.reason,
    };
    await appendRecord({ stream: refusalsStream, event, actor: request.actor }, ports, options.fence);
    return { kind: 'refused', refusal, checks: checks.all, plan_id: given?.plan_id ?? null };
  };
  const read = await readHandoff(request.folder, ports, checks);
  if (!read.ok) return refuse(read.refusal);
  given = read.value.given;
  const { bundle, facts } = read.value;
  const taken = await takenOver(request, read.value, ports);
  if (!taken.ok) {
    checks.fail('session_reset', 0, taken.refusal.code, taken.refusal.reason);
    return refuse(taken.refusal);
  }
  checks.pass(
    'session_reset',
    0,
    'only the handoff folder and the repository are read; no journal of this run goes on here',
  );
  const planned = await planOf(request, read.value, ports);
  if (!planned.ok) return refuse(planned.refusal);
  const { plan, check, absent } = planned.value;
  const { plan_path, mission_id: from } = given;
  const over = new Set(bundle.ledger.filter(({ status }) => !isOpen(status)).map(({ task_id }) => task_id));
  const { plan_sha256, text } = check;
  const wanted = { plan, plan_sha256: plan_sha256 ?? '', other_forms: text.other_forms ?? [], plan_path };
  const admission = await admit({ ...wanted, busy, from, done: over }, request, ports);
  if (!admission.ok) return refuse(admission.refusal);
  const { machine, approval } = admission.value;
  const equipment = await equipmentFor({ plan, plan_path, approval }, request, { done: over, machine }, ports);
  if (!equipment.ok) return refuse(equipment.refusal);
  const approveHere = approveStep(request, plan_path);
  const { instructions } = equipment.value;
  const handed = refusalOfHandedInstructions(instructions, facts.instructions, approval, approveHere);
  if (handed) return refuse(handed);

  const problem = ledgerAgainstPlan(bundle, facts, plan) ?? revisionsProblem(given, read.value.rows, plan);
  if (problem) {
    checks.fail('session_reset', 4, problem.code, problem.reason);
    return refuse({ ...problem, next: [exportAgain(given.mission_id)] });
  }
  checks.pass(
    'session_reset',
    4,
    `${bundle.ledger.length} rows and ${facts.transitions.length} transitions agree with each other and with the plan`,
  );

  const assignments = judgeAssignments(read.value, plan, ports, checks);
  if (assignments) return refuse(assignments);
  const evidence = evidenceProblem(bundle, given, read.value.rows);
  if (evidence) {
    checks.fail('session_reset', 3, evidence.code, evidence.reason);
    return refuse({ ...evidence, next: [exportAgain(given.mission_id)] });
  }
  const late = await olderThanStop(asked_at, ports);
  if (late) return refuse(late);
  const outputs = await judgeOutputs(request, read.value, plan, ports);
  if (!outputs.ok) {
    checks.fail('session_reset', 3, outputs.refusal.code, outputs.refusal.reason);
    return refuse(outputs.refusal);
  }
  const done = bundle.ledger.filter(({ status }) => status === 'done').length;
  const { found, notes, undo } = outputs.value;
  checks.pass('session_reset', 3, `${done} done task(s), ${found}`);
  const { files, rows, bundle_sha256 } = read.value;
  const { mission_id } = taken.value;
  const received = await receivePlan(
    {
      ...{ mission_id, plan, plan_path, check, approval },
      equipment: equipment.value,
      request,
      // Copies, so that no journal entry refers to a folder that may be deleted.
      keeps: new Map([...files].map(([name, file]) => [`${keptHandoffFolder}/${name}`, file])),
      absent,
      carried: [],
      earlier: [],
      handoff: importOf(
        { bundle, given, facts, rows },
        {
          bundle_sha256,
          kept_in: keptHandoffFolder,
          reason: request.reason ?? `The run was given away with handoff ${given.handoff} of ${given.mission_id}.`,
          at: ports.clock.now(),
          by_host: request.by_host ?? false,
        },
      ),
    },
    ports,
    options,
  );
  if (!received.ok) {
    const { refusal } = received;
    const undone = (await undo?.()) ?? null;
    const reason = undone?.ok === false ? `${refusal.reason} ${undone.refusal.reason}` : refusal.reason;
    return refuse({ ...refusal, reason });
  }
  const fromHandoff = absent ? [`${plan_path} was written from the handoff`] : [];
  return { kind: 'started', ...received.value, checks: checks.all, notes: [...fromHandoff, ...notes] };
}

/** Names the one dispatched first. Locks of other tasks do not count: a task waits for them before its launch. */
function judgeAssignments(
  { bundle, given }: ReadHandoff,
  plan: ApprovedPlan,
  ports: EnginePorts,
  checks: HandoffChecks,
): HandoffRefusal | null {
  const statuses = Object.fromEntries(bundle.ledger.map(({ task_id, status }) => [task_id, status]));
  const open = bundle.ledger.filter(({ status }) => isOpen(status));
  const ready = open
    .filter((row) => (row.dependencies ?? []).every((on) => statuses[on] === 'done'))
    .sort((left, right) => rank(right) - rank(left));
  for (const row of open) {
    const task = plan.tasks.find(({ task_id }) => task_id === row.task_id);
    if (!task) continue;
    const value = taskAssignment({ run_id: bundle.run_id, plan }, task, {
      ...{ worklog: workPlaces.worklog, at: ports.clock.now(), locks: [] },
    });
    const context = { run_id: bundle.run_id, ...(ready.includes(row) ? { statuses } : {}) };
    const verdict = validateAssignment({ value, shape: ports.handoffs.checkShape('assignment', value) }, context);
    if (verdict.allow || verdict.code === 'OK') continue;
    const reason = `The assignment of ${row.task_id} is not valid: ${verdict.reason}`;
    checks.fail('session_reset', 2, verdict.code, reason);
    checks.fail('minimal_start', 4, verdict.code, reason);
    return { code: verdict.code, reason, next: [exportAgain(given.mission_id)] };
  }
  const [next] = ready;
  checks.pass('session_reset', 2, `${open.length} packet(s) valid`);
  checks.pass('minimal_start', 4, next ? `next is ${next.task_id} (${next.status})` : 'no task is left to dispatch');
  return null;
}

/** The rank of a priority; a stable sort keeps the order of the plan within it. */
function rank({ priority }: LedgerRow): number {
  return priorities.indexOf(priority);
}

/** Says whether this run may continue here, and as which mission. */
async function takenOver(
  { actor, reason, folder }: ResumeRequest,
  { bundle, given, bundle_sha256, facts }: ReadHandoff,
  ports: StartPorts,
): Promise<Judged<{ readonly mission_id: string }>> {
  const { missions } = await new MissionReader(ports.journal).read();
  const same = missions.map(({ mission }) => mission).filter(({ run_id }) => run_id === bundle.run_id);
  const again = same.find(({ resumed_from }) => resumed_from?.bundle_sha256 === bundle_sha256);
  const open = same.find(({ execution }) => execution !== 'REPORTED');
  if (open?.ending)
    return handoffRefused(
      'MISSION_OPEN',
      `Mission ${open.mission_id} of this run has ended here; not all of its evidence is written yet.`,
      `mission status ${open.mission_id}`,
      decisionStep('resume', open.mission_id),
    );
  if (open)
    return handoffRefused(
      'MISSION_OPEN',
      `Mission ${open.mission_id} of this run has not ended here.`,
      `mission status ${open.mission_id}`,
    );
  const away = notTakenSince(facts.bundles, runsElsewhere(same));
  if (away) return { ok: false, refusal: givenAwayRefusal(away) };
  if (again)
    return handoffRefused(
      'MISSION_CLOSED',
      `Mission ${again.mission_id} has gone on from this handoff before.`,
      `mission status ${again.mission_id}`,
    );
  const ended = same.find(({ ending }) => ending?.code !== movedCode);
  if (ended)
    return handoffRefused(
      'MISSION_CLOSED',
      `Run ${bundle.run_id} has ended here as ${ended.mission_id}.`,
      `mission status ${ended.mission_id}`,
    );
  // Asked last, because a person cannot take over what is refused above.
  if (!given.moved && (reason === null || actor.kind !== 'human'))
    return handoffRefused(
      'HUMAN_ONLY',
      'The run may still go on where it was exported, because this handoff did not give it away. Only a person takes it over here.',
      decisionStep('handoff resume', commandLine([folder]).toString()),
      `Or give it away there: ${decisionStep('handoff export', given.mission_id, '--move')}`,
    );
  // The records name streams of other users too, whose ids are taken.
  const streams = new Set((await ports.records.streams()).map(({ stream }) => stream));
  return {
    ok: true,
    value: {
      mission_id: streams.has(given.mission_id)
        ? missionIdOf(given.plan_id, ports.clock.now(), ports.ids.base36(6))
        : given.mission_id,
    },
  };
}
