import { isIP } from 'node:net';
import type { AddressRule } from './address-rules.ts';
import { localhostAddresses } from './loopback.ts';

/**
 * Whether anything can be sent to a URL, as far as it can be told without the network: a name may resolve to anything, an address and
 * `localhost` cannot.
 * @internal
 */
export const canReach =
  (allows: AddressRule) =>
  (url: string): boolean => {
    const { protocol, hostname } = new URL(url);
    if (protocol !== 'https:') return false;
    const host = hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0) return allows(host);
    return localhostAddresses(host)?.some(allows) ?? true;
  };
