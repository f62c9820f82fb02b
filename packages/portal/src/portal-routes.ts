import type { HttpHeaders, HttpResponse, RequestHead, Route } from '@partnerkit/core/http';
import { assertOptionNames } from '@partnerkit/core/ports';
import { bundle, bundleHash } from '#bundle';
import { createPage } from './page.ts';
import type { PortalKit, PortalOptions } from './portal-options.ts';

const optionNames: Readonly<Record<keyof PortalOptions, true>> = {
  authorize: true,
  basePath: true,
  frameAncestors: true,
  limits: true,
  loginUrl: true,
  messages: true,
  title: true,
  trustedOrigins: true,
};

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const isUnchanged = (headers: HttpHeaders, etag: string): boolean => {
  const known = headers['if-none-match'];
  return typeof known === 'string' && known.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
};

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
    return headers['etag'] !== undefined && isUnchanged(request.headers, headers['etag'])
      ? { status: 304, headers: all, body: '' }
      : { status: 200, headers: all, body };
  },
});

const script = (cacheControl: string) => () => ({
  headers: {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': cacheControl,
    etag: `"${bundleHash}"`,
  },
  body: bundle,
});

/**
 * Makes the routes of the portal: a page, its script and the management API below it.
 *
 * - `basePath`: the page, with a Content-Security-Policy that forbids inline scripts and `eval`.
 * - `basePath/portal.js`: the custom element `<partnerkit-portal>`, for pages of your own. Browsers ask each time
 *   whether it changed.
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
  assertOptionNames('portalRoutes', options, optionNames);
  const { basePath = '/partner-portal', title, loginUrl, frameAncestors, messages, ...management } = options;
  const scriptPath = `${basePath}/portal.${bundleHash}.js` as const;
  const page = createPage({ title, loginUrl, frameAncestors, messages, scriptPath, apiPath: `${basePath}/api` });
  return [
    ...kit.managementRoutes({ ...management, basePath: `${basePath}/api` }),
    serve(basePath, ({ headers }) => page(headers)),
    serve(`${basePath}/portal.js`, script('no-cache')),
    serve(scriptPath, script('public, max-age=31536000, immutable')),
  ];
};
