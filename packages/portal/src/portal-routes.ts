import type { HttpResponse, RequestHead, Route } from '@partnerkit/core';
import { assertOptions, matchesIfNoneMatch, type OptionRule, optionRules } from '@partnerkit/core/adapter';
import { bundle, bundleHash } from '#bundle';
import { createPage } from './page.ts';
import type { PortalKit, PortalOptions } from './portal-options.ts';

const { anything, exactly, listOf, must, optional, text } = optionRules;
const rule = exactly({
  // managementRoutes checks these.
  ...{ authorize: anything, requests: anything, trustedOrigins: anything },
  apiUrl: optional(text()),
  basePath: optional(text('must begin with "/".', /^\//)),
  frameAncestors: optional(listOf(text(), 'must be a list of origins.')),
  loginUrl: optional(text()),
  messages: optional(must('must be an object: { en: { … } }.', (value) => Object(value) === value)),
  title: optional(text()),
} satisfies Record<keyof PortalOptions, OptionRule>);

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** A route that serves one text. */
const serve = (
  path: `/${string}`,
  contentFor: (request: RequestHead) => { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Route => ({
  path,
  methods: ['GET'],
  maxBodyBytes: 0,
  handle: async (request): Promise<HttpResponse> => {
    if (request.method !== 'GET') return { status: 405, headers: { 'cache-control': 'no-store' }, body: '' };
    const { headers, body } = contentFor(request);
    const all = { ...securityHeaders, ...headers };
    return headers['etag'] !== undefined && matchesIfNoneMatch(request.headers, headers['etag'])
      ? { status: 304, headers: all, body: '' }
      : { status: 200, headers: all, body };
  },
});

const type = 'text/javascript; charset=utf-8';

/** The modules of the element, in a folder that has their hash in its name. */
const modules = (folder: `/${string}`): readonly Route[] =>
  Object.entries(bundle).map(([name, body]) => {
    const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' };
    return serve(`${folder}/${name}`, () => ({ headers, body }));
  });

/**
 * Makes the routes of the portal: a page, its script and the management API below it.
 *
 * - `basePath`: the page, with a Content-Security-Policy that forbids inline scripts and `eval`.
 * - `basePath/portal.js`: the custom element `<partnerkit-portal>`, for pages of your own. Browsers ask each time
 *   whether it changed. It loads its modules, which a browser keeps for a year.
 * - `basePath/api/…`: the management API.
 * @example
 * const portal = portalRoutes(kit, {
 *   authorize: async ({ headers }) => {
 *     const user = await findUser(headers['cookie']);
 *     return user && { accountId: user.organisationId, userId: user.id, can: { keys: 'write', webhooks: 'write' } };
 *   },
 *   loginUrl: '/login',
 * });
 * await app.register(fastifyRoutes, { routes: [...kit.routes, ...portal] });
 * @throws TypeError that names each wrong option.
 * @public
 */
export const portalRoutes = (kit: PortalKit, options: PortalOptions): readonly Route[] => {
  assertOptions('portalRoutes', rule, options);
  const { basePath = '/partner-portal', title, loginUrl, apiUrl, frameAncestors, messages, ...management } = options;
  const folder = `${basePath}/element.${bundleHash}` as const;
  const page = createPage({ title, loginUrl, apiUrl, frameAncestors, messages, folder, apiPath: `${basePath}/api` });
  const entry = `import ${JSON.stringify(`./element.${bundleHash}/portal.js`)};\n`;
  const headers = { 'content-type': type, 'cache-control': 'no-cache', etag: `"${bundleHash}"` };
  return [
    ...kit.managementRoutes({ ...management, basePath: `${basePath}/api` }),
    serve(basePath, (request) => page(request.headers)),
    serve(`${basePath}/portal.js`, () => ({ headers, body: entry })),
    ...modules(folder),
  ];
};
