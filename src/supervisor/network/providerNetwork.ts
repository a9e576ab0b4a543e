import type { LaunchTicket, StreamSummary, WorkerSignal } from '../../contracts/launch';
import { redactText, type Secrets } from '../../adapters/system/redact';
import { relayed, listenForRelay } from './relaySocket';
import http from 'node:http';
import { connect, type LookupFunction, type Socket, BlockList, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { partsOfHost, readHost } from '../../adapters/launches/hosts';
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';

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

const mostHeldBack = 20;
const connectMs = 30_000;

/**
 * An HTTP proxy on a Unix socket that reaches `hosts` (as `readHost` makes them) and nothing else: by CONNECT, and
 * by requests in absolute form. It is the only way out of a sandbox without a network. Only a worker speaks to it, so everything
 * it receives is hostile.
 */
export async function openProviderProxy(hosts: readonly string[], lookup: LookupFunction = lookupOutside) {
  const approved = new Set(hosts);
  const only = hosts.length === 0 ? 'none' : `only ${hosts.join(', ')}`;
  const refused = new Set<string>();
  let tell: (host: string) => void = () => undefined;
  const holdBack = (host: string): void => {
    const shownHost = refused.size < mostHeldBack || refused.has(host) ? host : 'further hosts';
    if (refused.has(shownHost)) return;
    refused.add(shownHost);
    tell(shownHost);
  };
  /** Null: the worker may reach the host. Else: the answer for the worker. */
  const refusal = (host: string | null): Refused | null => {
    if (host === null) return noHost;
    if (approved.has(host)) return null;
    holdBack(host);
    // Leaves out the name: a worker prints this, and no redaction knows a secret that went through a proxy.
    return { status: '403 Forbidden', sentence: `This host was held back: the network of this task has ${only}.` };
  };
  const failed = (host: string, error: Error): Refused => {
    if (!(error instanceof OwnAddress))
      return { status: '502 Bad Gateway', sentence: `${host} was not reached: ${error.message}.` };
    holdBack(`${host} (${error.message})`);
    return { status: '403 Forbidden', sentence: 'This host was held back: it leads to this machine or its own link.' };
  };

  const server = http.createServer({ maxHeaderSize: 16 * 1024, headersTimeout: 15_000, keepAliveTimeout: 5_000 });
  const open = new Set<Duplex>();
  const kept = <S extends Duplex>(socket: S): S => {
    open.add(socket);
    return socket.once('close', () => open.delete(socket));
  };
  const reach = (host: string): Socket => {
    const { name, port } = partsOfHost(host);
    return kept(connect({ host: name, port, lookup, autoSelectFamily: true }));
  };

  server.on('connection', kept);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
    answer(socket, { status, sentence: 'This is no request for a proxy.' });
  });
  server.on('connect', (request, client, head) => {
    const host = hostOfConnect(request.url ?? '');
    const no = refusal(host);
    if (host === null || no !== null) answer(client, no ?? noHost);
    else tunnel(client, reach(host), head, (error) => failed(host, error));
  });
  server.on('request', (request, response) => {
    const target = targetOfRequest(request.url ?? '');
    const no = refusal(target?.host ?? null);
    if (target === null || no !== null) {
      answerRequest(response, no ?? noHost);
      return;
    }
    forward(request, response, {
      ...target,
      reach: () => reach(target.host),
      failed: (error) => failed(target.host, error),
    });
  });

  const { socket, remove } = await listenForRelay(server);
  return {
    /** The only thing that listens. Its file is gone as soon as the relay in the sandbox has found it. */
    socket,
    /** Hosts that were asked for and refused, each once, bounded. */
    heldBack: (): readonly string[] => [...refused],
    /** Calls back for each refused host, including those before this call. */
    onHeldBack(callback: typeof tell): void {
      tell = callback;
      for (const host of refused) tell(host);
    },
    async close(): Promise<void> {
      server.close();
      for (const one of open) one.destroy();
      await remove();
    },
  };
}

interface Refused {
  /** Code and words of HTTP. */
  readonly status: string;
  readonly sentence: string;
}

const noHost: Refused = { status: '400 Bad Request', sentence: 'This names no host and port.' };

