import { err, ok, type Result } from '#result';
import { isInNetworks } from '../../base/http/networks.ts';
import { type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { type EpochMs, toSeconds } from '../../base/runtime/time.ts';
import type { Client } from './client.ts';

/** Whether an address may use a client. Networks that cannot be checked admit no address. */
export const mayCallFrom = (
  { networks }: Pick<Client, 'networks'>,
  address: string | undefined,
  trustsAddresses: boolean,
): boolean => networks === undefined || (trustsAddresses && isInNetworks(address, networks));

/** Whether a client reaches a child of its account. */
export const reachesChild = ({ children }: Pick<Client, 'children'>, accountId: string): boolean =>
  children === undefined || children.includes(accountId);

/** Whether a client has ended. */
export const hasEnded = ({ expiresAt = Infinity }: Pick<Client, 'expiresAt'>, now: EpochMs): boolean =>
  expiresAt <= now;

/** Whether a token could be issued, in whole seconds, that ends with the client. */
export const canIssue = (
  { expiresAt = Infinity, tokensNotBefore }: Pick<Client, 'expiresAt' | 'tokensNotBefore'>,
  now: EpochMs,
): boolean => toSeconds(expiresAt) > Math.max(toSeconds(now), tokensNotBefore);

/** Parts whose events an endpoint receives for all children alike. */
const partsOfAllChildren = ['webhooks', 'events'];

/** The client, unless its limits contradict each other. */
export const consistent = <C extends { readonly [F in 'children' | 'rights']?: Client[F] | undefined }>(
  client: C,
): Result<C, InvalidInput> => {
  const { children, rights } = client;
  if (children === undefined) return ok(client);
  return rights === undefined || rights.some((right) => partsOfAllChildren.includes(right.split(':')[0] ?? ''))
    ? err(
        invalidField(
          'rights',
          'with children, name the rights, none of them on webhooks or events: these would carry events of other children.',
        ),
      )
    : ok(client);
};

/** The limits that an input gives, unless they can never hold. */
export const possible = <I extends { readonly networks?: unknown; readonly expiresAt?: EpochMs | null | undefined }>(
  input: I,
  { now, trustsAddresses }: { readonly now: EpochMs; readonly trustsAddresses: boolean },
): Result<I, InvalidInput> => {
  if (Array.isArray(input.networks) && !trustsAddresses)
    return err(invalidField('networks', 'set the option api.trustRemoteAddress first: the caller is not known.'));
  if ((input.expiresAt ?? Infinity) <= now) return err(invalidField('expiresAt', 'a time in the future.'));
  return ok(input);
};
