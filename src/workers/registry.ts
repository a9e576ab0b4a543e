import { agentNames, type AgentName, type WorkerName } from '../contracts/vocabulary/workers';
import { agent as claude } from './claude/agent';
import { agent as codex } from './codex/agent';
import { agent as gemini } from './gemini/agent';
import { agent as opencode } from './opencode/agent';
import { forbiddenAmong } from './shared/forbidden';
import { parseVersion } from './versions';
import type { AgentWorker } from './worker';

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
