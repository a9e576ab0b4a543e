import { agentNames, type AgentName } from '../contracts/vocabulary/workers';
import { claude } from './claude/launch';
import { codex } from './codex/launch';
import { gemini } from './gemini/launch';
import { forbiddenAmong } from './shared/forbidden';
import { parseVersion } from './versions';
import type { AgentWorker } from './worker';

/** To add an agent CLI, imitate the smallest of them: `gemini/`. */
const workers: Readonly<Record<AgentName, AgentWorker>> = { claude, codex, gemini };

/** Every agent CLI the product can start. */
export const agentWorkers = perAgent((name) => guarded(workers[name]));

/** What whoever looks for the CLIs on a machine needs to know of them. */
export const agentCatalog = { workers: agentWorkers, parseVersion } as const;

/** Something of each agent. */
export function perAgent<T>(build: (name: AgentName) => T): Readonly<Record<AgentName, T>> {
  return Object.fromEntries(agentNames.map((name) => [name, build(name)])) as Readonly<Record<AgentName, T>>;
}

/** Arguments that would switch the safety of any CLI off, wherever they come from. */
export function forbiddenArguments(args: readonly string[]): string[] {
  return forbiddenAmong(
    args,
    agentNames.map((name) => workers[name].forbidden),
  );
}

/**
 * The engine refuses forbidden extra arguments of the user with a code before it asks for a launch line; one that
 * arrives here nevertheless is a broken invariant.
 */
function guarded(worker: AgentWorker): AgentWorker {
  return {
    ...worker,
    launch(request) {
      const forbidden = forbiddenArguments(request.extraArgs);
      if (forbidden.length > 0)
        throw new Error(`Invariant: arguments that switch safety off reached a launch line: ${forbidden.join(' ')}`);
      return worker.launch(request);
    },
  };
}
