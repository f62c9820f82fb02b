import { Resolver } from 'node:dns/promises';
import type { DurationMs } from '@partnerkit/core';

/**
 * Resolves a host name to all its IPv4 and IPv6 addresses. An empty list or a rejection is the failure `dns`.
 * @public
 */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** The addresses of a host name. */
export interface Addresses {
  readonly known: readonly string[];
  /** Further addresses, to be tried when no known one can be connected. */
  readonly late?: Promise<readonly string[]>;
}

export type Resolve = (hostname: string) => Promise<Addresses>;

/** Wait for AAAA after A has come: the Resolution Delay of RFC 8305 §3. */
const resolutionDelay: DurationMs = 50;

/** Whether `work` settles within the delay. */
const isInTime = (work: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, resolutionDelay, false);
    void work.finally(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });

/**
 * Queries the name servers of the machine by c-ares for A and AAAA at once; `/etc/hosts` is not read. Unlike
 * `dns.lookup`, it blocks no thread of the pool, so a dead zone of one partner does not delay others. When the answer
 * to AAAA does not come, for example because a firewall drops it, the addresses of A are returned without it. It does
 * not go on without A: a machine without IPv6 would connect nowhere.
 */
export const dnsResolve =
  (resolver = new Resolver({ timeout: 2_000, tries: 2 })): Resolve =>
  async (hostname) => {
    const late = resolver.resolve6(hostname).catch((): string[] => []);
    const known = await resolver.resolve4(hostname).catch((): string[] => []);
    if (known.length > 0 && !(await isInTime(late))) return { known, late };
    return { known: [...known, ...(await late)] };
  };

/** Asks `lookup`, or DNS when there is none. */
export const resolveBy = (lookup: Lookup | undefined): Resolve =>
  lookup ? async (hostname) => ({ known: await lookup(hostname) }) : dnsResolve();
