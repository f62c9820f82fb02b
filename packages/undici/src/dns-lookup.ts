import { Resolver } from 'node:dns/promises';

/**
 * All addresses of a host name, IPv4 and IPv6, as texts. None, or a rejection, is the failure `dns`.
 * @public
 */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/**
 * The name servers of the machine, asked by c-ares for A and AAAA at once; `/etc/hosts` is not read. Unlike `dns.lookup` it
 * holds no thread of the pool, so one partner's dead zone delays no other.
 * @internal
 */
export const dnsLookup =
  (resolver = new Resolver({ timeout: 2_000, tries: 2 })): Lookup =>
  async (hostname) => {
    const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  };
