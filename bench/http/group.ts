import { type Child, startChild } from '../children.ts';
import { allCpu, atLeast, atMost, compared, inTurns, type Line, type Samples, type Side } from '../measure.ts';
import { metered } from '../meter.ts';
import type { Sized } from '../sizes.ts';
import { checks } from './checks.ts';
import { bodyOf, hammer } from './load.ts';
import type { Served, ServedHandlers } from './served.ts';

/** Number of requests in flight. */
const connections = 32;

const kit = new URL('./servers/kit.ts', import.meta.url);
const fastifyJwt = new URL('./servers/fastify-jwt.ts', import.meta.url);
/** Each is a separate program, with its input. */
const servers = {
  'partnerkit on Fastify': [kit, 'fastify'],
  'partnerkit on Express': [kit, 'express'],
  'partnerkit without counting of calls': [new URL('./servers/uncounted.ts', import.meta.url), 'fastify'],
  'hand-written route on Fastify': [new URL('./servers/hand-fastify.ts', import.meta.url)],
  'hand-written route on Express': [new URL('./servers/hand-express.ts', import.meta.url)],
  'oidc-provider': [new URL('./servers/oidc-provider.ts', import.meta.url)],
  '@node-oauth/oauth2-server': [new URL('./servers/oauth2-server.ts', import.meta.url)],
  'better-auth': [new URL('./servers/better-auth.ts', import.meta.url)],
  '@fastify/jwt': [fastifyJwt],
  '@fastify/jwt with its cache': [fastifyJwt, 'cache'],
  'express-oauth2-jwt-bearer': [new URL('./servers/express-jwt-bearer.ts', import.meta.url)],
} as const;
type Name = keyof typeof servers;

const frameworks = ['Fastify', 'Express'] as const;
const mine = frameworks.flatMap((name) => [`partnerkit on ${name}`, `hand-written route on ${name}`] as const);

/** Several servers in separate processes. This process sends the same request to them alternately. */
const measure = async <N extends Name>(
  sized: Sized,
  path: 'login' | 'me',
  names: readonly N[],
  rounds: number = sized(7, 1),
): Promise<Readonly<Record<N, Samples>>> => {
  const started: (readonly [N, Child<ServedHandlers>, Served])[] = [];
  const side =
    (child: Child<ServedHandlers>, served: Served): Side =>
    async () => {
      const { port, [path]: request } = served;
      if (request === undefined) throw new Error(`There is no request for ${path}.`);
      const requests = Array(connections).fill(request);
      const sample = await metered(() => hammer(port, requests, sized(300, 20)), [child]);
      checks[path](await bodyOf(port, request), served);
      return sample;
    };
  try {
    for (const name of names) {
      const [program, input] = servers[name];
      const child = await startChild<ServedHandlers>(program, input, name);
      started.push([name, child, await child.ask('served')]);
    }
    const sides = started.map(([name, child, served]) => [name, side(child, served)] as const);
    return await inTurns(Object.fromEntries(sides) as Record<N, Side>, rounds);
  } finally {
    await Promise.all(started.map(([, child]) => child.end()));
  }
};

/** Login and the account look-up, with all data in memory. */
export async function* http(sized: Sized): AsyncGenerator<Line> {
  const byHand = 'hand-written route';
  const oauth = ['oidc-provider', '@node-oauth/oauth2-server', 'better-auth'] as const;
  const login = await measure(sized, 'login', [...mine, ...oauth]);
  for (const [on, least] of [
    ['Fastify', 0.6],
    ['Express', 0.8],
  ] as const)
    yield compared(
      `login on ${on}`,
      login[`partnerkit on ${on}`],
      byHand,
      login[`hand-written route on ${on}`],
      atLeast(least),
    );
  for (const peer of oauth)
    yield compared('login on Fastify', login['partnerkit on Fastify'], peer, login[peer], atLeast(1.5));

  const bearer = ['@fastify/jwt', 'express-oauth2-jwt-bearer'] as const;
  const cached = '@fastify/jwt with its cache';
  const me = await measure(sized, 'me', [...mine, ...bearer, cached]);
  for (const [on, least] of [
    ['Fastify', 0.9],
    ['Express', 0.8],
  ] as const)
    yield compared(
      `account look-up on ${on}`,
      me[`partnerkit on ${on}`],
      byHand,
      me[`hand-written route on ${on}`],
      atLeast(least),
    );
  const ours = me['partnerkit on Fastify'];
  for (const peer of bearer) yield compared('account look-up on Fastify', ours, peer, me[peer], atLeast(2.5));
  yield compared('account look-up on Fastify', ours, cached, me[cached]);

  // The difference is small: more rounds tell it from noise.
  const [counting, uncounted] = ['partnerkit on Fastify', 'partnerkit without counting of calls'] as const;
  const usage = await measure(sized, 'me', [counting, uncounted], sized(31, 1));
  yield compared(
    'account look-up on Fastify, CPU',
    usage[counting],
    'without counting of calls',
    usage[uncounted],
    atMost(1.02),
    allCpu,
  );
}
