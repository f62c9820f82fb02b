import { X509Certificate } from 'node:crypto';
import { isIP, type LookupFunction } from 'node:net';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { AddressRule } from './address-rules.ts';
import type { Addresses, Resolve } from './dns-lookup.ts';
import { failureReason, type Progress, sendError } from './failure-reason.ts';
import { localhostAddresses } from './loopback.ts';
import { defaultRoots } from './root-certificates.ts';

export interface GuardedConnectorOptions {
  readonly allows: AddressRule;
  readonly resolve: Resolve;
  /** Further root certificates, as PEM. */
  readonly ca: string | readonly string[] | undefined;
  /** Aborts connections that are being made. */
  readonly signal: AbortSignal;
}

/** The target of a connection. */
interface ConnectTarget {
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: string;
}

/** Either an error or a socket: of TLS, its peer was verified. */
type Connected<S = TLSSocket> = (...[error, socket]: [error: null, socket: S] | [error: Error, socket: null]) => void;

/** Opens a connection. */
export type Connect<S = TLSSocket> = (target: ConnectTarget, callback: Connected<S>) => void;

/** Longer than the deadlines of sends: it cleans up connections whose send already ended as `timeout`. */
const connectTimeout = 30_000;
/** Delay before the next address is tried in parallel; allows for one lost SYN, which is sent again after 1 s. */
const nextAddressAfter = 2_000;

/** Checks certificates. Node.js ignores a text that is not one, and every endpoint would fail as `tls`. */
const certificates = (ca: string | readonly string[]): string[] =>
  [ca].flat().map((pem) => {
    try {
      new X509Certificate(pem);
    } catch (cause) {
      throw new TypeError(`ca: "${pem.slice(0, 40)}" is no PEM certificate.`, { cause });
    }
    return pem;
  });

/** The context of the last sender, and its root certificates as text. */
let last: { readonly roots: string; readonly context: SecureContext } | undefined;

/** Makes a context, or takes the last one for the same certificates: reading the roots takes 40 milliseconds. */
const contextOf = (ca: GuardedConnectorOptions['ca']): SecureContext => {
  if (ca === undefined) return createSecureContext({ minVersion: 'TLSv1.2' });
  const all = [...defaultRoots(), ...certificates(ca)];
  const roots = all.join('\n');
  if (last?.roots !== roots) last = { roots, context: createSecureContext({ minVersion: 'TLSv1.2', ca: all }) };
  return last.context;
};

const unconnected: Progress = { hasStarted: false, hasBytes: false };

const forbidden = (address: string) => sendError('forbidden_address', `${address} is not an allowed address.`);

/**
 * Opens TLS connections to allowed addresses only, for HTTP clients that take their sockets from a function. It
 * resolves a name, checks its addresses and connects to these: no second lookup can return other addresses.
 * @throws TypeError that names an entry of `ca` that is not a certificate.
 */
export const guardedConnector = ({ allows, resolve, ca, signal }: GuardedConnectorOptions): Connect => {
  const addressesOf: Resolve = async (hostname) => {
    const loopback = localhostAddresses(hostname)?.filter(allows);
    if (loopback && loopback.length > 0) return { known: loopback };
    if (loopback) throw forbidden(hostname);
    try {
      return await resolve(hostname);
    } catch (cause) {
      throw sendError('dns', `${hostname} could not be resolved.`, cause);
    }
  };

  /** The addresses to connect to: all of them are allowed. */
  const checked = (addresses: readonly string[]) => {
    const refused = addresses.find((address) => !allows(address));
    if (refused !== undefined) throw forbidden(refused);
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };

  const options = {
    secureContext: contextOf(ca),
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 changes the default.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfter,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  };

  // Without a session: a resumed session would skip the check of the certificate.
  const open = (target: ConnectTarget, callback: Connected, find: Resolve = addressesOf): void => {
    const { hostname, port } = target;
    let late: Addresses['late'];
    const lookup: LookupFunction = (_, __, callback) => {
      find(hostname)
        .then((addresses) => {
          late = addresses.late;
          if (addresses.known.length === 0) throw sendError('dns', `${hostname} has no address.`);
          return checked(addresses.known);
        })
        .then(
          (addresses) => callback(null, addresses),
          (error) => callback(error, []),
        );
    };
    // The certificate must match the host of the URL, not a Host header. An address is not a server name, and a server
    // name has no dot at its end (RFC 6066 §3).
    const servername = isIP(hostname) === 0 ? { servername: hostname.replace(/\.$/, '') } : {};
    const socket = connect({ ...options, lookup, ...servername, host: hostname, port: Number(port) || 443 });
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
      const [error] = outcome;
      const further = late;
      if (!further || !error || failureReason(error, unconnected) !== 'connect') return callback(...outcome);
      open(target, callback, async () => {
        const known = await further;
        if (known.length === 0) throw error;
        return { known };
      });
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

  return (target, callback) => {
    // Node.js makes no lookup for an address, so it is checked here.
    if (isIP(target.hostname) === 0 || allows(target.hostname)) open(target, callback);
    else process.nextTick(callback, forbidden(target.hostname), null);
  };
};
