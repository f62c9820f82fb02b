import { connect, type LookupFunction, type Socket } from 'node:net';
import { sendError } from './failure-reason.ts';
import type { Connect } from './guarded-connector.ts';
import { isLoopbackHost, localhostAddresses } from './loopback.ts';

/** `localhost` without a query (RFC 6761 §6.3). */
const lookup: LookupFunction = (hostname, _options, callback) =>
  callback(
    null,
    (localhostAddresses(hostname) ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );

/** Opens connections without TLS, to `localhost` and literal loopback addresses only: no option widens this rule. */
export const loopbackConnector =
  (signal: AbortSignal): Connect<Socket> =>
  ({ hostname, port }, callback) => {
    if (!isLoopbackHost(hostname)) {
      process.nextTick(callback, sendError('forbidden_address', `${hostname} is not this machine.`), null);
      return;
    }
    const socket = connect({
      host: hostname,
      port: Number(port),
      lookup,
      autoSelectFamily: true,
      noDelay: true,
      signal,
    });
    const onError = (error: Error) => callback(error, null);
    socket.once('error', onError).once('connect', () => {
      socket.off('error', onError);
      callback(null, socket);
    });
  };
