import type { Lookup } from './dns-lookup.ts';

/**
 * Options of `undiciSender` and `httpsSender`.
 * @public
 */
export interface UndiciSenderOptions {
  /**
   * Ranges that are allowed beside public addresses: CIDR ranges such as `10.20.0.0/16`, or `localhost` for loopback.
   * Metadata services of clouds are always refused.
   * @defaultValue none
   */
  readonly allow?: readonly string[];
  /**
   * PEM certificates of private authorities, trusted beside the default roots of Node.js.
   * @defaultValue none
   */
  readonly ca?: string | readonly string[];
  /**
   * Development mode: allows loopback; no retry and no pause takes longer than 5 seconds. Refused unless `NODE_ENV` is
   * unset, `development` or `test`.
   * @defaultValue false
   */
  readonly development?: boolean;
  /**
   * Resolves host names other than `localhost`; every address that it returns is checked.
   * @defaultValue DNS queries for A and AAAA, with a timeout of about 6 seconds; `/etc/hosts` is not read
   */
  readonly lookup?: Lookup;
}
