import { verificationSteps, type VerificationStep } from '../../contracts/vocabulary/execution';
import type { AttemptFailure, ChecksResult, StepResult } from '../model/facts';
import { workerLaunch } from './parts/workerLaunch';
import { judgeAnnounced, judgeExit, judgeTimeout, judgeTree, judgeVerifyResult } from './judge/judge';
import { judgeAbandoned, judgeBudgetStop, judgeStop } from './judge/judgeEarly';
import { judgeMissingChange } from './judge/judgeMissingChange';
import { judgeFrozen, judgeMade } from '../context/judgeContext';
import { needsOf, declaredIntent } from '../context/tier0';
import { judgeAttribution, judgePlanHash, judgeScope, judgeContent, judgeIntent } from './judge/judgeChanges';
import {
  judgeAcceptance,
  judgeClaimed,
  judgeMalformed,
  judgeMissing,
  judgeRefused,
  judgeReported,
  judgeUntrusted,
  unobservedClaims,
  judgeUnobserved,
  judgeSections,
} from './judge/judgeClaim';
import { judgeModel } from './parts/modelSelection';
import { judgeProfile } from './parts/profileLimits';
import { judgeNoAnswer, judgeRateLimit, judgeRecovery } from './judge/judgeRecovery';
import {
  hasWorker,
  judgeAnswered,
  judgeReportConsistent,
  judgeReportMalformed,
  judgeReportMissing,
  judgeReportPasses,
} from './judge/judgeReport';
import { acceptance } from '../model/waitingWork';
import { judgeAccepted } from './judge/judgeAccepted';
import { judgeStrays, judgeWhatStays } from './judge/judgeStrays';
import { judgeOutstanding, judgeVerifyChanges } from './judge/judgeVerifyChanges';
import { checksOf } from './checks';
import { recoverable } from './parts/recoverable';
import { applies, firstFailure, judgeRule, outcomeOf, type Judged, type Rule } from './judge/rules';

const after = 'after_execution';

const abandoned: Rule = { at: after, name: 'no_other_lane_failed', judge: judgeAbandoned };
const stopped: Rule = { at: after, name: 'not_stopped_by_human', judge: judgeStop };
const budget: Rule = { at: after, name: 'budget_left', judge: judgeBudgetStop };
const tree: Rule = { at: after, name: 'processes_gone', judge: judgeTree };
const timeout: Rule = { at: after, name: 'signs_of_life', judge: judgeTimeout };
const attributed: Rule = {
  at: 4,
  name: 'changes_attributed',
  judge: (facts) => withEnd(judgeAttribution(facts), facts),
};
const outstanding: Rule = {
  at: 4,
  name: 'nothing_outstanding',
  judge: (facts) => withEnd(judgeOutstanding(facts), facts),
};
const frozen: Rule = {
  at: 3,
  name: 'context_unchanged',
  applies: ({ task }) => needsOf({ declared: declaredIntent(task) }).project,
  judge: judgeFrozen,
};
const made: Rule = {
  at: 5,
  name: 'project_file_valid',
  applies: ({ task }) => needsOf({ declared: declaredIntent(task) }).bootstrap,
  judge: judgeMade,
};
const content: Rule = { at: 4, name: 'content_unchanged', applies: isUnit, judge: judgeContent };
const plan: Rule = { at: 4, name: 'plan_unchanged', judge: judgePlanHash };

function isUnit({ task }: Judged): boolean {
  return task.validator !== undefined;
}

function isAgent({ task }: Judged): boolean {
  return task.worker !== 'command';
}

function handsOver(facts: Judged): boolean {
  return isAgent(facts) && !isUnit(facts);
}

function isReporting(facts: Judged): boolean {
  return isAgent(facts) && isUnit(facts);
}

/** A command has an intent if its task only reads, although it invokes no model. */
function hasIntent(facts: Judged): boolean {
  return isAgent(facts) || !facts.task.writes;
}

/** How the worker ended, apart from what it changed. */
const ends: readonly Rule[] = [
  { at: after, name: 'permissions_sufficed', judge: judgeRecovery },
  { at: after, name: 'provider_not_limiting', judge: judgeRateLimit },
  { at: after, name: 'provider_answered', judge: judgeNoAnswer },
  { at: after, name: 'no_announced_breach', judge: judgeAnnounced },
  { at: after, name: 'ended_well', judge: judgeExit },
];

/** Names the worker's own failure as well, which still blocks once the changes are accepted. */
function withEnd(failure: AttemptFailure | null, facts: Judged): AttemptFailure | null {
  const ended = failure && !facts.attempt.breach_stray ? firstFailure(ends, facts) : null;
  return failure && ended ? { ...failure, details: [ended.reason, ...failure.details, ...ended.details] } : failure;
}

/** Yields to the worker's own failure, whose details name the same. */
const stray: Rule = {
  at: 4,
  name: 'nothing_stray',
  judge: (facts) => (firstFailure(ends, facts) === null ? judgeStrays(facts) : null),
};

/**
 * The CHECKS after the execution and the seven steps, in the order in which they are asked. All are asked before any
 * verify command. The first failure is the verdict. A check precedes the steps whose failure its own outweighs. So a
 * person reads the cause and not its consequence. Source: seed 004.
 */
