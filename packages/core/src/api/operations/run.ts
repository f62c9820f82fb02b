import { err, ok, type Result } from '#result';
import { present } from '../../base/fields/present.ts';
import { deprecationHeaders } from '../../base/http/deprecation.ts';
import {
  matchesIfMatch,
  matchesIfNoneMatch,
  readVersions,
  tagOfText,
  tagOfVersion,
} from '../../base/http/entity-tag.ts';
import { pathOf, pathsMatcher } from '../../base/http/path.ts';
import { pathSegment } from '../../base/http/path-segment.ts';
import { isUnread, readRequest } from '../../base/http/read-request.ts';
import type { HttpRequest, HttpResponse, IncomingRequest, RequestHead, Route } from '../../base/http/route.ts';
import type { VersionCondition } from '../../base/runtime/if-version.ts';
import { once } from '../../base/runtime/once.ts';
import { readInput } from '../../base/runtime/read-input.ts';
import { codes } from './codes.ts';
import type { HttpFailure } from './failure.ts';
import { incompleteBody, type JsonBody, readJson } from './json-body.ts';
import type { Answer, Authentication, DescribedOperation, Operation } from './operation.ts';
import { isPageSchema } from './page-schema.ts';
import { linkToNext, readQuery } from './query.ts';
import type { Refuse } from './refusal.ts';
import { hasBody, isRead, readsJson, refusalsOf } from './refusals.ts';
import { etag, nextPage, readIdempotencyKey } from './request-headers.ts';

/** Where a row is served. */
export interface Served {
  /** The path, in place of that of the row. */
  readonly path?: `/${string}`;
  /** Further paths. */
  readonly aliases?: readonly `/${string}`[];
}

const malformed = (name: string): HttpFailure => ({
  code: 'bad_request',
  detail: `${name}: an ETag as it was answered, or *.`,
});
const absent = ok<undefined, HttpFailure>(undefined);
const anyVersion = ok<VersionCondition | undefined, HttpFailure>(undefined);
const noBytes = new Uint8Array();
const closed = err<never, HttpFailure>({ code: 'bad_request', detail: 'The connection closed.' });
const noBody = ok<JsonBody, HttpFailure>({ value: undefined, text: '' });

/** How a row reads the body; `undefined` when its requests have none. */
const bodyReader = (row: Operation): ((request: HttpRequest) => Result<JsonBody, HttpFailure>) | undefined => {
  const { read } = row;
  if (read) return (request) => read(request).map((value) => ({ value, text: '' }));
  if (!hasBody(row)) return undefined;
  const { body: schema } = row;
  if (!schema || !readsJson(row))
    return (request) => {
      const incomplete = incompleteBody(request);
      return incomplete ? err(incomplete) : noBody;
    };
  if (row.readsBodyItself) return readJson;
  return (request) =>
    readJson(request).andThen<JsonBody, HttpFailure>(({ value, text }) =>
      readInput(schema, value).map((input) => ({ value: input, text })),
    );
};

/**
 * Applies the conditions of a read to its response (RFC 9110 §13.2.2). A response without an `ETag` has no condition; a
 * malformed header names no tag.
 */
const conditioned = (response: HttpResponse, { headers }: RequestHead): Result<HttpResponse, HttpFailure> => {
  const { etag } = response.headers;
  if (response.status !== 200 || etag === undefined) return ok(response);
  if (!matchesIfMatch(headers, etag)) return err({ code: 'version_mismatch' });
  return ok(matchesIfNoneMatch(headers, etag) ? { ...response, status: 304 } : response);
};

/** How a row answers. What no answer changes is made once. */
const responder = (row: Operation) => {
  const { answers, headers = {} } = row;
  const [status, { type = 'application/json' } = {}] = Object.entries(answers)[0] ?? [];
  const success = Number(status);
  const empty = { 'cache-control': 'no-store', ...headers };
  const full = { 'content-type': type, ...empty };
  const isConditional = isRead(row) && row.conditional === true;
  const respond = ({ body, version, variant, createdId }: Answer, { target }: RequestHead): HttpResponse => {
    const fixed = body === undefined ? empty : full;
    const text = body === undefined ? '' : JSON.stringify(body);
    const tag = (): string | undefined => (isConditional ? tagOfText(text) : undefined);
    const etag = version === undefined ? tag() : tagOfVersion(version, variant);
    const location = createdId === undefined ? undefined : `${pathOf(target)}/${pathSegment(createdId)}`;
    const link = isRead(row) ? linkToNext(row, body, target) : undefined;
    const isFixed = etag === undefined && location === undefined && link === undefined;
    return {
      status: success,
      headers: isFixed ? fixed : { ...fixed, ...present({ etag, location, link }) },
      body: text,
    };
  };
  return (answer: Answer | HttpResponse, head: RequestHead): Result<HttpResponse, HttpFailure> => {
    const response = 'status' in answer ? answer : respond(answer, head);
    return isConditional ? conditioned(response, head) : ok(response);
  };
};

