import { pathsMatcher } from '../../base/http/path.ts';
import type { RequestHead, Route } from '../../base/http/route.ts';
import { tryCall } from '../../base/runtime/call-port.ts';
import type { Refuse } from '../operations/refusal.ts';

/**
 * Finds the account of a request. `pathAccount`: the one that its path names. `undefined`: none.
 * @public
 */
export type AccountOf = (
  request: RequestHead,
  pathAccount: string | undefined,
) => Promise<string | undefined> | string | undefined;

/** The parameter of a path that names the account. */
const parameter = 'organisationId';
const ofPath: AccountOf = (_request, pathAccount) => pathAccount;

/** What {@link routesByAccount} works with. */
export interface RoutesByAccountDeps {
  /** Finds the place of the kit of an account. */
  readonly kitOf: (accountId: string) => Promise<number>;
  /** @defaultValue the account in the path of the partner API */
  readonly accountOf?: AccountOf | undefined;
  readonly refuse: Refuse;
}

/**
 * Routes over several kits that have the same routes, each for some accounts. A request goes to the kit of its account;
 * one without an account, such as a login, goes to the first kit. The kit checks the token: the path grants nothing.
 * @throws TypeError when the kits have different routes.
 */
export const routesByAccount = (
  kits: readonly (readonly Route[])[],
  { kitOf, accountOf = ofPath, refuse }: RoutesByAccountDeps,
): readonly Route[] => {
  const [first = []] = kits;
  const isSame = (own: readonly Route[], { path, methods }: Route, place: number): boolean =>
    own.length === first.length && own[place]?.path === path && own[place].methods.join() === methods.join();
  return first.map((route, place) => {
    if (!kits.every((own) => isSame(own, route, place)))
      throw new TypeError(
        `kitsOver: the kits have different routes at ${route.path}: open them with the same options.`,
      );
    if (accountOf === ofPath && !route.path.includes(parameter)) return route;
    const match = pathsMatcher(route.path, route.aliases ?? []);
    const choose = async (request: RequestHead): Promise<Route> => {
      const found = match(request.target);
      const account = await accountOf(request, 'code' in found ? undefined : found.params[parameter]);
      return account === undefined ? route : (kits[await kitOf(account)]?.[place] as Route);
    };
    return {
      ...route,
      handle: async (request) => {
        const chosen = await tryCall(() => choose(request));
        return chosen.isOk() ? chosen.value.handle(request) : refuse(chosen.error);
      },
    };
  });
};
