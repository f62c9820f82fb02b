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
import { callPort } from '../../runtime/call-port.ts';
import type { Transactions } from '../../transactions/transactions.ts';
import type { CommandOptions } from '../collection.ts';
import type { RequestsKit } from '../requests-options.ts';
import { transact } from '../transact.ts';
import { describeCommand, describeFind, describeHistory, describeList } from './describe.ts';
import { answerOnce } from './idempotency.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import { createQueryReader, readHistoryQuery } from './read-query.ts';
import { refusalOf } from './refused.ts';
import type { Params, Resource, Shown } from './resource.ts';

/** What the routes call. @internal */
export interface ResourceRouteDeps<Tx extends object> {
  /** Creates routes below an account. */
  readonly kit: Pick<RequestsKit<Tx, never>, 'accountRoute'>;
  /** Opens transactions. */
  readonly storage: Transactions<Tx>;
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
  options: CommandOptions<Tx> & { readonly target: string },
) => Promise<Answer>;

const shown = (
  status: number,
  { version, view }: Shown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => jsonResponse(status, view, { etag: `"${version}"`, ...headers });

/** The longest input without the host's own fields has about 20 KiB. */
const maxBodyBytes = 64 * 1_024;

/** `checkIn` → `check-in`. */
const kebab = (command: string): string => command.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * The routes of one resource. Commands of the host are served only in test environments, below `simulate`.
 * @internal
 */
export const resourceRoutes = <Tx extends object>(
  { kit, storage, idempotency, testEnvironments }: ResourceRouteDeps<Tx>,
  resource: Resource<Tx>,
): readonly Route[] => {
  const collection = `/organisations/:organisationId/${resource.path}` as const;
  const one = `${collection}/:id` as const;
  const { document } = resource;
  const { query, read: readQuery } = createQueryReader(resource);

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
    (name: string, answer: (performed: Shown) => HttpResponse = (performed) => shown(200, performed)): Act<Tx> =>
    async ({ account }, params, input, { target: _target, ...options }) =>
      (await resource.perform(account, params, name, { input, ...options })).map(answer).mapErr(refusalOf);
  const creating: Act<Tx> = async ({ account }, params, input, { target, ...options }) =>
    (await resource.create(account, params, input, options))
      .map((made) => shown(201, made, { location: `${pathOf(target)}/${encodeURIComponent(made.view.id)}` }))
      .mapErr(refusalOf);
  const deleted = (): HttpResponse => ({ status: 204, headers: { 'cache-control': 'no-store' }, body: '' });

  const ofPartner = (name: string): Route => {
    const serve = (method: string, path: typeof collection, act: Act<Tx>): Route =>
      route(method, path, command(method, path, act), { operation: describeCommand(resource, name, method, false) });
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
      operation: describeCommand(resource, name, 'POST', true),
      environments: testEnvironments,
    });
  };

  return [
    ...Object.entries(resource.rules).flatMap(([name, { by }]) => {
      if (by === 'partner') return [ofPartner(name)];
      return testEnvironments.length > 0 ? [simulated(name)] : [];
    }),
    route(
      'GET',
      one,
      async ({ account }, request, params) =>
        (await resource.find(account, params))
          .map((found) => shown(matchesIfNoneMatch(request, found.version) ? 304 : 200, found))
          .mapErr(refusalOf),
      { operation: describeFind(document) },
    ),
    route(
      'GET',
      collection,
      async ({ account }, request, params) => {
        const query = readQuery(request);
        if (query.isErr()) return err(query.error);
        const { page, filter } = query.value;
        return (await resource.list(account, params, page, filter))
          .map((found) => jsonResponse(200, found))
          .mapErr(refusalOf);
      },
      { operation: describeList(document, query) },
    ),
    route(
      'GET',
      `${one}/events`,
      async ({ account }, request, params) => {
        const page = readHistoryQuery(request);
        if (page.isErr()) return err(page.error);
        return (await resource.history(account, params, page.value))
          .map((found) => jsonResponse(200, found))
          .mapErr(refusalOf);
      },
      { operation: describeHistory(document) },
    ),
  ];
};
