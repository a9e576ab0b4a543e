import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorCode, errorWords, refused, done, type Outcome } from '../../base/outcome';
import { eventStatuses, type EventAnswerCode } from '../../contracts/vocabulary/eventAnswers';
import { clientLimits, openStream, type ClientLimits, type StreamClient } from './client';
import {
  answerHeaders,
  json,
  largestHead,
  nothing,
  openPath,
  refusedBody,
  refuseUnreadable,
  requestRefusal,
  type Refused,
} from './guard';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A request that has passed the guard. */
export interface Asked {
  /** The path without a browser's prefix. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly lastEventId: string | null;
}

export type Reply =
  | {
      readonly kind: 'body';
      readonly type: string;
      readonly body: string;
      /** Absent: a policy that lets a browser load nothing. */
      readonly policy?: string;
      readonly cookie?: string;
    }
  | { readonly kind: 'refused'; readonly refused: Refused }
  /** `run` lasts as long as the client; when it returns, the stream ends. */
  | { readonly kind: 'stream'; readonly run: (client: StreamClient) => Promise<void> };

export interface EventServerParts {
  /** 0: any free port. */
  readonly port: number;
  readonly answer: (asked: Asked) => Promise<Reply>;
  /** Streams that may be open at once. */
  readonly clients: number;
  readonly limits?: ClientLimits;
  readonly now: () => number;
  readonly onProblem: (problem: string) => void;
}

export interface EventServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly token: string;
  /** Returns a new link for a browser, which works once and for a short time. */
  readonly link: () => string;
  readonly clients: number;
  /** Ends every stream and the server; resolves when the last connection is closed. */
  close(): Promise<void>;
}

/** The path where a client with the token gets a new link. */
const linkPath = '/link';

/** Listens on 127.0.0.1 only. Refuses when the port is taken. */
export async function openEventServer(parts: EventServerParts): Promise<Outcome<EventServer>> {
  const access = new Access(parts.now);
  const streams = new Set<StreamClient>();
  const limits = parts.limits ?? clientLimits;
  // Limits time and size of a request; a stream lasts as long as its client.
  const server = createServer({
    ...{ headersTimeout: limits.asks, requestTimeout: 1.5 * limits.asks, maxHeaderSize: largestHead },
    // Node.js checks every 30 s by default, and silent connections would keep the others out for so long.
    connectionsCheckingInterval: limits.asks / 10,
  });
  const connections = new Connections(4 * parts.clients);
  server.on('connection', (socket) => connections.opened(socket));
  const listening = await listen(server, parts.port);
  if (!listening.ok) return listening;
  const port = listening.value;
  const origin = `http://127.0.0.1:${port}`;
  const link = (): string => `${origin}${openPath}?code=${access.link()}`;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const reply = await replyTo(request);
    if (reply.kind === 'stream') await stream(request, response, reply.run);
    else if (reply.kind === 'refused') refuse(response, reply.refused);
    else send(response, 200, reply);
  };
  const replyTo = async (request: IncomingMessage): Promise<Reply> => {
    const url = urlOf(request.url);
    if (url === null) return notThere;
    const refusal = requestRefusal({ method: request.method, headers: request.headers, path: url.pathname }, port);
    if (refusal) return { kind: 'refused', refused: refusal };
    if (url.pathname === openPath) return letIn(url.searchParams.get('code') ?? '');
    const { prefix, path } = withoutPrefix(url.pathname);
    const { authorization, cookie } = request.headers;
    const mayAsk = prefix === null ? access.hasToken(authorization) : access.isBrowser(prefix, cookie);
    if (!mayAsk) return notSignedIn;
    connections.letIn(request.socket);
    // Only a client with the token gets a link; an admitted browser cannot admit another.
    if (url.pathname === linkPath) return { kind: 'body', type: text, body: `${link()}\n` };
    const query = queryOf(url.searchParams);
    if (query === null) return twice;
    const last = request.headers['last-event-id'];
    return parts.answer({ path, query, lastEventId: last === undefined ? null : String(last) });
  };
  const letIn = (code: string): Reply => {
    const kept = access.redeem(code);
    if (kept === null) return linkUsed;
    // Sends a page instead of a redirect, because browsers send a strict cookie only when the site itself leads there.
    const path = `/${kept.prefix}/`;
    const body = `<!DOCTYPE html><meta http-equiv="refresh" content="0;url=${path}"><title>Mission Control</title>`;
    const cookie = `${cookieName}=${kept.cookie}; HttpOnly; SameSite=Strict; Path=${path}`;
    return { kind: 'body', type: html, body, cookie };
  };
  const stream = async (
    request: IncomingMessage,
    response: ServerResponse,
    run: (client: StreamClient) => Promise<void>,
  ): Promise<void> => {
    if (streams.size >= parts.clients) {
      refuse(response, tooMany);
      return;
    }
    request.socket.setTimeout(0);
    for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value);
    const client = await openStream(request, response, limits);
    streams.add(client);
    void client.gone.then(() => streams.delete(client));
    await run(client);
    client.end();
  };
  /** Counts requests under way, because a client may send the next one before it has the answer. */
  const answering = new WeakMap<Duplex, number>();
  const count = (socket: Duplex, change: 1 | -1): unknown =>
    answering.set(socket, (answering.get(socket) ?? 0) + change);
  server.on('request', (request, response) => {
    count(request.socket, 1);
    response.once('close', () => count(request.socket, -1));
    answer(request, response).catch((error: unknown) => {
      parts.onProblem(`A request could not be answered: ${errorWords(error)}`);
      if (response.headersSent) response.destroy();
      else refuse(response, notReadable);
    });
  });
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, (answering.get(socket) ?? 0) > 0));
  return done({
    port,
    origin,
    token: access.token,
    link,
    get clients() {
      return streams.size;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of streams) client.end();
        server.closeIdleConnections();
        // Closes all, because a client that does not read must not keep the server open.
        setTimeout(() => server.closeAllConnections(), 500).unref();
      }),
  });
}