const afterWorker: readonly Rule[] = [
  { at: 1, name: 'intent_kept', applies: hasIntent, judge: judgeIntent },
  { at: 4, name: 'approved_paths', judge: judgeScope },
  abandoned,
  plan,
  tree,
  stopped,
  budget,
  timeout,
  attributed,
  outstanding,
  content,
  frozen,
  stray,
  ...ends,
  { at: 2, name: 'model_as_selected', applies: isAgent, judge: judgeModel },
  { at: after, name: 'within_profile', applies: isAgent, judge: judgeProfile },
  { at: after, name: 'no_forbidden_content', applies: handsOver, judge: judgeUntrusted },
  made,
  { at: 5, name: 'result_present', applies: handsOver, judge: judgeMissing },
  { at: 5, name: 'result_well_formed', applies: handsOver, judge: judgeMalformed },
  { at: after, name: 'reported_done', applies: handsOver, judge: judgeReported },
  { at: 5, name: 'sections_complete', applies: handsOver, judge: judgeSections },
  { at: 6, name: 'claims_observed', applies: handsOver, judge: judgeUnobserved },
  { at: 6, name: 'changes_claimed', applies: handsOver, judge: judgeClaimed },
  { at: 7, name: 'criteria_evidenced', applies: handsOver, judge: judgeAcceptance },
  { at: 7, name: 'result_integrable', applies: handsOver, judge: judgeRefused },
  { at: 5, name: 'report_present', applies: isReporting, judge: judgeReportMissing },
  { at: 5, name: 'report_well_formed', applies: isReporting, judge: judgeReportMalformed },
  { at: 6, name: 'report_consistent', applies: isReporting, judge: judgeReportConsistent },
  { at: 7, name: 'report_passes', applies: isReporting, judge: judgeReportPasses },
  { at: 7, name: 'work_found', judge: judgeMissingChange },
];

const afterVerify: readonly Rule[] = [
  abandoned,
  tree,
  stopped,
  budget,
  timeout,
  { at: 7, name: 'acceptance_commands', judge: judgeVerifyResult },
];

const kept: Rule = { at: 4, name: 'verify_wrote_nothing_protected', judge: judgeVerifyChanges };

/** Yields to a command that failed. */
const stays: Rule = { at: 7, name: 'verified_what_stays', judge: judgeWhatStays };

/** Asked last, because a person tries out only what the commands let pass. */
const answered: Rule = {
  at: 7,
  name: 'assertions_answered',
  applies: (facts) => isUnit(facts) && !isAgent(facts),
  judge: judgeAnswered,
};

const accepted: Rule = {
  at: 7,
  name: acceptance.rule,
  applies: ({ mission }) => mission.plan.landing === 'accepted',
  judge: judgeAccepted,
};

export const verificationRules: readonly Rule[] = [
  ...new Set([...afterWorker, ...afterVerify, kept, stays, answered, accepted]),
];

export function judgeBeforeVerify(facts: Judged): AttemptFailure | null {
  const worker = ofWorker(facts);
  return worker.end || !hasWorker(facts.task)
    ? firstFailure(afterWorker, worker)
    : recoverable('launch_failed', 'The worker never ran.', []);
}

export function judgeAnswers(facts: Judged): AttemptFailure | null {
  return judgeRule(answered, facts);
}

/** Asked on every way to a landing, after all else. */
export function judgeLanding(facts: Judged): AttemptFailure | null {
  return judgeRule(accepted, facts);
}

/** Judges the last verify command, and a stop or timeout since; null when it passed or none has run. */
export function judgeVerify(facts: Judged): AttemptFailure | null {
  const last = facts.attempt.verify.at(-1);
  return last ? firstFailure(afterVerify, { ...facts, end: last.end }) : null;
}

/**
 * Judges an attempt after its verify commands and the observation that follows them. What they changed counts before
 * their result; a stop, a timeout or a remaining process tree counts before both.
 *
 * @param failure what kept a verify command from running
 */
export function judgeAfterVerify(facts: Judged, failure: AttemptFailure | null): AttemptFailure | null {
  const failed = failure ?? judgeVerify(facts);
  const changed = judgeRule(kept, facts);
  const yields = failed?.kind === 'recoverable' && failed.human_only === null && failed.category !== 'task_timeout';
  const verdict =
    changed?.kind === 'recoverable' && failed && yields
      ? { ...changed, details: [...changed.details, failed.reason, ...failed.details] }
      : (failed ?? changed);
  return (
    judgeRule(plan, facts) ?? verdict ?? firstFailure([stays, outstanding, content, frozen, made, answered], facts)
  );
}

/** Says how each step ended up to the verdict, for the record: nothing behind the failing one was judged. */
export function stepResults(facts: Judged, verdict: AttemptFailure | null): readonly StepResult[] {
  const failing = verdict?.by;
  const worker = ofWorker(facts);
  const reached = afterWorker.findIndex((rule) => judgeRule(rule, worker) !== null);
  const results: StepResult[] = [];
  for (const step of stepNumbers) {
    const name = verificationSteps[step];
    if (failing?.at === step) return [...results, { step, name, outcome: outcomeOf(verdict) }];
    const rules = afterWorker.filter(({ at }) => at === step);
    // Another step's verdict may have ended the attempt before a rule or a command of this step.
    const asked = reached === -1 ? step < 7 : rules.every((rule) => afterWorker.indexOf(rule) < reached);
    // Skips a step that an earlier verdict left unasked, because nothing is known of it.
    if (verdict && !asked) continue;
    const applicable = rules.some((rule) => applies(rule, facts));
    const recorded = step === 6 ? unobservedClaims(facts) : [];
    const outcome = applicable ? 'PASS' : 'not_applicable';
    results.push({ step, name, outcome, ...(recorded.length > 0 && { recorded }) });
  }
  return results;
}

export function executionChecks(facts: Judged, verdict: AttemptFailure | null): ChecksResult {
  const worker = ofWorker(facts);
  return checksOf('after_execution', afterWorker, worker, verdict);
}

function ofWorker(facts: Judged): Judged {
  return { ...facts, end: workerLaunch(facts.attempt)?.end ?? null };
}

const stepNumbers = Object.keys(verificationSteps).map(Number) as readonly VerificationStep[];
