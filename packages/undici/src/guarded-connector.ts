import { X509Certificate } from 'node:crypto';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import { buildConnector } from 'undici';
import type { AddressRule } from './address-rules.ts';
import type { Lookup } from './dns-lookup.ts';
import { sendError } from './failure-reason.ts';
import { localhostAddresses } from './loopback.ts';

/** @internal */
export interface GuardedConnectorOptions {
  readonly allows: AddressRule;
  readonly lookup: Lookup;
  /** Roots beside the default ones, as PEM. */
  readonly ca: string | readonly string[] | undefined;
  /** Ends every socket. */
  readonly signal: AbortSignal;
}

/** Longer than any sensible deadline: it only tidies up behind sends that were answered `timeout` long before. */
const connectTimeout = 30_000;
/** Before the next address is tried beside it: room for one lost SYN, which is sent again after 1 s. */
const nextAddressAfter = 2_000;

/** Node.js passes over what is no certificate, and every endpoint would fail as `tls`. */
const certificates = (ca: string | readonly string[]): string[] =>
  [ca].flat().map((pem) => {
    try {
      new X509Certificate(pem);
    } catch (cause) {
      throw new TypeError(`ca: "${pem.slice(0, 40)}" is no PEM certificate.`, { cause });
    }
    return pem;
  });

const forbidden = (address: string) => sendError('forbidden_address', `${address} is not an allowed address.`);

/**
 * Opens TLS connections to allowed addresses only. A name is resolved and checked here, and the socket connects to just these
 * addresses: there is no second look-up that could answer otherwise.
 * @throws TypeError that names the entry of `ca` which is no certificate.
 * @internal
 */
export const guardedConnector = ({ allows, lookup, ca, signal }: GuardedConnectorOptions): buildConnector.connector => {
  const addressesOf = async (hostname: string): Promise<readonly string[]> => {
    try {
      return await lookup(hostname);
    } catch (cause) {
      throw sendError('dns', `${hostname} could not be resolved.`, cause);
    }
  };

  const resolve = async (hostname: string) => {
    const loopback = localhostAddresses(hostname)?.filter(allows);
    if (loopback && loopback.length > 0) return loopback.map((address) => ({ address, family: isIP(address) }));
    if (loopback) throw forbidden(hostname);
    const addresses = await addressesOf(hostname);
    if (addresses.length === 0) throw sendError('dns', `${hostname} has no address.`);
    const refused = addresses.find((address) => !allows(address));
    if (refused !== undefined) throw forbidden(refused);
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };

  const guardedLookup: LookupFunction = (hostname, _, callback) => {
    resolve(hostname).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    );
  };

  const connect = buildConnector({
    // Made once: reading the roots anew for each connection takes milliseconds.
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ...certificates(ca)] }),
    }),
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 changes the default.
    rejectUnauthorized: true,
    // A resumed session would skip the check of the certificate.
    maxCachedSessions: 0,
    allowH2: false,
    lookup: guardedLookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfter,
    timeout: connectTimeout,
    signal,
  });

  // `servername` comes from a Host header: left out, the certificate is checked against the URL's own host.
  return ({ servername: _, ...options }, callback) => {
    // No look-up is made for an address, so it is checked here.
    if (isIP(options.hostname) !== 0 && !allows(options.hostname)) {
      process.nextTick(callback, forbidden(options.hostname), null);
      return;
    }
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      const peer = socket.remoteAddress;
      if (peer !== undefined && allows(peer)) return callback(null, socket);
      socket.destroy();
      callback(peer === undefined ? sendError('reset', 'The socket was closed at once.') : forbidden(peer), null);
    });
  };
};
