import { isIP } from 'node:net';

export const loopbackRanges: readonly string[] = ['127.0.0.0/8', '::1/128'];

/** The addresses of `localhost`. */
const loopbackAddresses: readonly string[] = ['127.0.0.1', '::1'];

/** The addresses of `localhost` and names below it, without a query (RFC 6761 §6.3); `undefined` for any other name. */
export const localhostAddresses = (hostname: string): readonly string[] | undefined =>
  /(^|\.)localhost\.?$/i.test(hostname) ? loopbackAddresses : undefined;

/** Whether a host, without brackets, is `localhost` or a literal loopback address. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
