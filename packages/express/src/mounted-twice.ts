import type { Application, Router } from 'express';

/** The path of each route by its shape, for every router that `expressRouter` made. */
const pathsOf = new WeakMap<object, ReadonlyMap<string, string>>();

/** Equal shapes match the same requests. */
const shapeOf = (path: string): string => path.replace(/:[^/]+/g, ':');

const isRouter = (handle: unknown): handle is Router =>
  typeof handle === 'function' && 'stack' in handle && Array.isArray(handle.stack);

/** What is mounted beside a router, in the application or in the router of the host that contains it. */
const besideOf = (router: Router, within: Router, seen: Set<Router> = new Set()): readonly unknown[] => {
  const mounted = within.stack.map(({ handle }): unknown => handle);
  if (mounted.includes(router)) return mounted.filter((handle) => handle !== router);
  seen.add(within);
  return mounted
    .filter(isRouter)
    .filter((each) => !seen.has(each))
    .flatMap((each) => besideOf(router, each, seen));
};

/**
 * Returns a function that finds the first path of a router that another router beside it has as well. The second one
 * would never get a request. A router knows its application only from the first request on.
 */
export const mountedTwice = (
  router: Router,
  paths: readonly string[],
): ((app: Application | undefined) => string | undefined) => {
  const own = new Map(paths.map((path) => [shapeOf(path), path]));
  pathsOf.set(router, own);
  const known = new WeakMap<Application, string | undefined>();
  return (app) => {
    if (!app || known.has(app)) return app && known.get(app);
    const beside = isRouter(app.router) ? besideOf(router, app.router) : [];
    const others = beside.flatMap((handle) => [...(pathsOf.get(Object(handle))?.keys() ?? [])]);
    const twice = others.find((shape) => own.has(shape));
    const path = twice === undefined ? undefined : own.get(twice);
    known.set(app, path);
    return path;
  };
};
