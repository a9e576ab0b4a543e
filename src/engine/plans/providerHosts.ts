import type { AgentName, WorkerName } from '../../contracts/vocabulary/workers';
import type { Refusal } from '../../base/outcome';
import type { SpeaksTo } from '../../core/model/facts';
import type { ProviderFacts } from '../ports/workers';
import type { MachineConfinement, ProviderStanding } from '../../core/plan/approvalSummary';

/** The hosts that the agents of a plan talk to, one `AGENT=HOST:PORT` each: what an approval records. */
export function approvedHosts(
  workers: readonly WorkerName[],
  providers: MachineConfinement['providers'],
): readonly string[] | undefined {
  if (providers === undefined) return undefined;
  const lines = workers.flatMap((worker) => (worker === 'command' ? [] : linesOf(worker, hostsIn(providers[worker]))));
  return [...new Set(lines)].sort();
}

/** Returns what the journal records of a launch. */
export function speaksTo({ hosts, from, not_passed }: ProviderFacts): SpeaksTo {
  return { hosts, from, ...(not_passed.length > 0 && { not_passed }) };
}

/** One sentence for the person who approves. */
export function speaksToWords(standing: ProviderStanding | undefined): string | undefined {
  if (standing === undefined) return undefined;
  if (!standing.ok) return `REFUSED HERE: ${standing.refusal.reason} ${standing.refusal.next.join(' ')}`.trim();
  return `${standing.value.hosts.join(', ')} (${standing.value.from})`;
}

/** Refuses an agent that would talk to another host than its approval recorded; null: it may start. */
export function refusalOfChangedHost(
  agent: AgentName,
  hosts: readonly string[] | undefined,
  approved: readonly string[] | undefined,
  next: string,
): Refusal | null {
  const before = approved?.filter((line) => line.startsWith(`${agent}=`)).map((line) => line.slice(agent.length + 1));
  if (before === undefined || before.length === 0 || hosts === undefined) return null;
  const now = [...hosts].sort().join(', ');
  const shown = [...before].sort().join(', ');
  if (now === shown) return null;
  const reason = `${agent} would talk to ${now}, and the approval was given for ${shown}.`;
  return { code: 'PROVIDER_CHANGED', reason, next: [next] };
}

/** The step for a person while the mission waits. */
export const changedHostStep =
  'Put the configuration of the agent back and retry the task; or cancel the mission, approve the plan again and run it.';

function linesOf(agent: AgentName, hosts: readonly string[]): readonly string[] {
  return hosts.map((host) => `${agent}=${host}`);
}

/** The hosts of an approval; empty while the provider is refused, because that approval covers no host. */
function hostsIn(standing: ProviderStanding | undefined): readonly string[] {
  return standing?.ok === true ? standing.value.hosts : ['no host'];
}
