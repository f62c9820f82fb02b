import { documentCheck } from '../support/document-check.ts';
import { checkAnswer } from './check.ts';
import { sendRow, targetOf } from './exchange.ts';
import type { StandardsHttpSuiteOptions } from './options.ts';
import { createStandardsPlatform } from './platform.ts';
import { demandOf, type RowResponse, type RowStep, type StandardsGroup, type StandardsWorld } from './row.ts';
import { standards } from './rows.ts';

type Known = Readonly<Record<string, string>>;

const nameOf = ({ standard }: StandardsGroup, row: StandardsGroup['rows'][number]): string =>
  `${standard} ${row.at}: ${demandOf(row)[1]}`;

const pathOf = (url: string): string => new URL(url, 'https://platform.example').pathname;

/** What the next request can name. */
const namedBy = ({ headers, body }: RowResponse): Known => {
  const { id, token_endpoint: login, jwks_uri: keys } = body.startsWith('{') ? JSON.parse(body) : {};
  const { etag, location } = headers;
  const named = { id, etag, location, token_endpoint: login && pathOf(login), jwks_uri: keys && pathOf(keys) };
  return Object.fromEntries(Object.entries(named).filter(([, text]) => text !== undefined));
};

/**
 * Asserts the sentences of standards, such as RFC 6749 and RFC 9110, over a raw socket: each is one request with the
 * answer that the standard demands.
 * @example
 * const signingKey = generateSigningKey();
 * standardsHttpSuite({
 *   test,
 *   signingKey,
 *   tokens: jwtAccessTokens({
 *     keys: [signingKey],
 *     issuer: 'https://api.platform.example/partners',
 *     audience: 'https://api.platform.example/api/v1/partner',
 *   }),
 *   receiver: ({ path, ...options }) => createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path),
 *   start: async (routes) => {
 *     const app = fastify({ forceCloseConnections: true });
 *     await app.register(fastifyRoutes, { routes });
 *     const { port } = new URL(await app.listen({ host: '127.0.0.1' }));
 *     return { port: Number(port), close: () => app.close() };
 *   },
 * });
 * @public
 */
export const standardsHttpSuite = ({ test, start, ...parts }: StandardsHttpSuiteOptions): void => {
  const open = async () => {
    const platform = await createStandardsPlatform(parts);
    return { platform, server: await start(platform.routes), check: documentCheck(platform.document) };
  };
  let running: ReturnType<typeof open> | undefined;

  /** Sends requests of one row: a name has one value in all of them. */
  const worldOf = async (): Promise<
    StandardsWorld & { readonly fill: (text: string, known?: Known) => Promise<string> }
  > => {
    running ??= open();
    const { platform, server, check } = await running;
    const values: Record<string, string> = {};
    const fill = async (text: string): Promise<string> => {
      for (const [, name = ''] of text.matchAll(/<([\w-]+)>/g)) values[name] ??= await platform.valueOf(name);
      return text.replace(/<([\w-]+)>/g, (_whole, name: string) => values[name] ?? '');
    };
    return {
      platform,
      fill,
      send: async (request) => {
        const response = await sendRow(server.port, request, fill);
        const [method = '', path = ''] = (await fill(request.line)).split(' ');
        check(method, targetOf(path), response);
        Object.assign(values, namedBy(response));
        return response;
      },
    };
  };

  const run = async ({ request, answer, next }: RowStep, world: Awaited<ReturnType<typeof worldOf>>): Promise<void> => {
    await checkAnswer(await world.send(request), answer, world.fill);
    if (next) await run(next, world);
  };

  for (const group of standards)
    for (const row of group.rows)
      test(nameOf(group, row), async () => {
        const world = await worldOf();
        return 'check' in row ? row.check(world) : run(row, world);
      });
  test('the server of the standards closes', async () => {
    await (await running)?.server.close();
  });
};
