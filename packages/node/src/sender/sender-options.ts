import type { Sender } from '@partnerkit/core/adapter';
import type { Lookup } from './dns-lookup.ts';

/**
 * Options of `httpsSender` and `undiciSender`.
 * @public
 */
export interface HttpsSenderOptions {
  /**
   * Ranges that are allowed beside public addresses: CIDR ranges such as `10.20.0.0/16`, or `localhost` for loopback.
   * Metadata services of clouds are always refused. An IPv6 address that carries an IPv4 address, such as one of 6to4,
   * needs both to be allowed.
   * @defaultValue none
   */
  readonly allow?: readonly string[];
  /**
   * Prefixes of NAT64 in your network beside `64:ff9b::/96`, such as `64:ff9b:1::/96` (RFC 6052, RFC 8215). An address
   * behind a prefix is allowed when its IPv4 address is. Without it, the sender takes a prefix that is public unicast
   * for the partner's own addresses.
   * @defaultValue none
   */
  readonly nat64?: readonly string[];
  /**
   * PEM certificates of private authorities, trusted beside the default roots of Node.js.
   * @defaultValue none
   */
  readonly ca?: string | readonly string[];
  /**
   * Development mode: allows loopback, and HTTP to `localhost` and literal loopback addresses; no retry and no pause
   * takes longer than 5 seconds. Refused unless `NODE_ENV` is unset, `development` or `test`.
   * @defaultValue false
   */
  readonly development?: boolean;
  /**
   * Resolves host names other than `localhost`; every address that it returns is checked.
   * @defaultValue DNS, with a timeout of about 6 seconds, for AAAA 50 ms after A; `/etc/hosts` is not read
   */
  readonly lookup?: Lookup;
}

/**
 * A sender with sockets.
 * @public
 */
export interface HttpsSender extends Required<Sender> {
  /**
   * Closes every socket; requests in flight fail as `reset`, and later sends reject. Call it after the worker has
   * stopped.
   */
  close(): Promise<void>;
}
