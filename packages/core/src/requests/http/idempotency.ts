import { err, ok, type Result } from 'neverthrow';
import { sha256 } from '../../crypto/sha256.ts';
import type { RouteFailure } from '../../http/failure.ts';
import type { HttpResponse } from '../../http/route.ts';
import type { Caller } from '../../tokens/caller.ts';
import type { AnswerStore } from './answer-store.ts';
import { refused } from './refused.ts';

/**
 * Answers a request once for each idempotency key: who asks the same again gets the same answer, who asks something else a conflict. A
 * refusal keeps no key, because it changed nothing.
 * @internal
 */
export const answerOnce = async <Tx extends object>(
  answers: AnswerStore<Tx>,
  tx: Tx,
  { account, client }: Caller,
  key: string | undefined,
  asked: readonly unknown[],
  answer: () => Promise<Result<HttpResponse, RouteFailure>>,
): Promise<Result<HttpResponse, RouteFailure>> => {
  if (key === undefined) return answer();
  const place = { accountId: account.id, clientId: client.id, key };
  // An account may change its environment, and an answer must not show what is in the other.
  const digest = sha256(JSON.stringify([account.environment, ...asked]));
  const kept = await answers.take(tx, place);
  if (kept && kept.asked !== digest)
    return err(refused(409, 'idempotency_conflict', 'This Idempotency-Key belongs to another request.'));
  if (kept) return ok({ status: kept.status, headers: kept.headers, body: kept.body });
  const answered = await answer();
  if (answered.isOk()) await answers.keep(tx, place, { asked: digest, ...answered.value });
  return answered;
};
