import assert from 'node:assert/strict';
import type { ProposedMemory } from '../../src/contracts/memory';
import { lingeredWords } from '../../src/base/text/endWords';
import { mayRemember } from '../../src/core/lifecycle/memory';
import { memoryName, type Remembered } from '../../src/core/memory/rememberedValue';
import { workerLaunch } from '../../src/core/lifecycle/parts/workerLaunch';
import type { Claim, LaunchEnd } from '../../src/core/model/facts';
import type { CompletedResult } from '../../src/core/model/inputs';
import type { Attempt, Launch } from '../../src/core/model/attempt';
import type { Mission } from '../../src/core/model/state';
import type { PlannedTask } from '../../src/core/plan/approvedPlan';
import type { RawChange } from '../../src/core/observation/change';
import type { AttemptScript } from './scenario';

/** What a person made of the result that waits for one. */
export function completedResult(mission: Mission, taskId: string, script: AttemptScript): CompletedResult {
  const lane = mission.lanes.find(({ task_id }) => task_id === taskId);
  if (script.completed === 'invalid') return { ok: false, problems: ['/status: is required'] };
  const { completed = 'done' } = script;
  return { ok: true, claim: claimOf(mission, lane, { ...script, claim: completed }) };
}

export function claimOf(mission: Mission, lane: Attempt | undefined, script: AttemptScript): Claim {
  const task = taskOf(mission, lane);
  if (!task || task.worker === 'command') return { kind: 'not_applicable' };
  switch (script.claim ?? (task.validator ? 'report_pass' : 'done')) {
    case 'report_pass':
    case 'report_fail':
    case 'report_inconclusive':
    case 'report_without_evidence':
    case 'report_invisible_evidence':
    case 'report_leaving_out':
    case 'report_unknown':
    case 'report_critical':
      return reportOf(task, script.claim ?? 'report_pass');
    case 'missing':
      return { kind: 'missing', reason: 'no message' };
    case 'invalid':
      return { kind: 'invalid', problems: ['/status: is required'] };
    case 'blocked':
    case 'blocked_asking':
    case 'done':
    case 'done_without_evidence':
    case 'done_without_changes':
    case 'done_with_placeholder':
    case 'done_unreported':
    case 'done_claiming_less':
    case 'done_claiming_more': {
      const more = script.claim === 'done_claiming_more' ? [{ resource: 'src/never.ts', action: 'modified' }] : [];
      const named = script.claim === 'done_claiming_less' ? 1 : script.claim === 'done_without_changes' ? 0 : undefined;
      const claimed = changes(lane, script).slice(0, named);
      const criteria = script.claim === 'done_unreported' ? [] : task.acceptance_criteria;
      return {
        kind: 'valid',
        ...proposals(task, script),
        ...(script.result_refused === undefined
          ? {}
          : { refused: { code: script.result_refused, reason: 'it is not valid', findings: ['/x: wrong'] } }),
        result: {
          schema_version: '1.0.0',
          run_id: mission.run_id,
          task_id: task.task_id,
          status: script.claim?.startsWith('blocked') === true ? 'blocked' : 'done',
          changes: [...claimed.map((change) => ({ resource: change.path, action: 'modified' })), ...more],
          acceptance_check:
            script.claim === 'done_without_evidence'
              ? []
              : [...criteria, 'done as described'].map((criterion) => ({
                  criterion,
                  status: 'pass' as const,
                  evidence: script.claim === 'done_with_placeholder' ? 'TODO' : 'seen',
                })),
          worklog_path: '',
          notes_for_orchestrator: script.claim === 'blocked_asking' ? ['Found two ports.', 'Which port?'] : [],
        },
      };
    }
  }
}

