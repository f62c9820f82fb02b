import type { HttpSuiteOptions } from '../http-suite.ts';
import { assertRefused, badRequests } from './bad.ts';
import { nameOf } from './bad-request.ts';
import type { RequestsCases } from './case.ts';
import { changeCases } from './changes.ts';
import { requestsClient } from './client.ts';
import { conditionCases } from './conditions.ts';
import { extendedSandboxCases, extensionCases, withExtension } from './extensions.ts';
import { historyCases } from './history.ts';
import { hookCases } from './hooks.ts';
import { idCases, referenceCases, withSerialIds, withUniqueReferences } from './ids.ts';
import { lifecycleCases } from './lifecycle.ts';
import { listCases } from './lists.ts';
import { withTestEnvironment } from './made.ts';
import { createRequestsPlatform, type RequestsSettings } from './platform.ts';
import { refusalCases } from './refusals.ts';
import { noSandboxCases, sandboxCases } from './sandbox.ts';
import { sharingCases } from './sharing.ts';

/** Cases, and the settings of their platform. */
const groups: readonly { readonly settings?: () => RequestsSettings; readonly cases: RequestsCases }[] = [
  { cases: lifecycleCases },
  { cases: sharingCases },
  { cases: listCases },
  { cases: conditionCases },
  { cases: refusalCases },
  { cases: changeCases },
  { cases: historyCases },
  { cases: hookCases },
  { cases: noSandboxCases },
  { settings: withTestEnvironment, cases: sandboxCases },
  { settings: withSerialIds, cases: idCases },
  { settings: withUniqueReferences, cases: referenceCases },
  { settings: withExtension, cases: { ...extensionCases, ...extendedSandboxCases } },
];

/**
 * Asserts the behaviour of requests over a real socket: payment requests, security deposits, templates and cash-outs.
 * @example
 * requestsHttpSuite({
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
export const requestsHttpSuite = ({ test, start }: Pick<HttpSuiteOptions, 'test' | 'start'>): void => {
  const open = async (settings?: RequestsSettings) => {
    const platform = await createRequestsPlatform(settings);
    const server = await start(platform.routes);
    return { client: requestsClient(platform, server.port), close: () => server.close() };
  };
  for (const { settings, cases } of groups)
    for (const [name, run] of Object.entries(cases))
      test(name, async () => {
        const { client, close } = await open(settings?.());
        await run(client).finally(close);
      });

  // They store nothing, so they share one platform.
  let running: ReturnType<typeof open> | undefined;
  for (const bad of Object.values(badRequests).flat())
    test(`${nameOf(bad)}: ${bad.status} ${bad.code}, and nothing is stored`, async () => {
      running ??= open(withTestEnvironment());
      await assertRefused((await running).client, bad);
    });
  test('the server closes', async () => {
    await (await running)?.close();
  });
};
