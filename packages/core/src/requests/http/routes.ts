import { err, ok, type Result } from 'neverthrow';
import type { Caller } from '../../http/caller.ts';
import type { RouteFailure } from '../../http/failure.ts';
import { readJson } from '../../http/json-body.ts';
import type { AccountOperation } from '../../http/operation.ts';
import type { AccountHandler, AccountRouteOptions } from '../../http/partner-routes.ts';
import { pathOf } from '../../http/path.ts';
import { jsonResponse } from '../../http/problem.ts';
import { matchesIfNoneMatch, readIdempotencyKey, readIfMatch } from '../../http/request-headers.ts';
import type { HttpRequest, HttpResponse, Route } from '../../http/route.ts';
import type { Page } from '../../pagination/page.ts';
import { callPort } from '../../runtime/call-port.ts';
import type { RequestKind } from '../define-kind.ts';
import { viewHistoryEntry } from '../history.ts';
import { findObject, listHistory, listObjects } from '../read-objects.ts';
import type { StoredRecord } from '../record.ts';
import type { RequestsKit } from '../requests-options.ts';
import { type CommandDeps, createObject, type Giving, performCommand } from '../run-command.ts';
import { transact } from '../transact.ts';
import { describeCommand, describeFind, describeHistory, describeList } from './describe.ts';
import { answerOnce } from './idempotency.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import { findIn, inputIn, type Params, type Place } from './place.ts';
import { createQueryReader, readHistoryQuery } from './read-query.ts';
import { refusalOf } from './refused.ts';

/** What the routes call. @internal */
export interface PlaceRouteDeps<Tx extends object> {
  /** Creates routes below an account. */
  readonly kit: Pick<RequestsKit<Tx, never>, 'accountRoute'>;
  /** What commands call. */
  readonly commands: CommandDeps<Tx>;
  /** Responses by idempotency key. */
  readonly idempotency: IdempotencyStore<Tx>;
  /** Environments in which partners may give the host's commands. */
  readonly testEnvironments: readonly string[];
}

type Answer = Result<HttpResponse, RouteFailure>;
type Handle = (caller: Caller, request: HttpRequest, params: Params) => Promise<Answer>;
/** The work of a command inside its transaction. */
type Act<Tx extends object> = (
  caller: Caller,
  params: Params,
  input: unknown,
  options: Giving<Tx> & { readonly target: string },
) => Promise<Answer>;

