import { err, ok, type Result } from 'neverthrow';
import type { RouteFailure } from '../../http/failure.ts';
import type { AccountHandler } from '../../http/partner-routes.ts';
import { pathOf } from '../../http/path.ts';
import { jsonResponse } from '../../http/problem.ts';
import type { HttpRequest, HttpResponse, Route } from '../../http/route.ts';
import type { Partnerkit } from '../../partnerkit.ts';
import { ask } from '../../runtime/unavailable.ts';
import type { Storage } from '../../storage.ts';
import type { Caller } from '../../tokens/caller.ts';
import type { CommandOptions } from '../collection.ts';
import { transact } from '../transact.ts';
import { answerOnce } from './idempotency.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import { createQueryReader, readHistoryQuery } from './read-query.ts';
import { matchesIfNoneMatch, readIdempotencyKey, readIfMatch, readJson } from './read-request.ts';
import { failureOf } from './refused.ts';
import type { Params, Resource, Shown } from './resource.ts';

/** @internal */
export interface ResourceRouteDeps<Tx extends object> {
  readonly kit: Pick<Partnerkit<Tx, never>, 'accountRoute'>;
  readonly storage: Pick<Storage<Tx>, 'transaction'>;
  readonly idempotency: IdempotencyStore<Tx>;
  /** Environments in which partners may give the host's commands. */
  readonly testEnvironments: readonly string[];
}

type Answer = Result<HttpResponse, RouteFailure>;
type Handle = (caller: Caller, request: HttpRequest, params: Params) => Promise<Answer>;
/** What a command does, inside its transaction. */
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

/** The longest input without the host's own fields has some 20 KiB. */
const maxBodyBytes = 64 * 1_024;

/** `checkIn` as a path has it. */
const kebab = (command: string): string => command.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The routes of what partners manage under one path: the commands that its machine leaves to them. @internal */
export const resourceRoutes = <Tx extends object>(
  { kit, storage, idempotency, testEnvironments }: ResourceRouteDeps<Tx>,
  resource: Resource<Tx>,
): readonly Route[] => {
  const collection = `/organisations/:organisationId/${resource.path}` as const;
  const one = `${collection}/:id` as const;
  const readQuery = createQueryReader(resource);

  const route = (method: string, path: typeof collection, handle: Handle, environments?: readonly string[]): Route => {
    const respond: AccountHandler<typeof collection> = async (caller, request, params) => {
      // Refusals are values: what rejects is the infrastructure, or the host's hook.
      const answered = await ask(() => handle(caller, request, params));
      if (answered.isErr()) return answered.error;
      return answered.value.isOk() ? answered.value.value : answered.value.error;
    };
    return kit.accountRoute(method, path, respond, { maxBodyBytes, ...(environments ? { environments } : {}) });
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
      // A condition that cannot be read matches no version: it is reported where the command would have succeeded.
      const ifVersion = condition.unwrapOr([]);
      const actor = { type: 'client', id: caller.client.id } as const;
      const answered = await transact(storage, (tx) =>
        answerOnce(idempotency, tx, caller, key.value, [path, params, input.value.text], () =>
          act(caller, params, input.value.value, { tx, ifVersion, actor, target: request.target }),
        ),
      );
      return answered.mapErr((refusal) => {
        const failure = refusal.code === 'rejected' ? failureOf(refusal) : refusal;
        return condition.isErr() && 'status' in failure && failure.status === 412 ? condition.error : failure;
      });
    };

  const performing =
    (name: string, answer: (performed: Shown) => HttpResponse = (performed) => shown(200, performed)): Act<Tx> =>
    async ({ account }, params, input, { target: _target, ...options }) =>
      (await resource.perform(account, params, name, input, options)).map(answer).mapErr(failureOf);
  const creating: Act<Tx> = async ({ account }, params, input, { target, ...options }) =>
    (await resource.create(account, params, input, options))
      .map((made) => shown(201, made, { location: `${pathOf(target)}/${encodeURIComponent(made.view.id)}` }))
      .mapErr(failureOf);
  const deleted = (): HttpResponse => ({ status: 204, headers: { 'cache-control': 'no-store' }, body: '' });

  const ofPartner = (name: string): Route => {
    const serve = (method: string, path: typeof collection, act: Act<Tx>): Route =>
      route(method, path, command(method, path, act));
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
  /** In a test environment, partners give the commands of the host. */
  const simulated = (name: string): Route => {
    const path = `${one}/simulate/${kebab(name)}` as const;
    return route('POST', path, command('POST', path, performing(name)), testEnvironments);
  };

  return [
    ...Object.entries(resource.rules).flatMap(([name, { by }]) => {
      if (by === 'partner') return [ofPartner(name)];
      return testEnvironments.length > 0 ? [simulated(name)] : [];
    }),
    route('GET', one, async ({ account }, request, params) =>
      (await resource.find(account, params))
        .map((found) => shown(matchesIfNoneMatch(request, found.version) ? 304 : 200, found))
        .mapErr(failureOf),
    ),
    route('GET', collection, async ({ account }, request, params) => {
      const query = readQuery(request);
      if (query.isErr()) return err(query.error);
      const { page, filter } = query.value;
      return (await resource.list(account, params, page, filter))
        .map((found) => jsonResponse(200, found))
        .mapErr(failureOf);
    }),
    route('GET', `${one}/events`, async ({ account }, request, params) => {
      const page = readHistoryQuery(request);
      if (page.isErr()) return err(page.error);
      return (await resource.history(account, params, page.value))
        .map((found) => jsonResponse(200, found))
        .mapErr(failureOf);
    }),
  ];
};
