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
import type { CommandOptions } from '../managed.ts';
import { transact } from '../transact.ts';
import type { AnswerStore } from './answer-store.ts';
import { answerOnce } from './idempotency.ts';
import { matchesIfNoneMatch, queryReader, readIdempotencyKey, readIfMatch, readJson } from './read-request.ts';
import { failureOf } from './refused.ts';
import type { Params, Resource, Shown } from './resource.ts';

/** @internal */
export interface ResourceRouteDeps<Tx extends object> {
  readonly kit: Pick<Partnerkit<Tx, never>, 'accountRoute'>;
  readonly storage: Pick<Storage<Tx>, 'transaction'>;
  readonly answers: AnswerStore<Tx>;
}

type Answer = Result<HttpResponse, RouteFailure>;
type Handle = (caller: Caller, request: HttpRequest, params: Params) => Promise<Answer>;

const shown = (
  status: number,
  { version, view }: Shown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => jsonResponse(status, view, { etag: `"${version}"`, ...headers });

/** The longest input has some 8 KiB, written as long as JSON allows. */
const maxBodyBytes = 64 * 1_024;

/** `checkIn` as a path has it. */
const kebab = (command: string): string => command.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The routes of what partners manage under one path: the commands that its machine leaves to them. @internal */
export const resourceRoutes = <Tx extends object>(
  { kit, storage, answers }: ResourceRouteDeps<Tx>,
  resource: Resource<Tx>,
): readonly Route[] => {
  const collection = `/organisations/:organisationId/${resource.path}` as const;
  const one = `${collection}/:id` as const;
  const readQuery = queryReader(resource);

  const route = (method: string, path: typeof collection, handle: Handle): Route => {
    const respond: AccountHandler<typeof collection> = async (caller, request, params) => {
      // What rejects is the infrastructure: refusals are values.
      const answered = await ask(() => handle(caller, request, params));
      if (answered.isErr()) return answered.error;
      return answered.value.isOk() ? answered.value.value : answered.value.error;
    };
    return kit.accountRoute(method, path, respond, { maxBodyBytes });
  };

  /** A command: its state, its events and its answer are stored together. */
  const command = (
    method: string,
    path: typeof collection,
    act: (
      caller: Caller,
      params: Params,
      input: unknown,
      options: CommandOptions<Tx> & { readonly target: string },
    ) => Promise<Answer>,
  ): Route =>
    route(method, path, async (caller, request, params) => {
      const input = readJson(request);
      if (input.isErr()) return err(input.error);
      const condition = readIfMatch(request);
      const key = method === 'POST' ? readIdempotencyKey(request) : ok(undefined);
      if (key.isErr()) return err(key.error);
      // A condition that cannot be read holds for no version: it is told of where the command would have succeeded.
      const ifVersion = condition.unwrapOr([]);
      const answered = await transact(storage, (tx) =>
        answerOnce(answers, tx, caller, key.value, [path, params, input.value.text], () =>
          act(caller, params, input.value.value, { tx, ifVersion, target: request.target }),
        ),
      );
      return answered.mapErr((failure) =>
        condition.isErr() && 'status' in failure && failure.status === 412 ? condition.error : failure,
      );
    });

  const performing =
    (name: string, answer: (performed: Shown) => HttpResponse): Parameters<typeof command>[2] =>
    async ({ account }, params, input, options) =>
      (await resource.perform(account, params, name, input, options)).map(answer).mapErr(failureOf);

  const partners = Object.entries(resource.rules).flatMap(([name, { by }]) => (by === 'partner' ? [name] : []));
  const named = partners.map((name) => {
    switch (name) {
      case 'create':
        return command('POST', collection, async ({ account }, params, input, { target, ...options }) =>
          (await resource.create(account, params, input, options))
            .map((made) => shown(201, made, { location: `${pathOf(target)}/${made.view.id}` }))
            .mapErr(failureOf),
        );
      case 'change':
        return command(
          'PATCH',
          one,
          performing(name, (changed) => shown(200, changed)),
        );
      case 'delete':
        return command(
          'DELETE',
          one,
          performing(name, () => ({ status: 204, headers: { 'cache-control': 'no-store' }, body: '' })),
        );
      default:
        return command(
          'POST',
          `${one}/${kebab(name)}`,
          performing(name, (performed) => shown(200, performed)),
        );
    }
  });

  return [
    ...named,
    route('GET', one, async ({ account }, request, params) =>
      (await resource.find(account, params))
        .map((found) => shown(matchesIfNoneMatch(request, found.version) ? 304 : 200, found))
        .mapErr(failureOf),
    ),
    route('GET', collection, async ({ account }, request, params) => {
      const read = readQuery(request);
      if (read.isErr()) return err(read.error);
      const { page, filter } = read.value;
      return (await resource.list(account, params, page, filter))
        .map((found) => jsonResponse(200, found))
        .mapErr(failureOf);
    }),
  ];
};
