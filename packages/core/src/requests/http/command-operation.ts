import type { z } from 'zod';
import { err, ok, type Result } from '#result';
import type { AccountCaller } from '../../api/management/shared-operations.ts';
import type { HttpFailure, RouteFailure } from '../../api/operations/failure.ts';
import type { Call, KeyOperation } from '../../api/operations/operation.ts';
import { jsonResponse } from '../../api/operations/problem.ts';
import { etag } from '../../api/operations/request-headers.ts';
import { simulationTag } from '../../api/operations/tags.ts';
import { canonicalJson } from '../../base/http/canonical-json.ts';
import { tagOfVersion } from '../../base/http/entity-tag.ts';
import { pathOf } from '../../base/http/path.ts';
import { pathSegment } from '../../base/http/path-segment.ts';
import type { HttpResponse } from '../../base/http/route.ts';
import { callPort } from '../../base/runtime/call-port.ts';
import { type CommandDeps, createObject, performCommand } from '../commands/run-command.ts';
import { type Try, transactUntilWon } from '../commands/transact.ts';
import type { CommandRule } from '../kinds/define-kind.ts';
import type { StoredRequest } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import type { IdempotencyStore } from '../stores/idempotency-store.ts';
import { answerOnce, hostKey, ownerOf } from './idempotency.ts';
import { bodyIn, findIn, inputIn, maxBodyBytes, type Place, pathsOf, rightAt } from './place.ts';
import { refusalOf } from './refused.ts';
import { capital, descriptionOf, location, refusalsOf, spaced, summaryOf, tagOf, viewIn } from './words.ts';

/** What the commands of partners call. */
export interface PartnerCommandDeps<Tx extends object> {
  /** What commands call. */
  readonly commands: CommandDeps<Tx>;
  /** Responses by idempotency key. */
  readonly idempotency: IdempotencyStore<Tx>;
}

type CommandCall = Call<AccountCaller, undefined, unknown>;

const methods: Readonly<Record<string, 'PATCH' | 'DELETE'>> = { change: 'PATCH', delete: 'DELETE' };

/** `checkIn` → `check-in`. */
const kebab = (command: string): string => command.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Where a command is given: those of the host below `simulate`. */
export const pathOfCommand = (place: Place<object>, command: string, { by }: CommandRule) => {
  const { collection, one } = pathsOf(place);
  const method = methods[command] ?? 'POST';
  if (command === 'create') return { method, path: collection };
  if (command in methods) return { method, path: one };
  return { method, path: `${one}/${by === 'host' ? 'simulate/' : ''}${kebab(command)}` as const };
};

/** The words of a command: what it reads, answers and refuses. */
const wordsOf = (
  place: Place<object>,
  command: string,
  rule: CommandRule,
  { method, hasUniqueReferences }: { readonly method: string; readonly hasUniqueReferences: boolean },
) => {
  const { name, of } = place;
  const isNew = command === 'create';
  const isSimulated = rule.by === 'host';
  const summary = summaryOf(command, name);
  return {
    operationId: `${isSimulated ? `simulate${capital(command)}` : command}${name}`,
    summary: isSimulated ? `${summary}, in a test environment` : summary,
    description: descriptionOf(rule),
    tag: isSimulated ? simulationTag : tagOf(name),
    ...(isNew ? {} : { conditional: true }),
    idempotent: method === 'POST',
    body: bodyIn(place, command),
    // The command reads it: in process it has the same rules.
    readsBodyItself: true,
    answers:
      command === 'delete'
        ? { 204: { description: `The ${spaced(name)} is deleted.` } }
        : {
            [isNew ? 201 : 200]: {
              description: `The ${spaced(name)}.`,
              schema: viewIn(place),
              headers: isNew ? { ...etag, ...location } : etag,
            },
          },
    refuses: refusalsOf(command, rule, of.kind).filter((code) => code !== 'reference_taken' || hasUniqueReferences),
    // The hook of the host.
    refusesMore: true,
  };
};

/** The operation of a command. Its state, its events and its response are stored together. */
export const commandOperation = <Tx extends object>(
  { commands, idempotency: store }: PartnerCommandDeps<Tx>,
  place: Place<Tx>,
  command: string,
  rule: CommandRule,
): KeyOperation<AccountCaller, undefined, z.ZodType> => {
  const { of, parent } = place;
  const { method, path } = pathOfCommand(place, command, rule);

  const respond = (record: StoredRequest, target: string): HttpResponse => {
    if (command === 'delete') return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' };
    const created = { location: `${pathOf(target)}/${pathSegment(record.id)}` };
    const headers = { etag: tagOfVersion(record.version), ...(command === 'create' ? created : {}) };
    return jsonResponse(command === 'create' ? 201 : 200, of.kind.show(record), headers);
  };

  const give = async (
    { caller: { account, actor }, params, body, ifVersion }: CommandCall,
    tx: Tx,
    given: Try,
  ): Promise<Result<StoredRequest, CommandRefusal>> => {
    const giving = { tx, given, ifVersion, actor };
    if (command === 'create') {
      const input = inputIn(place, params, body);
      return input.isErr() ? err(input.error) : createObject(commands, of, account, { ...giving, input: input.value });
    }
    // An object never moves to another parent: the check may precede the command.
    const found = parent ? await findIn(place, account, params) : ok(undefined);
    if (found.isErr()) return err(found.error);
    return performCommand(commands, of, account, { ...giving, id: params['id'] ?? '', command, input: body });
  };

  const answer = async (call: CommandCall): Promise<Result<HttpResponse, HttpFailure>> => {
    const { caller, params, body, bodyText, idempotencyKey: key, request } = call;
    // A client that repeats a request may write its JSON anew.
    const once = { key, request: [path, params, canonicalJson(body, bodyText)] };
    const answered = await transactUntilWon(commands.storage, hostKey(commands, caller, once), (tx, given) =>
      answerOnce({ store, tx }, ownerOf(caller), once, async (): Promise<Result<HttpResponse, RouteFailure>> => {
        const done = await give(call, tx, given);
        return done.map((record) => respond(record, request.target)).mapErr(refusalOf);
      }),
    );
    return answered.mapErr((failure) => (failure.code === 'rejected' ? refusalOf(failure) : failure));
  };

  return {
    method,
    right: rightAt(place, 'write'),
    path,
    maxBodyBytes,
    ...wordsOf(place, command, rule, { method, hasUniqueReferences: commands.references !== undefined }),
    // Refusals are values; a rejection comes from the infrastructure or the host's hook.
    handle: (call) => callPort(() => answer(call)).andThen((answered) => answered),
  };
};
