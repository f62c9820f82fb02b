import { utf8Length } from '../runtime/text.ts';
import { pathOf } from './path.ts';
import type { HttpResponse, Route } from './route.ts';
import { routeTree } from './route-tree.ts';

const serves = (route: Route, method: string): boolean => route.methods.length === 0 || route.methods.includes(method);

/** Responses without a body have no length and no type (RFC 9110 §8.6). */
const withContentLength = ({ status, headers, body }: HttpResponse): HttpResponse => {
  if (status !== 204 && status !== 205 && status !== 304) {
    return { status, headers: { ...headers, 'content-length': String(utf8Length(body)) }, body };
  }
  const { 'content-length': _length, 'content-type': _type, ...others } = headers;
  return { status, headers: others, body: '' };
};

/** Joins the routes of one path. A method that none serves gets the 405 of the first, with `allow` of all. */
const join = (routes: readonly [Route, ...Route[]]): Route => {
  const methods = [...new Set(routes.flatMap((route) => route.methods))];
  const withHead = methods.includes('GET') && !methods.includes('HEAD') ? [...methods, 'HEAD'] : methods;
  const allowing = (response: HttpResponse): HttpResponse =>
    response.status === 405 ? { ...response, headers: { ...response.headers, allow: withHead.join(', ') } } : response;
  return {
    path: routes[0].path,
    methods: withHead,
    maxBodyBytes: Math.max(...routes.map((route) => route.maxBodyBytes)),
    handle: async (request) => {
      const head = request.method === 'HEAD' && !methods.includes('HEAD');
      const asked = head ? { ...request, method: 'GET' } : request;
      const route = routes.find((one) => serves(one, asked.method)) ?? routes[0];
      const response = withContentLength(allowing(await route.handle(asked)));
      return head ? { ...response, body: '' } : response;
    },
  };
};

const isRest = (route: Route): boolean => route.path.endsWith('/*');
/** The path before the `*`. */
const prefixOf = (rest: Route): string => rest.path.slice(0, -1);

/**
 * Finds the route of a raw request target, for adapters without a router: the route with that path, else the route
 * whose path with `*` is its prefix.
 * @example
 * const find = routeFinder(mountRoutes(kit.routes));
 * const route = find('/api/v1/partner/login');
 * @public
 */
export const routeFinder = (mounted: readonly Route[]): ((target: string) => Route | undefined) => {
  const findExact = routeTree(mounted.filter((route) => !isRest(route)));
  const rests = mounted.filter(isRest);
  return (target) => {
    const path = pathOf(target);
    return findExact(path) ?? rests.find((rest) => path.startsWith(prefixOf(rest)));
  };
};

/**
 * Routers differ in the parameters they accept: requests that reach `rest` are matched again by {@link routeFinder}.
 */
const catchAll = (rest: Route, routes: readonly Route[]): Route => {
  const below = routes.filter((route) => route.path.startsWith(prefixOf(rest)));
  const find = routeFinder(below);
  return {
    ...rest,
    maxBodyBytes: Math.max(rest.maxBodyBytes, ...below.map((route) => route.maxBodyBytes)),
    handle: (request) => (find(request.target) ?? rest).handle(request),
  };
};

/** The path without the names of its parameters: equal shapes match the same targets. */
const shapeOf = (path: string): string => path.replace(/:[^/]+/g, ':');
/** Sorts literal segments before parameters, so that every router finds the same route. */
const literalFirst = (a: Route, b: Route): number => {
  const [one, other] = [a, b].map(({ path }) => shapeOf(path).replaceAll(':', '\uffff')) as [string, string];
  return one < other ? -1 : one > other ? 1 : 0;
};

/** @throws TypeError with the remedy, for a kit, a nested list or a value that is not a route. */
const assertRoutes = (routes: unknown): void => {
  if (!Array.isArray(routes)) {
    const isKit = typeof routes === 'object' && routes !== null && 'routes' in routes;
    throw new TypeError(
      isKit ? 'routes: this is the kit; hand over kit.routes.' : 'routes: a list is needed, such as kit.routes.',
    );
  }
  for (const [place, route] of routes.entries()) {
    if (Array.isArray(route))
      throw new TypeError(`routes[${place}] is a list: spread it, as in [...kit.routes, route].`);
    if (typeof route?.path !== 'string' || typeof route.handle !== 'function')
      throw new TypeError(`routes[${place}] is no route: hand over what kit.accountRoute or receiver.route answers.`);
  }
};

/** A route at each of its paths. */
const atEachPath = (route: Route): readonly Route[] =>
  [route.path, ...(route.aliases ?? [])].map((path) => ({ ...route, path, aliases: [] }));

/**
 * Prepares routes for an adapter: one route for each path and all its methods, literals before parameters, paths with
 * `*` last. It answers HEAD where GET is served and sets `content-length`. Pass all routes of a host together.
 * @example
 * const paths = mountRoutes(kit.routes).map((route) => route.path);
 * @throws TypeError for a kit in place of its routes, or when two routes serve the same method of the same path.
 * @public
 */
export const mountRoutes = (routes: readonly Route[]): readonly Route[] => {
  assertRoutes(routes);
  const byShape = new Map<string, [Route, ...Route[]]>();
  for (const route of routes.flatMap(atEachPath)) {
    const same = byShape.get(shapeOf(route.path));
    const taken = same?.flatMap((other) => other.methods).find((method) => route.methods.includes(method));
    if (taken !== undefined)
      throw new TypeError(`Two routes serve ${taken} ${route.path}: mount one of them. List kit.routes once.`);
    if (same) same.push(route);
    else byShape.set(shapeOf(route.path), [route]);
  }
  const joined = [...byShape.values()].map(join);
  const exact = joined.filter((route) => !isRest(route)).sort(literalFirst);
  return [...exact, ...joined.filter(isRest).map((rest) => catchAll(rest, exact))];
};
