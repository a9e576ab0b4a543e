import type { PlanExecution } from '../../../contracts/plan';
import {
  recoveryPermissions,
  type ExecutionEnvironment,
  type RecoveryPermission,
} from '../../../contracts/vocabulary/intents';
import { afterLimit, knownConstraints, parallelLimits } from '../../../contracts/vocabulary/plan';
import { numberAt, objectAt, quoted, textsAt, valueAt } from '../../../base/json';
import { recoveryWords } from '../../../base/text/words';
import { dropEntry, dropField, meant } from '../fixes/entries';
import type { AddPlanFinding } from '../rules/judgedTask';
import type { Fields, Judged } from './field';
import { budget, isWithin, limits, type Limits } from './limits';
import { reach, type Reaching } from './reach';
import { further, large, named } from './right';

export interface Run {
  readonly mode: 'sequential' | 'parallel';
  readonly max_parallel: number;
  readonly on_block: 'recover' | 'fail';
  /** The declared environment; null counts as undeclared (telemetry ENFORCED). */
  readonly environment: ExecutionEnvironment | null;
  /** Names of environment variables that `command` and `verify` may see. */
  readonly env_names: readonly string[];
  readonly constraints: readonly string[];
  /** The plan lets a delegated agent be a worker; absent: it does not. */
  readonly delegates_claude?: true;
}

/** What is done about a failed launch without asking a person. */
export interface Recovery {
  readonly recovery_allow: readonly RecoveryPermission[];
  readonly recovery_directories: readonly string[];
  /** A task goes on by itself once its provider's used-up limit has ended; absent: it waits for a person. */
  readonly after_limit?: 'resume';
}

const recovery = {
  directories: {
    as: 'recovery_directories',
    opens: ({ recovery_directories: names }) =>
      named({ ...large('Agents may be given folders outside the workspace:'), names }),
    judge: judgeDirectories,
  },
  allow: {
    as: 'recovery_allow',
    opens: ({ recovery_allow }) =>
      recovery_allow.length === 0
        ? []
        : [
            further(
              `May be corrected without asking: ${recovery_allow.map((permission) => recoveryWords[permission].short).join(', ')}.`,
            ),
          ],
    judge: judgeAllow,
  },
  after_limit: {
    as: 'after_limit',
    opens: ({ after_limit }) =>
      after_limit === 'resume'
        ? [
            further(
              `After a used-up limit of a provider a task goes on by itself when the limit ends, at most ${afterLimit.times} times, where that is within ${afterLimit.longest_hours} hours.`,
            ),
          ]
        : [],
  },
} satisfies Fields<PlanExecution['recovery'], Recovery>;

const delegation = {
  constraints: {
    as: 'constraints',
    says: {
      in: 'confinement',
      lines: ({ constraints }) => (constraints.length > 0 ? [`Constraints: ${constraints.join(', ')}.`] : []),
    },
    judge({ execution: written }, report) {
      for (const [token, index] of textsAt(objectAt(written, 'delegation'), 'constraints')) {
        if ((knownConstraints as readonly string[]).includes(token)) continue;
        const message = `${quoted(token)} is given to the worker and recorded, but nothing here enforces it; check the result by hand.`;
        report('CONSTRAINT_UNKNOWN', `/execution/delegation/constraints/${index}`, message, 'warning');
      }
    },
  },
  claude_code: { as: 'delegates_claude', stands: 'in the rows of the worker' },
} satisfies Fields<PlanExecution['delegation'], Run>;