function reportOf({ task_id, milestone = '', validator }: PlannedTask, claim: string): Claim {
  const status = claim === 'report_fail' ? 'fail' : claim === 'report_inconclusive' ? 'inconclusive' : 'pass';
  const ids = (validator?.assertions ?? []).map(({ id }) => id).slice(claim === 'report_leaving_out' ? 1 : 0);
  return {
    kind: 'report',
    report: {
      schemaVersion: 1,
      runId: task_id,
      milestoneId: milestone,
      status,
      summary: `It is ${status}.`,
      commandsRun: [],
      assertions: [...ids, ...(claim === 'report_unknown' ? ['A99'] : [])].map((assertionId) => ({
        assertionId,
        status,
        evidence: invisible[claim] ?? 'seen',
      })),
      defects:
        claim === 'report_critical'
          ? [
              {
                id: 'D1',
                severity: 'critical',
                title: 'it fails',
                description: 'd',
                reproduction: '',
                suggestedFix: null,
              },
            ]
          : [],
      procedureFindings: [],
      recommendation: status === 'pass' ? 'accept' : 'fix',
    },
  };
}

function proposals(task: PlannedTask, { remembers }: AttemptScript): Pick<Extract<Claim, { kind: 'valid' }>, 'memory'> {
  if (!remembers) return {};
  if (!mayRemember(task)) return { memory: { kind: 'ignored', reason: 'it is for tasks that declare it' } };
  return { memory: { kind: 'proposed', entries: remembers.map(entryOf) } };
}

/** What is remembered now: from before, and by this mission. */
export function rememberedNow(mission: Mission, { remembered = [] }: AttemptScript): readonly Remembered[] {
  const all = new Map(remembered.map((text) => [memoryName(entryOf(text)), { ...entryOf(text), version: 1 }]));
  for (const { memory } of [...mission.rows.flatMap(({ attempts }) => attempts), ...mission.lanes])
    for (const { name, version } of memory?.saved ?? []) {
      const entry = memory?.entries.find((one) => memoryName(one) === name);
      if (entry) all.set(name, { ...entry, version });
    }
  return [...all.values()];
}

/** `domain/key = decision <- version` */
function entryOf(text: string): ProposedMemory & { readonly rationale: string } {
  const [, domain, key, decision, version] = /^(\w+)\/(\S+) = ([^]*?)(?: <- (\d+))?$/.exec(text) ?? [];
  assert.ok(domain !== undefined && key !== undefined && decision !== undefined, text);
  return {
    ...{ domain: domain as ProposedMemory['domain'], key, decision, rationale: 'because' },
    supersedes: version === undefined ? null : Number(version),
  };
}

export function taskOf(mission: Mission, lane: Attempt | undefined): PlannedTask | undefined {
  return mission.plan.tasks.find(({ task_id }) => task_id === lane?.task_id);
}

export function changes(lane: Attempt | undefined, script: AttemptScript): readonly RawChange[] {
  const started = (lane && workerLaunch(lane))?.process?.started_at ?? '2026-01-01T00:00:00.000Z';
  const own = lane?.task_id.startsWith('validate-') === true ? [] : ['src/a.ts'];
  return (script.changes ?? own).map((path) => ({
    path,
    kind: /(?:^|\/)\.git\//.test(path) ? 'git' : 'modified',
    // What comes back while the baseline is taken leads to what lay there before it blocked.
    ...(script.back?.includes(path) === true
      ? { before_sha256: '2'.repeat(64), after_sha256: '1'.repeat(64) }
      : { before_sha256: '1'.repeat(64), after_sha256: '2'.repeat(64) }),
    resolved_path: null,
    changed_at: script.changed_at ?? started,
    detail: null,
    ...(script.landing && { layered: true }),
    ...script.left,
  }));
}

const invisible: Readonly<Record<string, string>> = {
  report_without_evidence: ' ',
  report_invisible_evidence: '\u200b\u0007\u00ad',
};

/** How a supervisor records an agent that was ended because it stayed. */
export function stayed(lingered: NonNullable<Launch['lingered']>): Partial<LaunchEnd> {
  return { reason: 'stop_requested', exit_code: null, signal: 'SIGTERM', error: lingeredWords(lingered) };
}
