import type { z } from 'zod';
import { err, ok } from '#result';
import { isRight, type NeededRight } from '../../base/accounts/rights.ts';
import { deprecationProblem } from '../../base/http/deprecation.ts';
import type { PathParams } from '../../base/http/path.ts';
import type { HttpRequest, HttpResponse, Route } from '../../base/http/route.ts';
import {
  assertOptions,
  booleanOption,
  exactly,
  listOf,
  must,
  type OptionRules,
  optional,
  problem,
  text,
  wholeNumber,
  withMembers,
} from '../../base/runtime/option-rules.ts';
import { isZod4, zod4Remedy } from '../../base/runtime/zod4.ts';
import { codes } from '../operations/codes.ts';
import type { RouteFailure } from '../operations/failure.ts';
import type { AccountOperation, KeyOperation, OperationInput, Read } from '../operations/operation.ts';
import { type Caller, type Reached, viewCaller } from './caller.ts';

/**
 * Handles a request of a host's route, with the caller, the request, the values of the path, and what the kit has read
 * by the `operation` of the route. A response whose header names are not in lower case, or concern the connection,
 * becomes a 500.
 * @public
 */
export type AccountHandler<Path extends string, Q = undefined, B = undefined> = (
  caller: Caller,
  request: HttpRequest,
  params: PathParams<Path>,
  input: OperationInput<Q, B>,
) => Promise<HttpResponse | RouteFailure>;

/**
 * Options of an account route.
 * @public
 */
export interface AccountRouteOptions<
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
> {
  /**
   * The right that an API key needs, such as `requests:read`, or `bookings:write` with `bookings` in `api.rights`.
   * `none`: every API key of the account may call the route.
   */
  readonly right: NeededRight;
  /** Maximum size of the body in bytes; a larger body gets 413. @defaultValue 1048576 (1 MiB) */
  readonly maxBodyBytes?: number;
  /** The environments whose accounts it serves; accounts of others get 404. @defaultValue all */
  readonly environments?: readonly string[];
  /**
   * What it reads, answers and refuses. The kit reads requests by it, and describes it in the OpenAPI document.
   * @defaultValue none: the handler reads everything, and the document leaves the route out
   */
  readonly operation?: AccountOperation<Q, B>;
}

/** Makes a route of the host: `kit.accountRoute`. */
export type AccountRoute = <
  Path extends `/organisations/:organisationId${string}`,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  method: string,
  path: Path,
  handle: AccountHandler<Path, Read<Q>, Read<B>>,
  options: AccountRouteOptions<Q, B>,
) => Route;

/** Serves a row of the host, in all environments unless it names some. */
export type ServeAccount = (row: KeyOperation<Reached>, environments: readonly string[] | undefined) => Route;

const accountPath = /^\/organisations\/:organisationId(\/(:[A-Za-z]\w*|[\w.~-]+))*$/;
/** Default of `maxBodyBytes`. */
const defaultBytes = 1_024 * 1_024;
const isKnownCode = (code: unknown): boolean => typeof code === 'string' && Object.hasOwn(codes, code);
const isOwnCode = (refused: unknown): boolean => {
  const { code, status } = Object(refused) as { readonly code?: unknown; readonly status?: unknown };
  return typeof code === 'string' && Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 499;
};
const schemaOption = must(zod4Remedy, isZod4);
const refusedRule = 'lists codes of the library, and yours as { code, status }, with a status from 400 to 499.';
const operationRule = exactly({
  ...{ operationId: text(), summary: text(), tag: text(), description: optional(text()) },
  answers: withMembers({}),
  refuses: optional(
    listOf(
      must(refusedRule, (each) => isKnownCode(each) || isOwnCode(each)),
      refusedRule,
    ),
  ),
  ...{ query: optional(schemaOption), body: optional(schemaOption) },
  bodyTypes: optional(listOf(text(), 'must be a list of media types.')),
  readsBodyItself: optional(booleanOption),
  conditional: optional(booleanOption),
  idempotent: optional(
    must("must be true, false or 'required'.", (value) => typeof value === 'boolean' || value === 'required'),
  ),
  refusesMore: optional(booleanOption),
  deprecated: optional((value) => {
    const wrong = deprecationProblem(value);
    return wrong === undefined ? [] : problem(wrong);
  }),
} satisfies OptionRules<keyof AccountOperation>);
const optionsRule = exactly({
  right: must(
    "must be the right that an API key needs, such as 'requests:read' or 'bookings:write'; or 'none', if every API key " +
      'of the account may call the route.',
    (right) => right === 'none' || isRight(right),
  ),
  maxBodyBytes: optional(wholeNumber(0)),
  environments: optional(listOf(text(), 'must be a list of environments.')),
  operation: optional(operationRule),
} satisfies OptionRules<keyof AccountRouteOptions>);

/** Headers that only the server writes (RFC 9110 §7.6.1). */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @throws TypeError */
const assertHeaders = (headers: HttpResponse['headers']): void => {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new TypeError('headers: a name or value that HTTP cannot carry.');
    // A second content-length would be sent beside ours.
    if (/[A-Z]/.test(name)) throw new TypeError('headers: names in lower case.');
    if (ofConnection.has(name)) throw new TypeError(`headers: ${name} is for the server to write.`);
  }
};

/**
 * Checks the result of a host's handler. Otherwise a framework would refuse it with a message of its own.
 * @throws TypeError
 */
const sendable = (response: HttpResponse | RouteFailure): HttpResponse | RouteFailure => {
  if ('code' in response) {
    if (response.code !== 'refused') return response;
    if (!(response.status >= 400 && response.status <= 499)) throw new TypeError('refused: a status from 400 to 499.');
    assertHeaders(response.headers ?? {});
    return response;
  }
  const { status, headers, body } = response;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError('status: a whole number from 200 to 599.');
  assertHeaders(headers);
  if (typeof body !== 'string') throw new TypeError('body: a text.');
  return response;
};

/** An operation that is not in the document, and reads nothing. */
const undescribed: AccountOperation = { operationId: '', summary: '', tag: '', answers: {} };

export const createAccountRoute =
  (serve: ServeAccount): AccountRoute =>
  (method, path, handle, options) => {
    if (!/^[A-Z]+$/.test(method)) throw new TypeError('accountRoute: the method in capitals.');
    if (!/^\/organisations\/:organisationId(\/|$)/.test(path))
      throw new TypeError(
        `accountRoute: "${path}" must begin with "/organisations/:organisationId", ` +
          "by which the caller's reach is checked; basePath is added before it.",
      );
    if (!accountPath.test(path))
      throw new TypeError(`accountRoute: "${path}" holds a segment that is neither plain nor a ":name".`);
    if (typeof handle !== 'function')
      throw new TypeError('accountRoute: the third argument handles the request: a function.');
    assertOptions('accountRoute', optionsRule, options ?? {});
    const { right, maxBodyBytes = defaultBytes, environments, operation } = options;
    const row: KeyOperation<Reached> = {
      ...(operation ?? undescribed),
      method,
      right,
      path,
      maxBodyBytes,
      handle: async ({ caller, params, request, query, body, bodyText, ifVersion, idempotencyKey }) => {
        // The parameters come from the matcher of this path, and the input from the words of this operation.
        const input = { query, body, bodyText, ifVersion, idempotencyKey } as never;
        const answer = sendable(await handle(viewCaller(caller), request, params as never, input));
        return 'code' in answer ? err(answer) : ok(answer);
      },
    };
    const { operation: described, ...route } = serve(row, environments);
    return operation && described ? { ...route, operation: described } : route;
  };