export const execution = {
  ...reach,
  env: {
    as: 'env_names',
    opens: ({ env_names: names }) => named({ ...further('Commands see the environment variables'), names }),
    judge({ execution: written }, report) {
      for (const [name, index] of textsAt(written, 'env')) {
        if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) continue;
        const message = `${quoted(name)} is not the name of an environment variable; list names only, values are never in a plan.`;
        report('ENV_NAME_INVALID', `/execution/env/${index}`, message);
      }
    },
  },
  recovery: { parts: recovery },
  limits: { as: 'limits', parts: limits },
  budget: { as: 'budget', parts: budget },
  environment: { as: 'environment', unsaid: 'stops' },
  mode: { as: 'mode', stands: 'in the line of max_parallel' },
  max_parallel: {
    as: 'max_parallel',
    says: {
      in: 'tasks',
      lines: ({ max_parallel: most, layers }) =>
        most < 2
          ? []
          : layers === 'all'
            ? [
                `Up to ${most} of them run at once. Where layers hold their work, their paths may overlap: what two changed is merged and verified again.`,
              ]
            : [`Up to ${most} of them run at once, on paths that do not overlap.`],
    },
    judge({ execution: written }, report) {
      const lanes = numberAt(written, 'max_parallel');
      const pointer = '/execution/max_parallel';
      if (lanes === null) return;
      if (!isWithin(lanes, parallelLimits)) {
        const message = `max_parallel must be a whole number from ${parallelLimits.min} to ${parallelLimits.max}, not ${lanes}.`;
        report('PARALLEL_LIMIT_INVALID', pointer, message);
      } else if (valueAt(written, 'mode') !== 'parallel' && lanes > 1) {
        const message = 'max_parallel has no effect without "mode": "parallel"; remove it.';
        report('PARALLEL_LIMIT_INVALID', pointer, message, 'warning');
      }
    },
  },
  on_block: { as: 'on_block', unsaid: 'stops' },
  delegation: { parts: delegation },
} satisfies Fields<PlanExecution, Run & Limits & Reaching>;

export const executionFixes = {
  RECOVERY_INVALID: dropEntry,
  RECOVERY_DIRECTORY_INVALID: dropEntry,
  RECOVERY_DIRECTORY_UNUSED: dropField,
  ENV_NAME_INVALID: dropEntry,
  CONSTRAINT_UNKNOWN: meant(() => knownConstraints),
} as const;

export function runOf({ mode, max_parallel, on_block, environment, env = [], delegation: said }: PlanExecution): Run {
  return {
    mode: mode ?? 'sequential',
    max_parallel: mode === 'parallel' ? (max_parallel ?? parallelLimits.default) : 1,
    on_block: on_block ?? 'recover',
    environment: environment ?? null,
    env_names: [...new Set(env)],
    constraints: [...new Set(said?.constraints)],
    ...(said?.claude_code === true && { delegates_claude: true }),
  };
}

export function recoveryOf({ recovery: { allow = [], directories = [], after_limit } = {} }: PlanExecution): Recovery {
  return {
    recovery_allow: [...new Set(allow)],
    recovery_directories: [...new Set(directories)],
    ...(after_limit === 'resume' && { after_limit }),
  };
}

function judgeAllow({ execution }: Judged, report: AddPlanFinding): void {
  const seen = new Set<string>();
  for (const [permission, index] of textsAt(objectAt(execution, 'recovery'), 'allow')) {
    const pointer = `/execution/recovery/allow/${index}`;
    if (!(recoveryPermissions as readonly string[]).includes(permission)) {
      const message = `${quoted(permission)} is no recovery permission; use ${recoveryPermissions.join(', ')}.`;
      report('RECOVERY_INVALID', pointer, message);
    } else if (seen.has(permission)) {
      report('RECOVERY_INVALID', pointer, `${quoted(permission)} stands twice; remove one.`, 'warning');
    }
    seen.add(permission);
  }
}

function judgeDirectories({ execution }: Judged, report: AddPlanFinding): void {
  const written = objectAt(execution, 'recovery');
  const directories = textsAt(written, 'directories');
  for (const [directory, index] of directories) {
    const problem = directoryProblem(directory);
    if (problem !== null) {
      const pointer = `/execution/recovery/directories/${index}`;
      report('RECOVERY_DIRECTORY_INVALID', pointer, `${quoted(directory)} ${problem}.`);
    }
  }
  if (directories.length > 0 && !textsAt(written, 'allow').some(([one]) => one === 'add_directory')) {
    const message =
      'These directories are never given to a worker unless execution.recovery.allow holds "add_directory".';
    report('RECOVERY_DIRECTORY_UNUSED', '/execution/recovery/directories', message, 'warning');
  }
}

/** Directories are absolute, or relative to the workspace root; `..` is allowed, because they usually lie beside it. */
function directoryProblem(directory: string): string | null {
  if (directory.trim() === '') return 'is empty; name a directory';
  if (/^~/.test(directory)) return 'starts with ~, which is not expanded; write the whole path';
  if (/^([A-Za-z]:)?[/\\]*$/.test(directory)) return 'is a whole file system; name the directory that is needed';
  if (/[*?]/.test(directory)) return 'is a glob; name directories';
  return null;
}
