import type { CheckPoint } from '../../contracts/vocabulary/execution';
import type { AttemptFailure, ChecksResult } from '../model/facts';
import { unprovenLaunch } from '../model/attempt';
import { forbiddenContent } from '../memory/proposed';
import { memoryName } from '../memory/rememberedValue';
import { proposedBy } from './memory';
import { categoryOfEnd, recoverable } from './parts/recoverable';
import { judgeOutstanding } from './judge/judgeVerifyChanges';
import { applies, judgeRule, outcomeOf, type Judged, type Rule } from './judge/rules';

/** CHECKS before the worker is launched. Source: seed 004, stage Pre. */
export const beforeExecution: readonly Rule[] = [
  { at: 'before_execution', name: 'nothing_outstanding', judge: judgeOutstanding },
];

/** CHECKS before SAVE. Source: seed 004. */
export const beforeSave: readonly Rule[] = [
  {
    at: 'before_save',
    name: 'no_transcript',
    judge: ({ attempt }) => {
      const found = proposedBy(attempt).flatMap((entry) => {
        const kind = forbiddenContent(entry);
        return kind === null ? [] : [`${memoryName(entry)}: looks like ${kind}`];
      });
      return found.length === 0
        ? null
        : recoverable('untrusted_context', 'What the worker proposes to remember may be in no memory.', found);
    },
  },
  {
    at: 'before_save',
    name: 'one_value_for_a_key',
    judge: ({ attempt }) => {
      const names = proposedBy(attempt).map(memoryName);
      const twice = names.filter((name, index) => names.indexOf(name) !== index);
      return twice.length === 0
        ? null
        : recoverable('invalid_handoff', 'The worker proposes to remember two values under one name.', twice);
    },
  },
];

/** CHECKS before the grants of an attempt are dropped and its lock is released. Source: seed 004. */
export const beforeSandboxExit: readonly Rule[] = [
  {
    at: 'before_sandbox_exit',
    name: 'processes_gone',
    judge: ({ attempt }) => {
      const end = unprovenLaunch(attempt)?.end;
      return end
        ? recoverable(categoryOfEnd(end, 'run_not_recorded'), 'Processes of the attempt are not proven gone.', [])
        : null;
    },
  },
];

/** Returns what a point recorded: up to the failing check, when one of it is the verdict. */
export function checksOf(
  point: CheckPoint,
  rules: readonly Rule[],
  facts: Judged,
  verdict: AttemptFailure | null,
): ChecksResult {
  const passed: string[] = [];
  for (const rule of rules) {
    const failed = judgeRule(rule, facts);
    const isVerdict = verdict?.by?.at === point && verdict.by.name === rule.name;
    if (failed || isVerdict)
      return { point, passed, failed: isVerdict ? { name: rule.name, outcome: outcomeOf(verdict) } : null };
    if (rule.at === point && applies(rule, facts)) passed.push(rule.name);
  }
  return { point, passed, failed: null };
}
