import { X509Certificate } from 'node:crypto';
import { isIP, type LookupFunction } from 'node:net';
// An older Node.js has no getCACertificates: importing it by name would fail before `node-version.ts` is evaluated.
import tls, { connect, createSecureContext, type TLSSocket } from 'node:tls';
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
  /** Ends the connections that are still being made. */
  readonly signal: AbortSignal;
}

/** What to connect to. */
export interface ConnectTarget {
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: string;
}

/** Either an error or a TLS socket whose peer was verified. */
type Connected = (...[error, socket]: [error: null, socket: TLSSocket] | [error: Error, socket: null]) => void;

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
 * Opens TLS connections to allowed addresses only, for any HTTP client that takes its sockets from a function. A name is
 * resolved and checked here, and the socket connects to just these addresses: there is no second look-up that could
 * answer otherwise.
 * @throws TypeError that names the entry of `ca` which is no certificate.
 * @internal
 */
export const guardedConnector = ({ allows, lookup, ca, signal }: GuardedConnectorOptions) => {
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

  const options = {
    // Made once: reading the roots anew for each connection takes milliseconds.
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca: [...tls.getCACertificates('default'), ...certificates(ca)] }),
    }),
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 changes the default.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    lookup: guardedLookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfter,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  };

  // No session is given, because a resumed one would skip the check of the certificate.
  const open = ({ hostname, port }: ConnectTarget, callback: Connected): void => {
    // The certificate is checked against the URL's own host, whatever a Host header says. An address is no server name.
    const servername = isIP(hostname) === 0 ? { servername: hostname } : {};
    const socket = connect({ ...options, ...servername, host: hostname, port: Number(port) || 443 });
    let failure: Error | undefined;
    const end = (error: Error) => {
      failure = error;
      socket.destroy(error);
    };
    const onAbort = () => end(sendError('reset', 'The sender was closed.'));
    const timer = setTimeout(() => end(sendError('timeout', `No connection to ${hostname}.`)), connectTimeout);
    const settle = (...outcome: Parameters<Connected>) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError).off('close', onClose);
      callback(...outcome);
    };
    const onError = (error: Error) => settle(error, null);
    const onClose = () => settle(failure ?? sendError('tls', 'The socket was closed before TLS was there.'), null);
    signal.addEventListener('abort', onAbort);
    socket.once('error', onError).once('close', onClose);
    socket.once('secureConnect', () => {
      const peer = socket.remoteAddress;
      if (peer !== undefined && allows(peer)) settle(null, socket);
      else end(peer === undefined ? sendError('reset', 'The socket was closed at once.') : forbidden(peer));
    });
  };

  return (target: ConnectTarget, callback: Connected): void => {
    // No look-up is made for an address, so it is checked here.
    if (isIP(target.hostname) === 0 || allows(target.hostname)) open(target, callback);
    else process.nextTick(callback, forbidden(target.hostname), null);
  };
};