function answer(client: Duplex, { status, sentence }: Refused): void {
  client.on('error', () => undefined); // it may have gone
  if (!client.writable) return void client.destroy();
  client.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(sentence)}\r\nConnection: close\r\n\r\n${sentence}`,
  );
}

function answerRequest(response: http.ServerResponse, { status, sentence }: Refused): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(Number(status.slice(0, 3)), { 'Content-Type': 'text/plain', Connection: 'close' }).end(sentence);
}

function tunnel(client: Duplex, upstream: Socket, head: Buffer, failed: (error: Error) => Refused): void {
  upstream.setTimeout(connectMs, () => upstream.destroy(new Error('it does not answer')));
  client.on('error', () => upstream.destroy());
  client.on('close', () => upstream.destroy());
  let stands = false;
  upstream.once('connect', () => {
    stands = true;
    upstream.setTimeout(0).on('close', () => client.destroy());
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    upstream.write(head);
    client.pipe(upstream);
    upstream.pipe(client);
  });
  upstream.on('error', (error) => {
    // Sends no words of ours on an open tunnel, because its bytes are the provider's alone.
    if (stands) client.destroy();
    else answer(client, failed(error));
  });
}

interface Forwarded {
  readonly host: string;
  readonly path: string;
  readonly reach: () => Socket;
  readonly failed: (error: Error) => Refused;
}

function forward(request: http.IncomingMessage, response: http.ServerResponse, to: Forwarded): void {
  const { name, port } = partsOfHost(to.host);
  const upstream = http.request({
    method: request.method ?? 'GET',
    path: to.path,
    createConnection: to.reach,
    headers: { ...endToEnd(request), host: port === 80 ? bracketed(name) : to.host },
  });
  upstream.once('socket', (socket) => {
    socket.setTimeout(connectMs, () => socket.destroy(new Error('it does not answer')));
    socket.once('connect', () => socket.setTimeout(0));
  });
  upstream.on('error', (error) => answerRequest(response, to.failed(error)));
  upstream.on('response', (answered) => {
    response.writeHead(answered.statusCode ?? 502, endToEnd(answered));
    answered.on('error', () => response.destroy());
    answered.pipe(response);
  });
  request.on('error', () => upstream.destroy());
  response.on('close', () => upstream.destroy());
  response.on('error', () => upstream.destroy());
  request.pipe(upstream);
}

function bracketed(name: string): string {
  return name.includes(':') ? `[${name}]` : name;
}

/** Headers that concern one connection only, and those for a proxy. */
const hopByHop = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect'],
];

function endToEnd({ headers }: http.IncomingMessage): http.OutgoingHttpHeaders {
  const named = (headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const left = Object.entries(headers).filter(([name]) => !hopByHop.includes(name) && !named.includes(name));
  return Object.fromEntries(left);
}

/** The host that CONNECT names; null: it names no host. */
export function hostOfConnect(target: string): string | null {
  return readHost(target, null);
}

/** Finds the target of a request in absolute form, by its request line; its Host header does not count. */
export function targetOfRequest(url: string): { readonly host: string; readonly path: string } | null {
  const found = /^http:\/\/([^/?#\\@\s]+)((?:[/?][^\s#]*)?)$/i.exec(url);
  const host = readHost(found?.[1] ?? '', 80);
  const path = found?.[2] ?? '';
  return host === null ? null : { host, path: path.startsWith('/') ? path : `/${path}` };
}

/**
 * Finds the addresses of a name. Drops those of this machine and of its own link, because a name server must not lead
 * there. Only a name that says so itself (`localhost`), or an address, may lead there.
 */
export const lookupOutside: LookupFunction = (name, options: LookupOptions, callback) => {
  lookup(name, { ...options, all: true }, (error, found) => {
    const usable = error ? [] : found.filter((one) => name === 'localhost' || !isOwn(one));
    const [first] = usable;
    if (first === undefined) callback(error ?? new OwnAddress(name), []);
    else if (options.all === true) callback(null, usable);
    else callback(null, first.address, first.family);
  });
};

/** A name that leads to this machine, or to its own link. */
export class OwnAddress extends Error {
  constructor(name: string) {
    super(`${name} leads to an address of this machine or of its own link`);
  }
}

const own = new BlockList();
own.addSubnet('0.0.0.0', 8);
own.addSubnet('127.0.0.0', 8);
own.addSubnet('169.254.0.0', 16);
own.addSubnet('224.0.0.0', 3); // multicast, reserved, broadcast
own.addAddress('::', 'ipv6');
own.addAddress('::1', 'ipv6');
own.addSubnet('fe80::', 10, 'ipv6');
own.addSubnet('ff00::', 8, 'ipv6');

function isOwn({ address }: LookupAddress): boolean {
  const [bare = ''] = address.split('%');
  // BlockList judges an IPv4 address in IPv6 form as the IPv4 address.
  return isIP(bare) === 0 || own.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4');
}
