import { err, ok, type Result } from 'neverthrow';
import type { AccountCaller } from '../../api/management/shared-operations.ts';
import type { RouteFailure } from '../../api/operations/failure.ts';
import { refused } from '../../api/operations/refused.ts';
import { sha256 } from '../../base/crypto/sha256.ts';
import type { HttpResponse } from '../../base/http/route.ts';
import type { IdempotencyStore } from '../stores/idempotency-store.ts';

/** Whose idempotency keys these are. No id of a client has a line feed. @internal */
export const ownerOf = ({ account, actor }: AccountCaller) => ({
  account,
  clientId: actor.type === 'client' ? actor.id : `user\n${actor.id}`,
});

/**
 * Handles a request once per idempotency key: the same request returns the stored response, another one a conflict. A
 * refusal stores no key, because it changed nothing.
 * @internal
 */
export const answerOnce = async <Tx extends object>(
  { store, tx }: { readonly store: IdempotencyStore<Tx>; readonly tx: Tx },
  { account, clientId }: ReturnType<typeof ownerOf>,
  { key, request }: { readonly key: string | undefined; readonly request: readonly unknown[] },
  answer: () => Promise<Result<HttpResponse, RouteFailure>>,
): Promise<Result<HttpResponse, RouteFailure>> => {
  if (key === undefined) return answer();
  const claimed = { accountId: account.id, clientId, key };
  // An account may change its environment; a stored response must not show objects of the old one.
  const requestHash = sha256(JSON.stringify([account.environment, ...request]));
  const stored = await store.claim(tx, claimed);
  if (stored && stored.requestHash !== requestHash)
    return err(refused('idempotency_conflict', 'This Idempotency-Key belongs to another request.'));
  if (stored) return ok({ status: stored.status, headers: stored.headers, body: stored.body });
  const answered = await answer();
  if (answered.isOk()) await store.complete(tx, claimed, { requestHash, ...answered.value });
  return answered;
};
