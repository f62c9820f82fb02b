import { ok } from 'node:assert';
import type { HttpHeaders, OpenApiDocument } from '@partnerkit/core';
import { isJson, partOf, schemaCheck } from './body-check.ts';
import { type CheckedRequest, requestCheck } from './request-check.ts';

/** An answer over HTTP. @public */
export interface CheckedAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
}

type Json = Readonly<Record<string, unknown>>;

const isOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]*').replaceAll('.', '\\.')}$`);

/** Whether an answer refuses items of a batch. */
const refusesItems = (body: string): boolean => {
  const read: unknown = body === '' ? undefined : JSON.parse(body);
  const items = isJson(read) ? read['items'] : undefined;
  return Array.isArray(items) && items.some((item) => isJson(item) && isJson(item['problem']));
};

/**
 * Creates a check of answers against an OpenAPI document: the status, the media type, every header that it promises and
 * every field of the body must be in it. With the request, its query, headers and body must be in it too, if the
 * platform accepted all of it. Operations that the document does not describe are not checked; the check returns
 * whether it did.
 * @example
 * const check = documentCheck(kit.openApi({ title: 'Partner API' }));
 * const url = new URL('https://api.platform.example/api/v1/partner/jwks.json');
 * const response = await fetch(url);
 * const answer = {
 *   status: response.status,
 *   headers: Object.fromEntries(response.headers),
 *   body: await response.text(),
 * };
 * check('GET', url.pathname, answer, { headers: {}, body: '' });
 * @throws AssertionError that names what the document lacks.
 * @public
 */
export const documentCheck = (
  document: OpenApiDocument,
): ((method: string, target: string, answer: CheckedAnswer, request?: CheckedRequest) => boolean) => {
  const bodies = schemaCheck(document, true);
  const checkRequest = requestCheck(document);
  const paths = Object.entries(document.paths)
    // A path without parameters comes first.
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)
    .map(([template, methods]) => ({ template, methods, pattern: isOf(template) }));

  const responseOf = (operation: Json, status: number): Json | undefined => {
    const responses = operation['responses'] as Readonly<Record<string, Json>>;
    const response = responses[status] ?? (status < 400 || status > 499 ? undefined : responses['default']);
    return response && partOf(document, response);
  };

  return (method, target, { status, headers, body }, request) => {
    const [path = ''] = target.split(/[?#]/, 1);
    const found = paths.find(({ pattern }) => pattern.test(path));
    const operation = found?.methods[method.toLowerCase()];
    // The routes themselves answer an unknown method, and a path that no route can have.
    if (!found || !isJson(operation)) return false;
    const name = `${method} ${found.template} ${status}`;
    const response = responseOf(operation, status);
    ok(response, `${name} is not in the document: ${body}`);
    if (request && status < 300 && !refusesItems(body))
      checkRequest(`${method} ${found.template}`, operation, target, request);
    for (const [header, { required }] of Object.entries((response['headers'] ?? {}) as Readonly<Record<string, Json>>))
      ok(required !== true || headers[header.toLowerCase()] !== undefined, `${name}: the header ${header} is missing`);
    const content = response['content'];
    if (!isJson(content)) {
      ok(body === '', `${name} has no body in the document`);
      return true;
    }
    const type = headers['content-type'] ?? '';
    const media = content[type];
    ok(isJson(media), `${name}: ${type} is not in the document`);
    bodies(`${name} ${type}`, media['schema'], JSON.parse(body));
    return true;
  };
};

/** A webhook as it arrived. @public */
export interface CheckedWebhook {
  /** Lower-case names. */
  readonly headers: HttpHeaders;
  /** The body as text. */
  readonly body: string;
}

/**
 * Creates a check of webhooks against an OpenAPI document: the pair, every required header and every field of the body
 * must be in it.
 * @example
 * const check = webhookCheck(kit.openApi({ title: 'Partner API' }));
 * const { partner } = await scriptedHost();
 * for (const { headers, body } of partner.posts) check({ headers, body });
 * @throws AssertionError that names what the document lacks.
 * @public
 */
export const webhookCheck = (document: OpenApiDocument): ((webhook: CheckedWebhook) => void) => {
  const bodies = schemaCheck(document, true);
  const webhooks = (document.webhooks ?? {}) as Readonly<Record<string, Json>>;
  return ({ headers, body }) => {
    const { objectName, type } = JSON.parse(body) as Json;
    const pair = `${objectName}.${type}`;
    const operation = webhooks[pair]?.['post'];
    ok(isJson(operation), `${pair} is not in the document`);
    const parameters = operation['parameters'] as readonly Json[];
    for (const { name, required } of parameters.map((each) => partOf(document, each)))
      ok(required !== true || headers[String(name).toLowerCase()], `${pair}: the header ${name} is missing`);
    const content = (operation['requestBody'] as Json)['content'] as Readonly<Record<string, Json>>;
    bodies(pair, content[String(headers['content-type'])]?.['schema'], JSON.parse(body));
  };
};
