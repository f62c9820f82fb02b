import { isIP } from 'node:net';
import { type AddressRule, addressRule } from './address-rules.ts';
import { localhostAddresses } from './loopback.ts';
import type { UndiciSenderOptions } from './sender-options.ts';

/** The destinations that a sender accepts. @internal */
export interface DestinationRules {
  readonly allows: AddressRule;
  readonly development: boolean;
  canReach(url: string): boolean;
}

/**
 * The destinations that the options of a sender allow. `canReach` does not use the network: it refuses forbidden
 * addresses and `localhost`, and accepts every other name.
 * @throws TypeError that names an entry of `allow` that is not a CIDR range, or `development` in production.
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
