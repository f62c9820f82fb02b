import { utf8Length } from '../runtime/text.ts';
import { pathMatcher, pathOf } from './path.ts';
import type { HttpResponse, Route } from './route.ts';

const serves = (route: Route, method: string): boolean => route.methods.length === 0 || route.methods.includes(method);

/** Answers without a body have no length and no type (RFC 9110 §8.6). */
const measured = ({ status, headers, body }: HttpResponse): HttpResponse => {
  if (status !== 204 && status !== 205 && status !== 304) {
    return { status, headers: { ...headers, 'content-length': String(utf8Length(body)) }, body };
  }
  const { 'content-length': _length, 'content-type': _type, ...others } = headers;
  return { status, headers: others, body: '' };
};

/** Several routes of one path as one. A method that none of them serves gets the first one's 405, with all that are. */
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
      const response = measured(allowing(await route.handle(asked)));
      return head ? { ...response, body: '' } : response;
    },
  };
};

const isRest = (route: Route): boolean => route.path.endsWith('/*');
/** What comes before the `*`. */
const prefixOf = (rest: Route): string => rest.path.slice(0, -1);

/**
 * Finds routes by our own rules, for adapters without a router: the one whose path a raw target has, else the one with a
 * `*` above it.
 * @example
 * const find = routeFinder(mountable(kit.routes));
 * const route = find('/api/v1/partner/login');
 * @public
 */
export const routeFinder = (mounted: readonly Route[]): ((target: string) => Route | undefined) => {
  const exact = mounted.filter((route) => !isRest(route)).map((route) => ({ route, match: pathMatcher(route.path) }));
  const rests = mounted.filter(isRest);
  return (target) => {
    const found = exact.find(({ match }) =>
      match(target).match(
        () => true,
        // The path is this one's, and it answers what is wrong with it.
        ({ code }) => code === 'bad_request',
      ),
    );
    return found?.route ?? rests.find((rest) => pathOf(target).startsWith(prefixOf(rest)));
  };
};

/** Routers differ in what they take for a parameter: what fell through to `rest` is looked at once more, by our own rules. */
const catchAll = (rest: Route, routes: readonly Route[]): Route => {
  const below = routes.filter((route) => route.path.startsWith(prefixOf(rest)));
  const find = routeFinder(below);
  return {
    ...rest,
    maxBodyBytes: Math.max(rest.maxBodyBytes, ...below.map((route) => route.maxBodyBytes)),
    handle: (request) => (find(request.target) ?? rest).handle(request),
  };
};

/** Paths that match the same targets, whatever their parameters are called. */
const shapeOf = (path: string): string => path.replace(/:[^/]+/g, ':');
/** Literal segments before parameters, so that every router and finder comes to the same route. */
const literalFirst = (a: Route, b: Route): number => {
  const [one, other] = [a, b].map(({ path }) => shapeOf(path).replaceAll(':', '\uffff')) as [string, string];
  return one < other ? -1 : one > other ? 1 : 0;
};

/** @throws TypeError that says what to hand over in place of the kit, of a list of lists, or of what is no route. */
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
 * What an adapter registers: each path once, for all methods, literals before parameters, those that end in `*` last. Answers
 * HEAD where GET is served, and counts the bytes of each body. Hand over all routes of a host together.
 * @example
 * const paths = mountable(kit.routes).map((route) => route.path);
 * @throws TypeError when it is handed the kit in place of its routes, or two routes serve the same method of the same path.
 * @public
 */
export const mountable = (routes: readonly Route[]): readonly Route[] => {
  assertRoutes(routes);
  const byShape = new Map<string, [Route, ...Route[]]>();
  for (const route of routes.flatMap(atEachPath)) {
    const same = byShape.get(shapeOf(route.path));
    const taken = same?.flatMap((other) => other.methods).find((method) => route.methods.includes(method));
    if (taken !== undefined) throw new TypeError(`Two routes serve ${taken} ${route.path}: mount one of them.`);
    if (same) same.push(route);
    else byShape.set(shapeOf(route.path), [route]);
  }
  const joined = [...byShape.values()].map(join);
  const exact = joined.filter((route) => !isRest(route)).sort(literalFirst);
  return [...exact, ...joined.filter(isRest).map((rest) => catchAll(rest, exact))];
};