const describe = (row: Operation, { by, refuses }: Pick<Authentication<unknown>, 'by' | 'refuses'>) => {
  const { handle: _handle, read: _read, maxBodyBytes: _most, headers: _headers, path: _path, ...words } = row;
  return { ...words, by, answers: answersOf(row), refuses: refusalsOf(row, refuses) } satisfies DescribedOperation;
};

const unchanged = 'It has an `ETag` that `If-None-Match` names.';

/** The successful answers of a row, with what its pages and its conditions add. */
const answersOf = (row: Operation): Operation['answers'] => {
  const { answers, conditional } = row;
  const success = answers[200];
  if (!isRead(row) || !success) return answers;
  if (isPageSchema(success.schema))
    return { ...answers, 200: { ...success, headers: { ...nextPage, ...success.headers } } };
  if (!conditional) return answers;
  const headers = { ...etag, ...success.headers };
  return { ...answers, 200: { ...success, headers }, 304: { description: unchanged, headers } };
};

const isMismatch = (failure: HttpFailure): boolean =>
  failure.code === 'refused' ? failure.status === codes.version_mismatch.status : failure.code === 'version_mismatch';

/** Adds what a deprecation says to each answer of a row. */
const announcing = ({ method, deprecated }: Operation, answer: Route['handle']): Route['handle'] => {
  if (!deprecated) return answer;
  const { link, ...headers } = deprecationHeaders(deprecated);
  return async (head) => {
    const response = await answer(head);
    if (head.method !== method) return response;
    const links = [response.headers['link'], link].filter((each) => each !== undefined);
    const joined = links.length === 0 ? {} : { link: links.join(', ') };
    return { ...response, headers: { ...response.headers, ...headers, ...joined } };
  };
};

/** Makes routes of rows. A route never rejects: it answers wrong paths, wrong methods and failures. */
export const createRunner =
  (refuse: Refuse) =>
  <C>(given: Operation<C>, authentication: Authentication<C>, served: Served = {}): Route => {
    // Its own parts read what the handler gets.
    const row = given as Operation;
    const { method, conditional, idempotent, handle, maxBodyBytes = 0 } = row;
    const { path = row.path, aliases = [] } = served;
    const match = pathsMatcher(path, aliases);
    const [readBody, respond] = [bodyReader(row), responder(row)];
    const isConditionalChange = conditional === true && !isRead(row);
    const format = authentication.by === 'client' ? 'oauth2' : 'problem';
    const described = once(() => describe(row, authentication));
    const notAllowed: HttpFailure = { code: 'method_not_allowed', headers: { allow: method } };

    // One function: each that awaits another costs the look-up of an account a turn.
    const answer = async (head: IncomingRequest): Promise<HttpResponse> => {
      try {
        const matched = match(head.target);
        if ('code' in matched) return refuse(matched);
        if (head.method !== method) return refuse(notAllowed);
        const admitted = authentication.admit(head, matched.params);
        const caller = 'then' in admitted ? await admitted : admitted;
        if (caller.isErr()) return refuse(caller.error, format);
        const { query } = row;
        const queryRead = query ? readQuery(query, head) : absent;
        if (queryRead.isErr()) return refuse(queryRead.error, format);
        // A body costs memory: it is read after authentication.
        let request = head as HttpRequest;
        let body: Result<JsonBody, HttpFailure> = noBody;
        if (readBody) {
          request = await readRequest(head, maxBodyBytes);
          body = readBody(request);
        } else if (isUnread(head.body)) request = { ...head, body: noBytes };
        if (body.isErr()) return refuse(body.error, format);
        const versions = isConditionalChange ? readVersions(head.headers).mapErr(malformed) : anyVersion;
        const key = idempotent ? readIdempotencyKey(head, idempotent === 'required') : absent;
        if (key.isErr()) return refuse(key.error, format);
        const handled = handle({
          caller: caller.value,
          params: matched.params,
          query: queryRead.value,
          body: body.value.value,
          bodyText: body.value.text,
          // A malformed condition matches no version, and is reported where the operation would have succeeded.
          ifVersion: versions.isOk() ? versions.value : [],
          idempotencyKey: key.value,
          request,
          admitAgain: async () => (head.isClosed?.() ? closed : authentication.admit(head, matched.params)),
        });
        const answered = 'then' in handled ? await handled : handled;
        const response = answered.andThen((value) => respond(value, head));
        if (response.isOk()) return response.value;
        const { error } = response;
        return refuse(versions.isErr() && isMismatch(error) ? versions.error : error, format);
      } catch (cause) {
        return refuse({ code: 'internal', cause });
      }
    };

    return {
      path,
      aliases,
      methods: [method],
      maxBodyBytes,
      // Its schemas are made for those who read it.
      get operation() {
        return described();
      },
      handle: announcing(row, answer),
    };
  };

export type Run = ReturnType<typeof createRunner>;

/** Makes a route that answers every other path below a prefix. */
export const restRoute = (refuse: Refuse, path: `/${string}/*`, aliases: readonly `/${string}`[] = []): Route => ({
  path,
  aliases,
  methods: [],
  maxBodyBytes: 0,
  handle: async () => refuse({ code: 'not_found' }),
});
