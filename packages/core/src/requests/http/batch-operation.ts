import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result } from '#result';
import type { AccountCaller } from '../../api/management/shared-operations.ts';
import { failureResponse, type HttpFailure, type RouteFailure } from '../../api/operations/failure.ts';
import type { Answer, Call, KeyOperation } from '../../api/operations/operation.ts';
import { jsonResponse } from '../../api/operations/problem.ts';
import { sha256 } from '../../base/crypto/sha256.ts';
import { withExample } from '../../base/fields/example.ts';
import { described } from '../../base/fields/field.ts';
import { identifier } from '../../base/fields/values.ts';
import { canonicalJson } from '../../base/http/canonical-json.ts';
import { tagOfVersion, versionsOfTags } from '../../base/http/entity-tag.ts';
import type { HttpResponse } from '../../base/http/route.ts';
import { callPort } from '../../base/runtime/call-port.ts';
import { readInput } from '../../base/runtime/read-input.ts';
import { isSchemaOf } from '../../base/runtime/zod4.ts';
import { createObject, performCommand } from '../commands/run-command.ts';
import { isLostRace, type Try, transactUntilWon } from '../commands/transact.ts';
import type { StoredRequest } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import type { PartnerCommandDeps } from './command-operation.ts';
import { answerOnce, hostKey, ownerOf } from './idempotency.ts';
import { bodyIn, type Place, pathsOf, rightAt } from './place.ts';
import { refusalOf } from './refused.ts';
import { spaced, tagOf, thirdPerson, viewIn } from './words.ts';

type BatchCall = Call<AccountCaller, undefined, unknown>;

const maxItems = 100;
const maxBodyBytes = 1_024 * 1_024;
const itemsRule = `a list of 1 to ${maxItems} items.`;
const listOf = (item: z.ZodType) =>
  z.strictObject({ items: z.array(item, itemsRule).min(1, itemsRule).max(maxItems, itemsRule) });
const batchInput = listOf(z.unknown());

const versionRule = 'a version: a whole number from 1.';
const target = {
  id: withExample(described(identifier(), 'The id of the object.'), 'example_1'),
  ifVersion: described(
    z.int(versionRule).positive(versionRule),
    'The version that the command is meant for, as `If-Match` names it for one object. Default: any.',
  ).optional(),
};
const targetInput = z.looseObject(target);

/** The body of a batch, for the document. */
const bodyOf = (place: Place<object>, command: string): z.ZodType => {
  const one = bodyIn(place, command);
  if (command === 'create') return listOf(one);
  const { shape } = (isSchemaOf(one, 'default') ? one.unwrap() : one) as z.ZodObject;
  return listOf(z.strictObject({ ...target, ...shape }));
};

const problem = z
  .object({
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    errors: z.array(z.object({ detail: z.string(), pointer: z.string().optional() })).optional(),
  })
  .register(documentation, { name: 'ItemProblem', description: 'Why an item was refused (RFC 9457).' });

const resultsOf = (place: Place<object>, isNew: boolean) =>
  z.object({
    items: z.array(
      z.object({
        status: withExample(
          described(z.int(), 'The status that the request for this item alone would have.'),
          isNew ? 201 : 200,
        ),
        version: withExample(
          described(z.int(), 'The version of the object, if the command was given.'),
          isNew ? 1 : 2,
        ).optional(),
        object: viewIn(place).optional(),
        problem: problem.optional(),
      }),
    ),
  });

/** The result of an item, as the request for it alone would have been answered. */
const resultOf = ({ status, headers, body }: HttpResponse): object =>
  status < 400
    ? { status, version: versionsOfTags(headers['etag'] ?? '')?.[0], object: JSON.parse(body) }
    : { status, problem: JSON.parse(body) };

/**
 * The operation of a command on many objects, each in a transaction of its own. An `Idempotency-Key` is required: when
 * the platform fails in the middle, the same request continues where it stopped.
 */
