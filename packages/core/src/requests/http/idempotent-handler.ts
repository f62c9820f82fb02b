import { err, ok, type Result } from '#result';
import type { RouteFailure } from '../../api/operations/failure.ts';
import { readJson } from '../../api/operations/json-body.ts';
import { refused } from '../../api/operations/refused.ts';
import { readIdempotencyKey } from '../../api/operations/request-headers.ts';
import type { Caller } from '../../api/partner/caller.ts';
import { canonicalJson } from '../../base/http/canonical-json.ts';
import type { HttpRequest, HttpResponse } from '../../base/http/route.ts';
import { isBytes } from '../../base/runtime/brand.ts';
import { callPort } from '../../base/runtime/call-port.ts';
import type { Events } from '../../webhooks/events/publish.ts';
import { transact } from '../commands/transact.ts';
import { internalsOf } from '../options/kit-internals.ts';
import { answerOnce } from './idempotency.ts';
import { refusalOf } from './refused.ts';

/** What tells one body from another: its JSON value, else its bytes. */
const textOf = (request: HttpRequest): string => {
  const { body } = request;
  const json = readJson(request);
  if (json.isOk()) return canonicalJson(json.value.value, json.value.text);
  if ('parsed' in body) return JSON.stringify(body.parsed) ?? '';
  // Each byte is a letter, whatever the encoding.
  return isBytes(body) ? Array.from(body, (byte) => String.fromCharCode(byte)).join('') : '';
};

/**
 * Makes the handler of an account route idempotent: requests with one `Idempotency-Key` take effect once within 24
 * hours and get the same response; the key with another body or path is refused with 422 `idempotency_conflict`.
 * Bodies of JSON are compared by value, others by bytes.
 * `handle` writes in the given transaction of the kit's storage, which commits together with the response. A failure,
 * and a response with a status of 400 or more, roll it back and store no key.
 *
 * Clients repeat a POST only if its operation is declared as `idempotent`.
 * @example
 * const charge = idempotentHandler(kit, async ({ account }, _request, _params, tx) => {
 *   await payments.markPaid(tx, account.id);
 *   return { status: 204, headers: {}, body: '' };
 * });
 * const route = kit.accountRoute('POST', '/organisations/:organisationId/charges', charge, {
 *   right: 'requests:write',
 *   operation: {
 *     operationId: 'charge',
 *     summary: 'Charge the account',
 *     tag: 'Charges',
 *     idempotent: true,
 *     answers: { 204: { description: 'Charged.' } },
 *   },
 * });
 * @throws TypeError when `kit` is no kit.
 * @public
 */
export const idempotentHandler = <Tx extends object, Params = Readonly<Record<string, string>>>(
  kit: { readonly events: Pick<Events<Tx, never>, 'publishMany'> },
  handle: (caller: Caller, request: HttpRequest, params: Params, tx: Tx) => Promise<HttpResponse | RouteFailure>,
): ((caller: Caller, request: HttpRequest, params: Params) => Promise<HttpResponse | RouteFailure>) => {
  const { storage } = internalsOf<Tx>('idempotentHandler', kit);
  const store = storage.requests.idempotency;
  return async (caller, request, params) => {
    const key = readIdempotencyKey(request);
    if (key.isErr()) return refused(key.error.code, key.error.detail ?? '');
    /** A response that must not be stored. */
    let unstored: HttpResponse | undefined;
    const act = async (tx: Tx): Promise<Result<HttpResponse, RouteFailure>> => {
      const answer = await handle(caller, request, params, tx);
      if ('code' in answer) return err(answer);
      if (answer.status < 400) return ok(answer);
      unstored = answer;
      return err({ code: 'not_found' });
    };
    const owner = { account: caller.account, clientId: caller.client.id };
    const once = { key: key.value, request: [request.method, request.target, textOf(request)] };
    const answered = await callPort(() =>
      transact(storage, (tx) => answerOnce({ store, tx }, owner, once, () => act(tx))),
    );
    if (answered.isErr()) return answered.error;
    if (answered.value.isOk()) return answered.value.value;
    const { error } = answered.value;
    return unstored ?? (error.code === 'rejected' ? refusalOf(error) : error);
  };
};
