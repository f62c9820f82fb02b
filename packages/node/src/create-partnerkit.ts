import {
  createPartnerkit as createKit,
  type ObjectDefinition,
  type Partnerkit,
  type PartnerkitOptions,
} from '@partnerkit/core';
import { httpsSender } from './sender/https-sender.ts';
import { jwtAccessTokens } from './tokens/jwt-access-tokens.ts';

/**
 * Options of `createPartnerkit`: those of core. `tokens` is `jwtAccessTokens` by default, with the keys that `secret`
 * and `origin` give. `sender` is `httpsSender()` by default, whose idle sockets do not keep the process alive.
 * @public
 */
export type NodePartnerkitOptions<Tx extends object, D extends readonly ObjectDefinition[]> = Omit<
  PartnerkitOptions<Tx, D>,
  'sender' | 'tokens'
> &
  Partial<Pick<PartnerkitOptions<Tx, D>, 'sender' | 'tokens'>>;

/**
 * Creates the partner interface of a platform on Node.js: `createPartnerkit` of core, with an HTTPS sender and signed
 * access tokens.
 * @example
 * const kit = createPartnerkit({
 *   accounts: { find: (id) => organisations.byId(id) },
 *   storage: postgresStorage(pool),
 *   secret: process.env['PARTNERKIT_SECRET'],
 *   origin: 'https://api.platform.example',
 *   objects: [booking],
 * });
 * await app.register(fastifyRoutes, { routes: kit.routes });
 * @throws TypeError that names each wrong option and its remedy.
 * @public
 */
export const createPartnerkit = <Tx extends object, const D extends readonly ObjectDefinition[]>(
  options: NodePartnerkitOptions<Tx, D>,
): Partnerkit<Tx, D[number]> => {
  const { tokens = jwtAccessTokens, sender = httpsSender(), ...others } = { ...options };
  return createKit({ ...others, tokens, sender } as PartnerkitOptions<Tx, D>);
};
