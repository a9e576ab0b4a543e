import type { LaunchTicket, StreamSummary, WorkerSignal } from '../../contracts/launch';
import { redactText, type Secrets } from '../../adapters/system/redact';
import { openProviderProxy } from './providerProxy';
import { relayed } from './relaySocket';

/** The network of one launch that reaches approved hosts only. */
export type ProviderNetwork = NonNullable<Awaited<ReturnType<typeof openProviderNetwork>>>;

/**
 * The place of the proxy's socket in the sandbox, below /dev, because that is always its own; a nested sandbox has
 * another.
 */
const inside = '/dev/mission-network';

/** The ticket has the relay around its worker, and the socket to the proxy in its sandbox. Null: it names no hosts. */
export async function openProviderNetwork(ticket: LaunchTicket) {
  const { sandbox } = ticket;
  if (sandbox?.hosts === undefined) return null;
  const { socket, ...proxy } = await openProviderProxy(sandbox.hosts);
  return { ticket: relayed(ticket, [{ socket, inside }], ['relay', inside]), ...proxy };
}

/**
 * Returns a denial for a host that a launch was refused. Redacts it, because a worker chose the name and may have put a
 * secret into it.
 */
export function heldBackDenial(host: string, secrets: Secrets): Denial {
  // Searches lower-case secrets too, because hosts are in lower case.
  const lower = secrets.map((secret) =>
    typeof secret === 'string' ? secret.toLowerCase() : { ...secret, value: secret.value.toLowerCase() },
  );
  const shown = redactText(host, [...secrets, ...lower]).text;
  const reason = `${shown} was held back: only the hosts of its provider can be reached.`;
  return { kind: 'denial', tool: 'network', path: null, reason, source: 'network' };
}

type Denial = Extract<WorkerSignal, { kind: 'denial' }>;

/** Puts these denials first, because only some of many are kept. */
export function withHeldBack(summary: StreamSummary, network: ProviderNetwork | null, secrets: Secrets): StreamSummary {
  const denials = (network?.heldBack() ?? []).map((host) => heldBackDenial(host, secrets));
  return { ...summary, denials: [...denials, ...summary.denials] };
}
