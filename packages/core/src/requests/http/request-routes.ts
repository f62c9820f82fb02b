import type { ObjectDefinition } from '../../catalogue/define-object.ts';
import type { Route } from '../../http/route.ts';
import { kindNames } from '../kinds/names.ts';
import type { RequestsKit } from '../requests-options.ts';
import { placesOf } from './place.ts';
import { type PlaceRouteDeps, placeRoutes } from './routes.ts';
import { webhookTestRoute } from './webhook-test.ts';

/** The routes of all kinds. @internal */
export const requestRoutes = <Tx extends object>(
  deps: PlaceRouteDeps<Tx> & { readonly kit: Pick<RequestsKit<Tx, ObjectDefinition>, 'endpoints' | 'events'> },
): readonly Route[] => [
  ...kindNames.flatMap((name) => placesOf(deps.commands.served[name]).flatMap((place) => placeRoutes(deps, place))),
  ...(deps.testEnvironments.length > 0 ? [webhookTestRoute(deps.kit, deps.testEnvironments)] : []),
];