export function refusing(code: EventAnswerCode, reason: string, next: string): Reply {
  return { kind: 'refused', refused: { code, reason, next } };
}

async function listen(server: Server, port: number): Promise<Outcome<number>> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: '127.0.0.1', port, exclusive: true }, resolve);
    });
    return done((server.address() as AddressInfo).port);
  } catch (error) {
    const taken = errorCode(error) === 'EADDRINUSE';
    return refused(
      'PORT_UNAVAILABLE',
      taken ? `Port ${port} is in use.` : `Port ${port} of 127.0.0.1 cannot be opened: ${errorWords(error)}.`,
      'Leave --port out, and any that is free is taken.',
    );
  }
}

/** Null: the request names no path of a server. */
function urlOf(asked: string | undefined): URL | null {
  if (asked?.startsWith('/') !== true || asked.startsWith('//')) return null;
  try {
    return new URL(asked, 'http://127.0.0.1');
  } catch {
    return null;
  }
}

/** Null: a name occurs twice, so it is unclear which value counts. */
function queryOf(search: URLSearchParams): Readonly<Record<string, string>> | null {
  const entries = [...search];
  const query = Object.fromEntries(entries);
  return Object.keys(query).length === entries.length ? query : null;
}

function refuse(response: ServerResponse, refused: Refused): void {
  const { code } = refused;
  if (code === 'ONLY_READING') response.setHeader('allow', 'GET');
  if (code === 'NOT_SIGNED_IN') response.setHeader('www-authenticate', 'Bearer');
  // Closes the connection, because the server does not wait for the body.
  response.setHeader('connection', 'close');
  send(response, eventStatuses[code], { type: json, body: refusedBody(refused) });
}

type Body = Omit<Extract<Reply, { readonly kind: 'body' }>, 'kind'>;

function send(response: ServerResponse, status: number, { type, body, policy = nothing, cookie }: Body): void {
  for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value);
  response.setHeader('content-security-policy', policy);
  response.setHeader('content-type', type);
  if (cookie !== undefined) response.setHeader('set-cookie', cookie);
  response.statusCode = status;
  response.end(body);
}

const text = 'text/plain; charset=utf-8';
const html = 'text/html; charset=utf-8';

const notThere = refusing('NOT_THERE', 'There is nothing here.', 'Open Mission Control by its one-time link.');
const notSignedIn = refusing(
  'NOT_SIGNED_IN',
  'This needs the token that was printed when the server was started, or a one-time link.',
  'Send the header Authorization: Bearer TOKEN.',
);
const linkUsed = refusing(
  'LINK_USED',
  'This link works once, and not for long: it was used, is too old, or never was one.',
  `With the token, GET ${linkPath} gives another one.`,
);
const twice = refusing('REQUEST_INVALID', 'A parameter is there twice.', 'Name it once.');
const tooMany: Refused = {
  code: 'TOO_MANY_CLIENTS',
  reason: 'As many clients as are served read already.',
  next: 'Close one, then try again.',
};
const notReadable: Refused = {
  code: 'NOT_READABLE',
  reason: 'This could not be read; the server’s own output says why.',
  next: 'mission doctor',
};

