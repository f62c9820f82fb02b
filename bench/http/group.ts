import type { Figure } from '../measure.ts';
import { startChild } from '../postgres/children.ts';
import { figure, inTurns, type Rates, type Side } from '../postgres/turns.ts';
import { hammer } from './load.ts';
import type { Served, ServedHandlers } from './served.ts';

/** Number of requests in flight. */
const connections = 32;
const roundTime = 300;
const rounds = 7;

const kit = new URL('./servers/kit.ts', import.meta.url);
const fastifyJwt = new URL('./servers/fastify-jwt.ts', import.meta.url);
/** Each is a separate program, with its input. */
const servers = {
  fastify: [kit, 'fastify'],
  express: [kit, 'express'],
  handFastify: [new URL('./servers/hand-fastify.ts', import.meta.url)],
  handExpress: [new URL('./servers/hand-express.ts', import.meta.url)],
  'oidc-provider': [new URL('./servers/oidc-provider.ts', import.meta.url)],
  'oauth2-server': [new URL('./servers/oauth2-server.ts', import.meta.url)],
  'better-auth': [new URL('./servers/better-auth.ts', import.meta.url)],
  '@fastify/jwt': [fastifyJwt],
  '@fastify/jwt with its cache': [fastifyJwt, 'cache'],
  'express-oauth2-jwt-bearer': [new URL('./servers/express-jwt-bearer.ts', import.meta.url)],
} as const;
type Name = keyof typeof servers;

/** The rates of several servers in separate processes. This process sends the same request to them alternately. */
const measure = async <N extends Name>(
  path: 'login' | 'me',
  names: readonly N[],
): Promise<Readonly<Record<N, Rates>>> => {
  const started = await Promise.all(
    names.map(async (name) => {
      const [program, input] = servers[name];
      const child = await startChild<ServedHandlers>(program, input);
      return { name, child, served: await child.ask('served') };
    }),
  );
  const side =
    ({ port, [path]: request }: Served): Side =>
    () => {
      if (request === undefined) throw new Error(`No ${path} is served at ${port}.`);
      return hammer(port, Array(connections).fill(request), roundTime);
    };
  try {
    const sides = started.map(({ name, served }) => [name, side(served)] as const);
    return await inTurns(Object.fromEntries(sides) as Record<N, Side>, rounds);
  } finally {
    await Promise.all(started.map(({ child }) => child.end()));
  }
};

/** Login and the account lookup, with all data in memory. */
export async function* http(): AsyncGenerator<Figure> {
  const oauth = ['oidc-provider', 'oauth2-server', 'better-auth'] as const;
  const login = await measure('login', ['fastify', 'handFastify', 'express', 'handExpress', ...oauth]);
  yield figure('login on Fastify, of a route by hand', 0.6, login.fastify, login.handFastify);
  yield figure('login on Express, of a route by hand', 0.8, login.express, login.handExpress);
  for (const peer of oauth) yield figure(`login on Fastify, of ${peer}`, 1.5, login.fastify, login[peer]);

  const bearer = ['@fastify/jwt', 'express-oauth2-jwt-bearer'] as const;
  const cached = '@fastify/jwt with its cache';
  const me = await measure('me', ['fastify', 'handFastify', 'express', 'handExpress', ...bearer, cached]);
  yield figure('account look-up on Fastify, of a route by hand', 0.85, me.fastify, me.handFastify);
  yield figure('account look-up on Express, of a route by hand', 0.8, me.express, me.handExpress);
  for (const peer of bearer) yield figure(`account look-up on Fastify, of ${peer}`, 2.5, me.fastify, me[peer]);
  yield figure(`account look-up on Fastify, of ${cached}`, 0, me.fastify, me[cached]);
}
