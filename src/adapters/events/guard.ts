import { STATUS_CODES, type IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCode } from '../../base/outcome';
import { eventStatuses, type EventAnswerCode } from '../../contracts/vocabulary/eventAnswers';

/** The reason why a request gets no more than a code as its answer. */
export interface Refused {
  readonly code: EventAnswerCode;
  readonly reason: string;
  readonly next: string;
}

interface AskedRequest {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
}

/**
 * Returns the refusal that holds for every client; null: the request passes. A name that an attacker owns may lead here
 * (DNS rebinding), so only names of the loopback count. Any port counts, because a forwarded one (VS Code, ssh) differs
 * and no page can forge it. A page of another site or port may ask, but names itself in `Origin` or `Sec-Fetch-Site`.
 * It gets nothing, whatever its cookie.
 */
export function requestRefusal({ method, headers, path }: AskedRequest, port: number): Refused | null {
  const host = headers.host?.toLowerCase() ?? '';
  // Every client leaves out HTTP's default port.
  if (
    !/^(127\.0\.0\.1|localhost):[1-9]\d{0,4}$/.test(host) &&
    !(port === 80 && /^(127\.0\.0\.1|localhost)$/.test(host))
  )
    return {
      code: 'HOST_REFUSED',
      reason: 'This server answers under its own address only.',
      next: `Use http://127.0.0.1:${port}.`,
    };
  const { origin } = headers;
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`) return otherSite;
  const site = headers['sec-fetch-site'];
  // Any page may open a link, because its code alone admits, and only once.
  const opens = path === openPath && headers['sec-fetch-mode'] === 'navigate';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !opens) return otherSite;
  if (method !== 'GET') return { code: 'ONLY_READING', reason: 'Nothing can be changed here.', next: 'Ask with GET.' };
  return null;
}

/** The path that a one-time link leads to. */
export const openPath = '/open';

const otherSite: Refused = {
  code: 'ORIGIN_REFUSED',
  reason: 'A page of another site asked, or one of another port of this machine.',
  next: 'Open Mission Control by its one-time link.',
};

export const answerHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const;
/** The policy that lets a browser load nothing. */
export const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
export const json = 'application/json; charset=utf-8';

export function refusedBody({ code, reason, next }: Refused): string {
  return `${JSON.stringify({ accepted: false, code, reason, next: [next] })}\n`;
}

/** Milliseconds that a refused client has to read the reason. */
const reads = 1000;

/**
 * Answers bytes that Node.js could not parse as a request. Closes the connection without an answer if one is under way,
 * or if the client sent nothing in time.
 *
 * @param answering an answer of ours is under way
 */
export function refuseUnreadable(error: unknown, socket: Duplex, answering: boolean): void {
  // The answer is sent already, and the client is still sending.
  if (socket.writableEnded) return;
  const refused = refusalOfUnreadable(errorCode(error));
  if (refused === null || answering || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = eventStatuses[refused.code];
  const body = refusedBody(refused);
  const lines = Object.entries({
    ...answerHeaders,
    'content-security-policy': nothing,
    'content-type': json,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  // Waits before it closes, because closing with unread bytes would discard the answer.
  const timer = setTimeout(() => socket.destroy(), reads);
  socket.once('close', () => clearTimeout(timer));
}

function refusalOfUnreadable(code: string | null): Refused | null {
  if (code === 'HPE_HEADER_OVERFLOW') return tooLarge;
  return code?.startsWith('HPE_') === true ? noRequest : null;
}

/** Bytes of request line and headers together. */
export const largestHead = 8 * 1024;

const tooLarge: Refused = {
  code: 'HEAD_TOO_LARGE',
  reason: `Request line and headers are larger than ${largestHead} bytes.`,
  next: 'In a browser, remove the cookies of 127.0.0.1: it sends those of every server there.',
};
const noRequest: Refused = {
  code: 'REQUEST_INVALID',
  reason: 'That is no request of HTTP.',
  next: 'See docs/guide/browser.md.',
};
