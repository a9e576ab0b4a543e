import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { readHost } from '../../adapters/launches/hosts';

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
