import { isIP } from 'node:net';
import { type AddressRule, addressRule } from './address-rules.ts';
import { isLoopbackHost, localhostAddresses } from './loopback.ts';
import type { HttpsSenderOptions } from './sender-options.ts';

/** The destinations that a sender accepts. */
export interface DestinationRules {
  readonly allows: AddressRule;
  readonly development: boolean;
  canReach(url: string): boolean;
}

/** Values of NODE_ENV with which `development` is allowed; a staging system is none of them. */
const developing = new Set<string | undefined>([undefined, '', 'development', 'test']);

/**
 * The destinations that the options of a sender allow. `canReach` does not use the network: it refuses forbidden
 * addresses and `localhost`, and accepts every other name.
 * @throws TypeError that names an entry of `allow` that is not a CIDR range, an entry of `nat64` that is not a prefix,
 * or `development` with another `NODE_ENV` than `development` and `test`.
 */
export const destinationRules = ({
  allow = [],
  nat64 = [],
  development = false,
}: Pick<HttpsSenderOptions, 'allow' | 'nat64' | 'development'>): DestinationRules => {
  const environment = process.env['NODE_ENV'];
  if (development && !developing.has(environment))
    throw new TypeError(
      `development: not with NODE_ENV=${environment}; leave it out, or set NODE_ENV to development or test.`,
    );
  const allows = addressRule(development ? [...allow, 'localhost'] : allow, nat64);
  return {
    allows,
    development,
    canReach: (url) => {
      const { protocol, hostname } = new URL(url);
      const host = hostname.replace(/^\[|\]$/g, '');
      // Not `allows`: that rule opens public addresses, too.
      if (protocol === 'http:') return development && isLoopbackHost(host);
      if (protocol !== 'https:') return false;
      if (isIP(host) !== 0) return allows(host);
      return localhostAddresses(host)?.some(allows) ?? true;
    },
  };
};