export const batchOperation = <Tx extends object>(
  { commands, idempotency: store }: PartnerCommandDeps<Tx>,
  place: Place<Tx>,
  command: string,
): KeyOperation<AccountCaller, undefined, z.ZodType> => {
  const { of, name } = place;
  const isNew = command === 'create';
  const path = `${pathsOf(place).collection}/batch${isNew ? '' : `/${command}`}` as const;

  const give = async (
    { account, actor }: AccountCaller,
    item: unknown,
    tx: Tx,
    given: Try,
  ): Promise<Result<StoredRequest, CommandRefusal>> => {
    if (isNew) return createObject(commands, of, account, { input: item, tx, given, actor });
    const read = readInput(targetInput, item);
    if (read.isErr()) return err(read.error);
    const { id, ifVersion, ...input } = read.value;
    return performCommand(commands, of, account, { id, command, input, tx, given, actor, ifVersion });
  };

  /** Acts once for a key, and answers what was stored for it. */
  const once = async (
    caller: AccountCaller,
    key: string,
    request: readonly unknown[],
    act: (tx: Tx, given: Try) => Promise<Result<HttpResponse, RouteFailure>>,
  ): Promise<Result<HttpResponse, RouteFailure>> => {
    const asked = { key, request };
    const answered = await transactUntilWon(commands.storage, hostKey(commands, caller, asked), (tx, given) =>
      answerOnce({ store, tx }, ownerOf(caller), asked, () => act(tx, given)),
    );
    return answered.mapErr((failure) => (failure.code === 'rejected' ? refusalOf(failure) : failure));
  };

  /** Acts on an item, unless its answer is stored. */
  const answerItem = async (caller: AccountCaller, item: unknown, key: string, request: readonly unknown[]) => {
    let isNewItem = false;
    const given = await once(caller, key, request, async (tx, attempt) => {
      isNewItem = true;
      return (await give(caller, item, tx, attempt))
        .map((record) => jsonResponse(isNew ? 201 : 200, of.kind.show(record), { etag: tagOfVersion(record.version) }))
        .mapErr(refusalOf);
    });
    if (given.isOk()) return given.map((response) => ({ response, isNewItem }));
    const refusal = failureResponse(given.error);
    // The same request may win the race.
    if (isLostRace(given.error)) return ok({ response: refusal, isNewItem });
    // A refusal has rolled back. It is stored, too: the same request gets the same results.
    const stored = await once(caller, key, request, async () => ok(refusal));
    return stored.map((response) => ({ response, isNewItem }));
  };

  const answer = async (call: BatchCall): Promise<Result<Answer, HttpFailure>> => {
    // Its operation requires one.
    const { caller, bodyText, idempotencyKey: key = '' } = call;
    const read = readInput(batchInput, call.body);
    if (read.isErr()) return err(read.error);
    const request = [path, canonicalJson(call.body, bodyText)];
    const begun = await once(caller, key, request, async () => ok(jsonResponse(200, {})));
    if (begun.isErr()) return err(begun.error);
    const items: object[] = [];
    // Each item that acts is a call. The request itself was admitted for the first one.
    let isAdmitted = true;
    for (const [index, item] of read.value.items.entries()) {
      const admitted = isAdmitted ? ok() : await call.admitAgain();
      if (admitted.isErr()) return err(admitted.error);
      // A space: no key of a client contains one.
      const answered = await answerItem(caller, item, `${sha256(key)} ${index}`, [...request, index]);
      if (answered.isErr()) return err(answered.error);
      isAdmitted = !answered.value.isNewItem;
      items.push(resultOf(answered.value.response));
    }
    return ok({ body: { items } });
  };

  return {
    method: 'POST',
    right: rightAt(place, 'write'),
    path,
    maxBodyBytes,
    operationId: `${command}${name}Batch`,
    summary: `${thirdPerson(command)} up to ${maxItems} ${spaced(name)}s`,
    description:
      'Each item has its own transaction and its own result, in the order of the items. ' +
      'Each counts as a call, and the access token must still be accepted. ' +
      'After a 401, 429 or 503, the same request with the same `Idempotency-Key` continues where it stopped. ' +
      'A refused item keeps its result: send it again with a new key.',
    tag: tagOf(name),
    idempotent: 'required',
    body: bodyOf(place, command),
    // Each item has its own refusal.
    readsBodyItself: true,
    answers: { 200: { description: 'The results of the items.', schema: resultsOf(place, isNew) } },
    handle: (call) => callPort(() => answer(call)).andThen((answered) => answered),
  };
};
