import { isIPv4 } from 'node:net';

/** The port of a provider that names none. */
const usualPort = 443;

/**
 * `HOST` or `HOST:PORT` in the form in which hosts are compared: lower case, no dot at the end, the usual form of an
 * address, always a port. Null: it is no host, or another program could read another host in it.
 *
 * @param port the port if none is named; null: one must be named
 */
export function readHost(text: string, port: number | null = usualPort): string | null {
  const found = /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,254})(?::([1-9][0-9]{0,4}))?$/.exec(text);
  const named = found?.[2] === undefined ? port : Number(found[2]);
  const host = hostName(found?.[1] ?? '');
  return host === null || named === null || named > 65_535 ? null : `${host}:${named}`;
}

/** The host in the base URL of a variable; null: it names none. */
export function hostOfUrl(text: string): string | null {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || !/^(https?|wss?):$/.test(url.protocol)) return null;
  return readHost(url.host, /s:$/.test(url.protocol) ? usualPort : 80);
}

/** The two parts of a text that `readHost` has made; an IPv6 address loses its brackets. */
export function partsOfHost(host: string): { readonly name: string; readonly port: number } {
  const at = host.lastIndexOf(':');
  return { name: host.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(host.slice(at + 1)) };
}

function hostName(text: string): string | null {
  if (text.startsWith('[')) return URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : null;
  const name = text.toLowerCase().replace(/\.$/, '');
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  // Refuses numbers that are no plain address, because some programs read 127.1, 0x7f.1 and 2130706433 as addresses.
  if (/^(\d+|0x[0-9a-f]*)$/.test(last)) return isIPv4(name) ? name : null;
  return labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) ? name : null;
}
