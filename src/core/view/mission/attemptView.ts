import type { AttemptView, FactLine } from '../../../contracts/page/missionView';
import type { Confinement } from '../../../contracts/vocabulary/workers';
import {
  phaseTitles,
  type Phase,
  type DriverOutcome,
  verificationSteps,
} from '../../../contracts/vocabulary/execution';
import { confinementWords, countedTokens, intentAndSource, othersWords, outcomeWords } from '../../../base/text/words';
import { clockWords } from '../../../base/text/clockWords';
import { lingeredWords } from '../../../base/text/endWords';
import { phaseAfter } from '../../lifecycle/phases';
import { declaredFacts } from '../../lifecycle/telemetry';
import { workerLaunch } from '../../lifecycle/parts/workerLaunch';
import { judgementFacts } from '../../mission/evidence/taskEvidence';
import { usageOf } from '../../mission/parts/budget';
import type { AttemptRecord } from '../../model/attempt';
import { laneOf } from '../../model/lanes';
import type { TaskRow, Tasks, ReceivedPlan } from '../../model/state';
import { changesAtEnd } from '../../observation/verifyChange';
import type { ApprovedPlan } from '../../plan/approvedPlan';
import { selectionWords } from '../../policy/policy';
import { selectTelemetryMode } from '../../telemetry/mode';
import { revisionText } from '../plan/approvalView';

/** The last attempt, live or ended; null before the first. */
export function attemptView(mission: Tasks, row: TaskRow): AttemptView | null {
  const lane = laneOf(mission, row.task.task_id);
  if (lane) return viewOf(mission, row, lane, true);
  const known = endedViews.get(row);
  if (known?.plan === mission.plan) return known.view;
  const last = row.attempts.at(-1);
  const view = last ? viewOf(mission, row, last, false) : null;
  endedViews.set(row, { plan: mission.plan, view });
  return view;
}

/** Most rows are the same from one snapshot to the next. */
const endedViews = new WeakMap<TaskRow, { readonly plan: ApprovedPlan; readonly view: AttemptView | null }>();

function viewOf(mission: ReceivedPlan, row: TaskRow, attempt: AttemptRecord, live: boolean): AttemptView {
  const phases = attempt.phases.map(({ phase, outcome }) => ({ phase, name: phaseTitles[phase], outcome }));
  const now = live ? phaseAfter(attempt.phases, attempt) : null;
  const selected = attempt.phases.findLast((done) => done.selected)?.selected;
  const prepared = attempt.launches.findLast(
    (launch) => launch.purpose.kind === 'worker' && launch.prepared !== null,
  )?.prepared;
  const usage = usageOf([attempt]);
  const others = changesAtEnd(attempt.observed?.changes ?? [], attempt.after_verify?.changes ?? []).filter(
    ({ by_others }) => by_others,
  ).length;
  const clock = clockWords(attempt.baseline?.clock_ahead_ms ?? 0);
  const stayed = workerLaunch(attempt)?.end?.did_not_exit;
  return {
    attempt: attempt.attempt,
    phase: now === null ? null : { phase: now, name: phaseTitles[now] },
    phases,
    telemetry: { mode: attempt.telemetry_mode, rule: selectTelemetryMode(declaredFacts(mission, row.task)).rule },
    ...(selected && { model: selected }),
    ...(attempt.context && { context_sha256: attempt.context.snapshot_sha256 }),
    ...(prepared && {
      sandbox: prepared.confinement === 'none' ? 'none' : (prepared.sandbox_state ?? 'approved_paths'),
    }),
    ...(others > 0 && { others }),
    ...(stayed && { did_not_exit: lingeredWords(stayed) }),
    ...(clock !== null && { clock }),
    ...judgementFacts(attempt, row.task.worker !== 'command'),
    ...((usage.input_tokens ?? usage.output_tokens ?? usage.cost_usd) !== null && { usage }),
  };
}

/**
 * Known facts about the task as labelled lines, most wanted first: the whole way of a fact of an attempt into status and page.
 *
 * @param record the attempt that `attempt` shows
 */
