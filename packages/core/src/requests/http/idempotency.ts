import { err, ok, type Result } from '#result';
import type { AccountCaller } from '../../api/management/shared-operations.ts';
import type { RouteFailure } from '../../api/operations/failure.ts';
import { refused } from '../../api/operations/refused.ts';
import { sha256 } from '../../base/crypto/sha256.ts';
import type { HttpResponse } from '../../base/http/route.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { wrongAnswer } from '../../base/runtime/wrong-answer.ts';
import type { IdempotencyStore, StoredResponse } from '../stores/idempotency-store.ts';

/** Whose idempotency keys these are. No id of a client has a line feed. */
export const ownerOf = ({
  account,
  actor,
}: Pick<AccountCaller, 'actor'> & { readonly account: Pick<AccountCaller['account'], 'id' | 'environment'> }) => ({
  account,
  clientId: actor.type === 'client' ? actor.id : `user\n${actor.id}`,
});

/** An unknown answer neither lets a command run nor is sent to a partner. */
const checkStored = (stored: unknown): StoredResponse | undefined => {
  if (stored === undefined || stored === null) return undefined;
  const { requestHash, status, headers, body } = Object(stored) as Partial<StoredResponse>;
  const isText = typeof requestHash === 'string' && typeof body === 'string';
  if (isText && Number.isInteger(status) && isObject(headers)) return stored as StoredResponse;
  throw wrongAnswer('storage.requests.idempotency.claim', 'undefined, or { requestHash, status, headers, body }');
};

interface Once {
  readonly key: string | undefined;
  readonly request: readonly unknown[];
}

/**
 * The key that functions of the host receive for a request: the same when a client repeats it with its
 * `Idempotency-Key`, as after a 503.
 */
export const hostKey = ({ newUuid }: { newUuid(): string }, caller: AccountCaller, { key, request }: Once): string => {
  const { account, clientId } = ownerOf(caller);
  return key === undefined
    ? newUuid()
    : sha256(JSON.stringify([account.id, account.environment, clientId, key, request]));
};

/**
 * Handles a request once per idempotency key: the same request returns the stored response, another one a conflict. A
 * refusal stores no key, because it changed nothing.
 */
export const answerOnce = async <Tx extends object, E = RouteFailure>(
  { store, tx }: { readonly store: IdempotencyStore<Tx>; readonly tx: Tx },
  { account, clientId }: ReturnType<typeof ownerOf>,
  { key, request }: Once,
  answer: () => Promise<Result<HttpResponse, E>>,
): Promise<Result<HttpResponse, E | ReturnType<typeof refused>>> => {
  if (key === undefined) return answer();
  const claimed = { accountId: account.id, clientId, key };
  // An account may change its environment; a stored response must not show objects of the old one.
  const requestHash = sha256(JSON.stringify([account.environment, ...request]));
  const stored = checkStored(await store.claim(tx, claimed));
  if (stored && stored.requestHash !== requestHash)
    return err(refused('idempotency_conflict', 'This Idempotency-Key belongs to another request.'));
  if (stored) return ok({ status: stored.status, headers: stored.headers, body: stored.body });
  const answered = await answer();
  if (answered.isOk()) await store.complete(tx, claimed, { requestHash, ...answered.value });
  return answered;
};
