import { agentNames, type AgentName, type WorkerName } from '../contracts/vocabulary/workers';
import { agent as claude } from './claude/agent';
import { agent as codex } from './codex/agent';
import { agent as gemini } from './gemini/agent';
import { agent as opencode } from './opencode/agent';
import { parseVersion } from './versions';
import type { AgentWorker, ForbiddenArguments } from './worker';

/** To add an agent CLI, follow docs/internals/recipes/add-an-agent.md. */
const workers: Readonly<Record<AgentName, AgentWorker>> = { claude, codex, gemini, opencode };

/** Every agent CLI the product can start. */
export const agentWorkers = perAgent((name) => guarded(workers[name]));

/** These agents report tokens and no cost, so a budget in dollars does not bound them. */
export const costUnreported: readonly WorkerName[] = agentNames.filter((name) => !workers[name].reportsCost);

/** The agents to which a plan must delegate by `execution.delegation.claude_code`. Source: seed 001 section 4. */
export const delegatedAgents: readonly WorkerName[] = agentNames.filter((name) => workers[name].isDelegated);

/** For the search for CLIs on a machine. */
export const agentCatalog = { workers: agentWorkers, parseVersion } as const;

export function perAgent<T>(build: (name: AgentName) => T): Readonly<Record<AgentName, T>> {
  return Object.fromEntries(agentNames.map((name) => [name, build(name)])) as Readonly<Record<AgentName, T>>;
}

/** The arguments that would switch off the safety of any CLI, or of `agent` alone. */
export function forbiddenArguments(args: readonly string[], agent: AgentName | null = null): string[] {
  const own = agent === null ? [] : [{ options: workers[agent].forbidden.ownOptions ?? [] }];
  return forbiddenAmong(args, [...agentNames.map((name) => workers[name].forbidden), ...own]);
}

/** The engine refuses the user's forbidden extra arguments with a code; one that arrives here breaks an invariant. */
function guarded(worker: AgentWorker): AgentWorker {
  return {
    ...worker,
    launch(request) {
      const forbidden = forbiddenArguments(request.extraArgs, worker.name);
      if (forbidden.length > 0)
        throw new Error(`Invariant: arguments that switch safety off reached a launch line: ${forbidden.join(' ')}`);
      return worker.launch(request);
    },
  };
}

/**
 * The arguments that would switch a CLI's safety off (decision 9), by the rules of all CLIs; empty when the line may be
 * used. Matching is broad on purpose: a harmless argument that contains one of the words is refused as well.
 */
function forbiddenAmong(args: readonly string[], rules: readonly ForbiddenArguments[]): string[] {
  return args.filter((arg, index) => {
    const lower = arg.toLowerCase();
    const previous = index > 0 ? (args[index - 1] ?? '') : '';
    return rules.some((rule) => isForbidden(lower, previous, rule));
  });
}

function isForbidden(lower: string, previous: string, rule: ForbiddenArguments): boolean {
  const squeezed = squeeze(lower);
  const before = squeeze(previous.toLowerCase());
  return (
    (rule.fragments ?? []).some((word) => squeezed.includes(word)) ||
    (rule.options ?? []).some((option) => isOption(lower, option)) ||
    (rule.modes ?? []).some(
      ({ option, value }) =>
        squeezed === value || squeezed.endsWith(`=${value}`) || (before === option && squeezed.includes(value)),
    ) ||
    (rule.configKeys ?? []).some((key) => isConfig(lower, previous, key))
  );
}

/**
 * With one dash or two, with or without a value. The parsers of most CLIs read `--no-yolo` and `--yolo.x=1` as values
 * of `yolo`, too. A single letter also among others and with its value attached: `-dy`, `-y/x`.
 */
function isOption(lower: string, option: string): boolean {
  const name = /^--?(?:no-)?([^=.]*)/.exec(lower)?.[1];
  if (name === option) return true;
  return option.length === 1 && new RegExp(`^-[a-z]{0,3}${option}(?:[a-z]{0,3}|[^a-z].*)$`, 's').test(lower);
}

function isConfig(lower: string, previous: string, forbidden: string): boolean {
  const attached = /^(?:-c=?|--config=)(.+)$/s.exec(lower);
  const assignment = attached?.[1] ?? (previous === '-c' || previous === '--config' ? lower : null);
  if (assignment === null) return false;
  const key = (assignment.split('=', 1)[0] ?? '').replaceAll(/["'\s]/g, '');
  return key.split('.').includes(forbidden);
}

/** Leaves out dashes, underscores, blanks, quotes and colons, so that they hide no word. */
function squeeze(text: string): string {
  return text.replaceAll(/[-_\s"':]/g, '');
}
