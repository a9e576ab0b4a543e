import type { ExitRecord, LaunchTicket } from '../contracts/launch';
import { openProviderProxy, type ProviderProxy } from './providerProxy';

/** The network of one launch that reaches approved hosts only. */
export interface ProviderNetwork {
  /** The ticket with the relay around its worker and the way to the proxy in its sandbox. */
  readonly ticket: LaunchTicket;
  readonly proxy: ProviderProxy;
}

/** Where the proxy's socket is in the sandbox: /dev is always its own, and a sandbox inside it has another. */
const inside = '/dev/mission-network';

/** Null: the ticket names no hosts. */
export async function openProviderNetwork(ticket: LaunchTicket): Promise<ProviderNetwork | null> {
  const { sandbox } = ticket;
  if (sandbox?.hosts === undefined) return null;
  const proxy = await openProviderProxy(sandbox.hosts);
  const electron = process.versions['electron'] === undefined ? [] : ['--setenv', 'ELECTRON_RUN_AS_NODE', '1'];
  const argv = [...sandbox.argv.slice(0, -1), '--ro-bind', proxy.socket, inside, ...electron, '--'];
  const worker = [process.execPath, process.argv[1] ?? '', 'relay', inside, '--', ...ticket.argv];
  return { ticket: { ...ticket, sandbox: { ...sandbox, argv }, argv: worker }, proxy };
}

/** The hosts that a launch did not reach, as denials of its record. */
export function withHeldBack(record: ExitRecord, hosts: readonly string[]): ExitRecord {
  const { summary } = record;
  if (summary === null || hosts.length === 0) return record;
  const denials = hosts.map((host) => ({
    kind: 'denial' as const,
    tool: 'network',
    path: null,
    reason: `${host} was held back: only the hosts of its provider can be reached.`,
    source: 'network' as const,
  }));
  // They come first: of many only some are kept.
  return { ...record, summary: { ...summary, denials: [...denials, ...summary.denials] } };
}
