import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCode } from '../../base/outcome';
import { eventStatuses } from '../../contracts/vocabulary/eventAnswers';
import type { Refused } from './guard';

/** Headers of every answer. */
export const headers = {
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
    ...headers,
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
