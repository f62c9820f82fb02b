import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { documentCheck } from './document-check.ts';
import { asSent, exchange, type WireRequest, type WireResponse } from './exchange.ts';
import type { HttpSuiteOptions, StartedServer } from './http-suite.ts';
import { end, life } from './management-life.ts';
import { createManagementPlatform, sessions } from './management-platform.ts';
import { type Known, type ManagementStep, refusals } from './management-steps.ts';

const basePath = '/api/v1/partner-management';

const requestOf = (
  { method, path, session = 'owner', headers = {}, body }: ManagementStep,
  known: Known,
): WireRequest => {
  const filled = path.replace(/:(\w+)/g, (_whole, name: string) => known[name] ?? `no-${name}`);
  const isJson = body !== undefined && typeof body !== 'string';
  return {
    method,
    target: `${basePath}${filled}`,
    headers: {
      ...(session === 'none' ? {} : { 'x-session': session }),
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
  };
};

/** Headers that Node.js or the framework adds. */
const foreign = new Set(['date', 'connection', 'keep-alive', 'x-powered-by', 'transfer-encoding']);
const ours = ({ status, headers, body }: WireResponse): object => ({
  status,
  body,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !foreign.has(name))),
});

/**
 * Asserts the management API over a real socket: each answer has the same bytes as without a framework, and a refused
 * request stores nothing.
 * @example
 * managementHttpSuite({
 *   test,
 *   start: async (routes) => {
 *     const app = fastify({ forceCloseConnections: true });
 *     await app.register(fastifyRoutes, { routes });
 *     const { port } = new URL(await app.listen({ host: '127.0.0.1' }));
 *     return { port: Number(port), close: () => app.close() };
 *   },
 * });
 * @public
 */
export const managementHttpSuite = ({ test, start }: Pick<HttpSuiteOptions, 'test' | 'start'>): void => {
  const [platform, twin] = [createManagementPlatform(), createManagementPlatform()];
  const checkAnswer = documentCheck(platform.document);
  const known: Known = {};
  let running: Promise<StartedServer> | undefined;
  const secrets: string[] = [];

  const take = async (step: ManagementStep): Promise<void> => {
    running ??= start(platform.routes);
    const { port } = await running;
    if (step.delivers) for (const each of [platform, twin]) await each.deliver();
    const request = requestOf(step, known);
    const [before, actors] = [await platform.stored(), platform.actors.length];
    const [response, expected] = [await exchange(port, request), await twin.answer(request)];
    strictEqual(response.status, step.status, response.body);
    deepStrictEqual(ours(response), ours(expected));
    checkAnswer(step.method, request.target, response, asSent(request));
    for (const secret of secrets) ok(!response.body.includes(secret), 'a secret is shown again');
    const answer = response.body === '' ? undefined : JSON.parse(response.body);
    if (typeof answer?.secret === 'string') secrets.push(answer.secret);
    if (step.code === undefined) {
      if (step.keep) Object.assign(known, step.keep(answer as never));
      const user = sessions[step.session === 'none' ? 'nothing' : (step.session ?? 'owner')].userId;
      for (const actor of platform.actors.slice(actors)) strictEqual(actor, `user ${user}`);
      if (step.storesNothing) strictEqual(await platform.stored(), before, 'a check was stored');
      else if (step.method !== 'GET' && step.method !== 'HEAD')
        ok(platform.actors.length > actors, 'no signal names the actor');
      return;
    }
    deepStrictEqual([answer.code, answer.status], [step.code, step.status]);
    strictEqual(response.headers['content-type'], 'application/problem+json');
    strictEqual(await platform.stored(), before, 'what is refused was stored');
    strictEqual(platform.actors.length, actors, 'what is refused was signalled');
  };

  for (const step of [...life, ...refusals(platform.routes, basePath), ...end]) test(step.name, () => take(step));
  test('the management server closes', async () => {
    await (await running)?.close();
  });
};
