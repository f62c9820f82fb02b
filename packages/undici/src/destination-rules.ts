import { isIP } from 'node:net';
import { type AddressRule, addressRule } from './address-rules.ts';
import { localhostAddresses } from './loopback.ts';
import type { UndiciSenderOptions } from './undici-sender.ts';

/** Which destinations a sender takes, and what a `Sender` says of them. @internal */
export interface DestinationRules {
  readonly allows: AddressRule;
  readonly development: boolean;
  canReach(url: string): boolean;
}

/**
 * What the options of a sender allow. A URL counts as reachable as far as it can be told without the network: a name may
 * resolve to anything, an address and `localhost` cannot.
 * @throws TypeError that names the entry of `allow` which is no CIDR range, or `development` in production.
 * @internal
 */
export const destinationRules = ({
  allow = [],
  development = false,
}: Pick<UndiciSenderOptions, 'allow' | 'development'>): DestinationRules => {
  if (development && process.env['NODE_ENV'] === 'production')
    throw new TypeError('development: not with NODE_ENV=production; leave it out, or set NODE_ENV to something else.');
  const allows = addressRule(development ? [...allow, 'localhost'] : allow);
  return {
    allows,
    development,
    canReach: (url) => {
      const { protocol, hostname } = new URL(url);
      if (protocol !== 'https:') return false;
      const host = hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0) return allows(host);
      return localhostAddresses(host)?.some(allows) ?? true;
    },
  };
};
