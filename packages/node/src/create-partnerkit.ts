import {
  createPartnerkit as createKit,
  type EventPairs,
  type Partnerkit,
  type PartnerkitOptions,
  type SpecifiedPairs,
} from '@partnerkit/core';
import type { AccessTokens, DefinitionOf, Sender } from '@partnerkit/core/ports';
import { httpsSender } from './sender/https-sender.ts';
import { jwtAccessTokens } from './tokens/jwt-access-tokens.ts';
import type { SigningKey } from './tokens/signing-key.ts';

/**
 * The adapters of Node.js.
 * @public
 */
export interface NodeDefaults {
  /**
   * Keys of access tokens, made by `generateSigningKey`. The first key signs; every key verifies. To rotate: add the
   * new key at the end, deploy it to every process, then move it to the front. Remove the old key when its last token
   * has expired. Required without `tokens`.
   */
  readonly signingKeys?: readonly [SigningKey, ...SigningKey[]];
  /**
   * Scheme, host and port of the API, such as `https://api.platform.example`: the claim `iss` of access tokens. With
   * `http.basePath` it is their claim `aud`. Required without `tokens`.
   */
  readonly origin?: string;
  /**
   * Issues and verifies access tokens, such as `joseAccessTokens` of `@partnerkit/node/jose`.
   * @defaultValue `jwtAccessTokens` with `signingKeys` and `origin`
   */
  readonly tokens?: AccessTokens;
  /**
   * Sends deliveries. Close a sender that you make after the worker has stopped.
   * @defaultValue `httpsSender()`, whose idle sockets do not keep the process alive
   */
  readonly sender?: Sender;
}

/**
 * Options of `createPartnerkit`: those of core, with defaults for `sender` and `tokens`.
 * @public
 */
export type NodePartnerkitOptions<
  Tx extends object,
  D extends readonly DefinitionOf<P>[],
  P extends EventPairs = SpecifiedPairs,
> = Omit<PartnerkitOptions<Tx, D, P>, 'sender' | 'tokens'> & NodeDefaults;

/** The default of core. */
const defaultBasePath = '/api/v1/partner';

const keysRemedy = 'make one with generateSigningKey(), keep it as JSON, and hand over [JSON.parse(SIGNING_KEY)].';

/** @throws TypeError with the remedy. */
const defaultTokens = ({ signingKeys, origin }: NodeDefaults, basePath = defaultBasePath): AccessTokens => {
  if (signingKeys === undefined)
    throw new TypeError(`createPartnerkit: the option signingKeys is missing: ${keysRemedy}`);
  if (origin === undefined || !URL.canParse(origin) || new URL(origin).origin !== origin)
    throw new TypeError(
      'createPartnerkit: the option origin must be scheme, host and port, such as https://api.platform.example.',
    );
  return jwtAccessTokens({ keys: signingKeys, issuer: origin, audience: `${origin}${basePath}` });
};

/**
 * Creates the partner interface of a platform on Node.js: `createPartnerkit` of core, with an HTTPS sender and signed
 * access tokens.
 * @example
 * const kit = createPartnerkit({
 *   accounts: { find: (id) => organisations.byId(id) },
 *   storage: postgresStorage(pool),
 *   origin: 'https://api.platform.example',
 *   signingKeys: keys,
 *   sealingKeys: [{ id: 'k1', key }],
 *   objects: [payment, deposit],
 * });
 * await app.register(fastifyRoutes, { routes: kit.routes });
 * @throws TypeError that names each wrong option and its remedy.
 * @public
 */
export const createPartnerkit = <
  Tx extends object,
  const D extends readonly DefinitionOf<P>[],
  P extends EventPairs = SpecifiedPairs,
>(
  options: NodePartnerkitOptions<Tx, D, P>,
): Partnerkit<Tx, D[number], P> => {
  const { signingKeys, origin, tokens, sender, ...others } = { ...options };
  if (tokens && signingKeys) throw new TypeError('createPartnerkit: pass signingKeys or tokens, not both.');
  const defaults = { signingKeys, origin } as NodeDefaults;
  return createKit({
    ...others,
    tokens: tokens ?? defaultTokens(defaults, others.http?.basePath),
    sender: sender ?? httpsSender(),
  } as PartnerkitOptions<Tx, D, P>);
};
