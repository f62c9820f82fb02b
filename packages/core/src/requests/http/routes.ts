import { err, ok, type Result } from 'neverthrow';
import type { z } from 'zod';
import { pathOf } from '../../http/path.ts';
import type { HttpRequest, HttpResponse, Route } from '../../http/route.ts';
import type { RouteFailure } from '../../operations/failure.ts';
import type { AccountOperation, OperationInput, Read } from '../../operations/operation.ts';
import { jsonResponse } from '../../operations/problem.ts';
import { pageOf } from '../../operations/query.ts';
import type { Page } from '../../pagination/page.ts';
import type { AccountHandler, AccountRouteOptions } from '../../partner/account-route.ts';
import type { Caller } from '../../partner/caller.ts';
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
import { listQuery, listQueryOf } from './read-query.ts';
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
type Handle<Q, B> = (
  caller: Caller,
  request: HttpRequest,
  params: Params,
  input: OperationInput<Q, B>,
) => Promise<Answer>;
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

const shownPage = <T>({ items, ...rest }: Page<T>, show: (item: T) => object): HttpResponse =>
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
  const query = listQueryOf(place);

  const route = <Q extends z.ZodObject | undefined, B extends z.ZodType | undefined>(
    method: string,
    path: typeof collection,
    handle: Handle<Read<Q>, Read<B>>,
    options: Pick<AccountRouteOptions, 'environments'> & { readonly operation: AccountOperation<Q, B> },
  ): Route => {
    const respond: AccountHandler<typeof collection, Read<Q>, Read<B>> = async (...call) => {
      // Refusals are values; a rejection comes from the infrastructure or the host's hook.
      const answered = await callPort(() => handle(...call));
      if (answered.isErr()) return answered.error;
      return answered.value.isOk() ? answered.value.value : answered.value.error;
    };
    return kit.accountRoute(method, path, respond, { maxBodyBytes, ...options });
  };

  /** A command: its state, its events and its response are stored together. */
  const command =
    (path: typeof collection, act: Act<Tx>): Handle<undefined, unknown> =>
    async (caller, request, params, { body, bodyText, ifVersion, idempotencyKey: key }) => {
      const actor = { type: 'client', id: caller.client.id } as const;
      const answered = await transact(storage, (tx) =>
        answerOnce({ store: idempotency, tx }, caller, { key, request: [path, params, bodyText] }, () =>
          act(caller, params, body, { tx, ifVersion, actor, target: request.target }),
        ),
      );
      return answered.mapErr((refusal) => (refusal.code === 'rejected' ? refusalOf(refusal) : refusal));
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
      route(method, path, command(path, act), { operation: describeCommand(place, name, method, false) });
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
    return route('POST', path, command(path, performing(name)), {
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
      async ({ account }, _request, params) =>
        (await findIn(place, account, params)).map((found) => shown(200, kind, found)).mapErr(refusalOf),
      { operation: describeFind(place) },
    ),
    route(
      'GET',
      collection,
      async ({ account }, _request, params, input) => {
        const { page, filter } = listQuery(input.query);
        const parentId = parent && (params[parent.field] ?? '');
        const found = parent ? await findObject(commands.served.deposits, account, parentId ?? '') : ok(undefined);
        if (found.isErr()) return err(refusalOf(found.error));
        const within = parent ? { [parent.field]: parentId } : {};
        const listed = await listObjects(of, account, page, { ...filter, ...within });
        return listed.map((items) => shownPage(items, (each) => kind.show(each))).mapErr(refusalOf);
      },
      { operation: describeList(place, query) },
    ),
    route(
      'GET',
      `${one}/events`,
      async ({ account }, _request, params, input) => {
        const found = parent ? await findIn(place, account, params) : ok(undefined);
        if (found.isErr()) return err(refusalOf(found.error));
        const listed = await listHistory(of, account, params['id'] ?? '', pageOf(input.query));
        return listed.map((entries) => shownPage(entries, viewHistoryEntry)).mapErr(refusalOf);
      },
      { operation: describeHistory(place) },
    ),
  ];
};