/** Limits the open connections. Closes the oldest without access first, so that a silent client keeps no other out. */
class Connections {
  /** Connections without access, the oldest first. */
  readonly #strangers = new Set<Socket>();
  readonly #letIn = new Set<Socket>();

  constructor(private readonly most: number) {}

  opened(socket: Socket): void {
    this.#strangers.add(socket);
    socket.once('close', () => this.#forget(socket));
    if (this.#strangers.size + this.#letIn.size <= this.most) return;
    // Closes the new one itself if all the others have access.
    const [oldest = socket] = this.#strangers;
    this.#forget(oldest);
    oldest.destroy();
  }

  letIn(socket: Socket): void {
    if (this.#strangers.delete(socket)) this.#letIn.add(socket);
  }

  #forget(socket: Socket): void {
    this.#strangers.delete(socket);
    this.#letIn.delete(socket);
  }
}

/** Milliseconds that a one-time link works. */
const linkLives = 120_000;
/** At most so many unused links and admitted browsers are kept; the oldest are dropped first. */
const keptAtMost = 20;

/**
 * Decides who may read: a client that has the token, or a browser that opened a one-time link. A
 * browser needs the link, because its EventSource sends no bearer. All secrets are random, kept in
 * memory only, and gone with the process. All but the token are kept as digests.
 *
 * Cookies know no port: a browser sends those of 127.0.0.1 to every server there. So a browser
 * sends its cookie only below a path of its own, and only there it counts. No other server can lead
 * the browser to that path, because the path is a secret.
 */
class Access {
  /** 256 random bits; only the person who started the server sees them. */
  readonly token = secret();
  readonly #tokenDigest = digest(this.token);
  readonly #links = new Map<string, number>();
  /** Digests of a browser's path and cookie. */
  readonly #browsers = new Map<string, Buffer>();

  /** @param now milliseconds that only rise */
  constructor(private readonly now: () => number) {}

  /** Returns the code of a new link, which works once and for a short time. */
  link(): string {
    const code = secret();
    this.#links.set(keyOf(code), this.now() + linkLives);
    forgetOldest(this.#links);
    return code;
  }

  /** Returns the path and cookie that admit this browser; null: the code is wrong, used, or too old. */
  redeem(code: string): { readonly prefix: string; readonly cookie: string } | null {
    const key = keyOf(code);
    const until = this.#links.get(key);
    this.#links.delete(key);
    if (until === undefined || this.now() > until) return null;
    const [prefix, cookie] = [secret(), secret()];
    this.#browsers.set(keyOf(prefix), digest(cookie));
    forgetOldest(this.#browsers);
    return { prefix, cookie };
  }

  hasToken(authorization: string | undefined): boolean {
    const [, given = ''] = /^Bearer ([A-Za-z0-9_-]{43})$/.exec(authorization ?? '') ?? [];
    return timingSafeEqual(digest(given), this.#tokenDigest);
  }

  /** @param cookies the header as received */
  isBrowser(prefix: string, cookies: string | undefined): boolean {
    // Looks up the digest, because the time of a lookup then shows nothing about the secret.
    const kept = this.#browsers.get(keyOf(prefix));
    if (kept === undefined) return false;
    const given = (cookies ?? '').split(';').map((one) => one.trim().split('='));
    return given.some(([key, value = '']) => key === cookieName && timingSafeEqual(digest(value), kept));
  }
}

const cookieName = 'mission_control';

/** Splits off the first part of a path if it is that of a browser. */
function withoutPrefix(path: string): { readonly prefix: string | null; readonly path: string } {
  const [, prefix = null, rest = path] = /^\/([A-Za-z0-9_-]{43})(\/.*)$/.exec(path) ?? [];
  return { prefix, path: rest };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function keyOf(text: string): string {
  return digest(text).toString('base64');
}

function forgetOldest(all: Map<string, unknown>): void {
  for (const key of all.keys()) {
    if (all.size <= keptAtMost) return;
    all.delete(key);
  }
}
