import { Resolver } from 'node:dns/promises';

/**
 * Resolves a host name to all its IPv4 and IPv6 addresses. An empty list or a rejection is the failure `dns`.
 * @public
 */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/**
 * Queries the name servers of the machine by c-ares for A and AAAA at once; `/etc/hosts` is not read. Unlike
 * `dns.lookup`, it blocks no thread of the pool, so a dead zone of one partner does not delay others.
 * @internal
 */
export const dnsLookup =
  (resolver = new Resolver({ timeout: 2_000, tries: 2 })): Lookup =>
  async (hostname) => {
    const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  };