const shown = (
  status: number,
  { show }: RequestKind,
  record: StoredRecord,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => jsonResponse(status, show(record), { etag: `"${record.version}"`, ...headers });

const pageOf = <T>({ items, ...rest }: Page<T>, show: (item: T) => object): HttpResponse =>
  jsonResponse(200, { ...rest, items: items.map(show) });

/** The longest input without the host's own fields has about 20 KiB. */
const maxBodyBytes = 64 * 1_024;

/** `checkIn` → `check-in`. */
const kebab = (command: string): string => command.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * The routes of one place. Commands of the host are served only in test environments, below `simulate`.
 * @internal
 */
export const placeRoutes = <Tx extends object>(
  { kit, commands, idempotency, testEnvironments }: PlaceRouteDeps<Tx>,
  place: Place<Tx>,
): readonly Route[] => {
  const { of, parent } = place;
  const { kind } = of;
  const { storage } = commands;
  const collection = `/organisations/:organisationId/${place.path}` as const;
  const one = `${collection}/:id` as const;
  const { query, read: readQuery } = createQueryReader(place);

  const route = (
    method: string,
    path: typeof collection,
    handle: Handle,
    { operation, environments }: Pick<AccountRouteOptions, 'environments'> & { readonly operation: AccountOperation },
  ): Route => {
    const respond: AccountHandler<typeof collection> = async (caller, request, params) => {
      // Refusals are values; a rejection comes from the infrastructure or the host's hook.
      const answered = await callPort(() => handle(caller, request, params));
      if (answered.isErr()) return answered.error;
      return answered.value.isOk() ? answered.value.value : answered.value.error;
    };
    return kit.accountRoute(method, path, respond, {
      maxBodyBytes,
      operation,
      ...(environments ? { environments } : {}),
    });
  };

  /** A command: its state, its events and its response are stored together. */
  const command =
    (method: string, path: typeof collection, act: Act<Tx>): Handle =>
    async (caller, request, params) => {
      const input = readJson(request);
      if (input.isErr()) return err(input.error);
      const condition = readIfMatch(request);
      const key = method === 'POST' ? readIdempotencyKey(request) : ok(undefined);
      if (key.isErr()) return err(key.error);
      // A malformed condition matches no version, and is reported where the command would have succeeded.
      const ifVersion = condition.unwrapOr([]);
      const actor = { type: 'client', id: caller.client.id } as const;
      const answered = await transact(storage, (tx) =>
        answerOnce(
          { store: idempotency, tx },
          caller,
          { key: key.value, request: [path, params, input.value.text] },
          () => act(caller, params, input.value.value, { tx, ifVersion, actor, target: request.target }),
        ),
      );
      return answered.mapErr((refusal) => {
        const failure = refusal.code === 'rejected' ? refusalOf(refusal) : refusal;
        return condition.isErr() && 'status' in failure && failure.status === 412 ? condition.error : failure;
      });
    };

  const performing =
    (name: string, answer = (record: StoredRecord) => shown(200, kind, record)): Act<Tx> =>
    async ({ account }, params, input, { target: _target, ...options }) => {
      // An object never moves to another parent: the check may precede the command.
      const found = parent ? await findIn(place, account, params) : ok(undefined);
      if (found.isErr()) return err(refusalOf(found.error));
      const given = await performCommand(commands, of, account, params['id'] ?? '', name, { input, ...options });
      return given.map(answer).mapErr(refusalOf);
    };
  const creating: Act<Tx> = async ({ account }, params, given, { target, ...options }) => {
    const input = inputIn(place, params, given);
    if (input.isErr()) return err(refusalOf(input.error));
    return (await createObject(commands, of, account, input.value, options))
      .map((made) => shown(201, kind, made, { location: `${pathOf(target)}/${encodeURIComponent(made.id)}` }))
      .mapErr(refusalOf);
  };
  const deleted = (): HttpResponse => ({ status: 204, headers: { 'cache-control': 'no-store' }, body: '' });

  const ofPartner = (name: string): Route => {
    const serve = (method: string, path: typeof collection, act: Act<Tx>): Route =>
      route(method, path, command(method, path, act), { operation: describeCommand(place, name, method, false) });
    switch (name) {
      case 'create':
        return serve('POST', collection, creating);
      case 'change':
        return serve('PATCH', one, performing(name));
      case 'delete':
        return serve('DELETE', one, performing(name, deleted));
      default:
        return serve('POST', `${one}/${kebab(name)}`, performing(name));
    }
  };
  /** A command of the host, given by a partner in a test environment. */
  const simulated = (name: string): Route => {
    const path = `${one}/simulate/${kebab(name)}` as const;
    return route('POST', path, command('POST', path, performing(name)), {
      operation: describeCommand(place, name, 'POST', true),
      environments: testEnvironments,
    });
  };

  return [
    ...Object.entries(place.rules).flatMap(([name, { by }]) => {
      if (by === 'partner') return [ofPartner(name)];
      return testEnvironments.length > 0 ? [simulated(name)] : [];
    }),
    route(
      'GET',
      one,
      async ({ account }, request, params) =>
        (await findIn(place, account, params))
          .map((found) => shown(matchesIfNoneMatch(request, found.version) ? 304 : 200, kind, found))
          .mapErr(refusalOf),
      { operation: describeFind(place) },
    ),
    route(
      'GET',
      collection,
      async ({ account }, request, params) => {
        const read = readQuery(request);
        if (read.isErr()) return err(read.error);
        const { page, filter } = read.value;
        const parentId = parent && (params[parent.field] ?? '');
        const found = parent ? await findObject(commands.served.deposits, account, parentId ?? '') : ok(undefined);
        if (found.isErr()) return err(refusalOf(found.error));
        const within = parent ? { [parent.field]: parentId } : {};
        const listed = await listObjects(of, account, page, { ...filter, ...within });
        return listed.map((items) => pageOf(items, (each) => kind.show(each))).mapErr(refusalOf);
      },
      { operation: describeList(place, query) },
    ),
    route(
      'GET',
      `${one}/events`,
      async ({ account }, request, params) => {
        const page = readHistoryQuery(request);
        if (page.isErr()) return err(page.error);
        const found = parent ? await findIn(place, account, params) : ok(undefined);
        if (found.isErr()) return err(refusalOf(found.error));
        const listed = await listHistory(of, account, params['id'] ?? '', page.value);
        return listed.map((entries) => pageOf(entries, viewHistoryEntry)).mapErr(refusalOf);
      },
      { operation: describeHistory(place) },
    ),
  ];
};