export function factLines(
  { task, revisions }: TaskRow,
  attempt: AttemptView | null,
  record: AttemptRecord | undefined,
  confinement: Confinement,
): readonly FactLine[] {
  const held = confinement === 'none' ? '' : `, held by ${confinementWords[confinement]}`;
  const lines: readonly (readonly [string, string | null | undefined])[] = [
    ['Phase', attempt && phaseWords(attempt, record !== undefined && needsIntervention(record))],
    ['Intent', task.worker === 'command' ? null : intentAndSource(task.intent ?? 'code_generation', task.intent_from)],
    ['Model', attempt?.model && selectionWords(attempt.model)],
    ['Context', attempt?.context_sha256 && `${attempt.context_sha256.slice(0, 12)}, frozen before its worker`],
    ['Telemetry', attempt && `${attempt.telemetry.mode} by rule ${attempt.telemetry.rule}`],
    ['Sandbox', attempt?.sandbox && `${sandboxWords[attempt.sandbox]}${held}`],
    [
      'Others',
      attempt?.others === undefined ? null : `${othersWords(attempt.others)}, which its sandbox kept it from making`,
    ],
    ['Exit', attempt?.did_not_exit],
    ['Clock', attempt?.clock],
    ['Verification', record && verificationLine(record)],
    ['Checks', attempt?.checks && checkWords(attempt.checks)],
    ['Revised', revisions.map(revisionText).join('; ')],
    ['Used', attempt?.usage && countedTokens(attempt.usage)],
  ];
  return lines.flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

const sandboxWords: { readonly [S in NonNullable<AttemptView['sandbox']>]: string } = {
  read_only: 'read-only',
  approved_paths: 'approved paths',
  none: 'none',
};

/** `5 execution; 0 to 4 passed`. It shows an intervention as required only while it is. */
function phaseWords({ phase, phases }: AttemptView, asks: boolean): string {
  const runs: { readonly outcome: DriverOutcome; readonly first: Phase; last: Phase }[] = [];
  for (const done of phases) {
    const run = runs.at(-1);
    if (run?.outcome === 'PASS' && done.outcome === 'PASS') run.last = done.phase;
    else runs.push({ outcome: done.outcome, first: done.phase, last: done.phase });
  }
  const runTexts = runs.map(({ outcome, first, last }) => {
    if (first !== last) return `${first} to ${last} passed`;
    const asked = outcome === 'INTERVENTION_REQUIRED' && !asks;
    return `${first} ${phaseTitles[first]} ${outcomeWords[asked ? 'ASK_USER' : outcome]}`;
  });
  const now = phase === null ? [] : [`${phase.phase} ${phase.name}`];
  return [...now, ...(runTexts.length > 0 ? [runTexts.join(', ')] : [])].join('; ');
}

function checkWords(checks: NonNullable<AttemptView['checks']>): string {
  const count = (outcome: string): number => checks.filter((check) => check.outcome === outcome).length;
  const failed = checks.flatMap(({ name, outcome }) =>
    outcome === 'PASS' || outcome === 'not_machine_checked' ? [] : [`"${checkName(name)}" ${outcomeWords[outcome]}`],
  );
  return [
    `${count('PASS')} passed`,
    ...failed,
    ...(count('not_machine_checked') > 0 ? [`${count('not_machine_checked')} not machine-checked`] : []),
  ].join(', ');
}

/** `stopped at step 4 of 7, scope and mutation`; null before the verification. */
export function verificationLine(attempt: Pick<AttemptRecord, 'phases' | 'intervention'>): string | null {
  const { phases } = attempt;
  const how = (outcome: DriverOutcome): string => howIn(outcome, needsIntervention(attempt));
  const record = phases.findLast(({ phase, steps, checks }) => steps ?? (phase !== 10 && checks?.failed));
  if (!record) return null;
  const { steps = [], checks } = record;
  if (checks?.failed)
    return `${how(checks.failed.outcome)} the check "${checkName(checks.failed.name)}", ${checks.point.replaceAll('_', ' ')}`;
  const all = Object.keys(verificationSteps).length;
  const last = steps.at(-1);
  if (!last) return `none of ${all} steps`;
  if (last.outcome === 'PASS' || last.outcome === 'not_applicable') {
    const noted = steps.some(({ recorded = [] }) => recorded.length > 0) ? ', with claims that were not observed' : '';
    return last.step === all && record.outcome === 'PASS'
      ? `${all} of ${all} steps passed${noted}`
      : `${last.step} of ${all} steps passed, then it was ended${noted}`;
  }
  return `${how(last.outcome)} step ${last.step} of ${all}, ${last.name}`;
}

function needsIntervention({ phases, intervention }: Pick<AttemptRecord, 'phases' | 'intervention'>): boolean {
  return phases.every(({ phase }) => phase !== 7) && !intervention?.decision;
}

function checkName(name: string): string {
  return name.replaceAll('_', ' ');
}

function howIn(outcome: DriverOutcome, waits: boolean): string {
  switch (outcome) {
    case 'HALT':
      return 'stopped at';
    case 'ASK_USER':
      return 'asks a person at';
    case 'INTERVENTION_REQUIRED':
      return waits ? 'waits for a person at' : 'asked a person at';
    case 'PASS':
      return 'passed';
  }
}
