import type { HttpSuiteOptions } from './http-suite.ts';
import { assertRefused, badRequests } from './requests-bad.ts';
import { nameOf } from './requests-bad-request.ts';
import type { RequestsCases } from './requests-case.ts';
import { changeCases } from './requests-changes.ts';
import { requestsClient } from './requests-client.ts';
import { conditionCases } from './requests-conditions.ts';
import { extendedSandboxCases, extensionCases, withExtension } from './requests-extensions.ts';
import { historyCases } from './requests-history.ts';
import { hookCases } from './requests-hooks.ts';
import { idCases, referenceCases, withSerialIds, withUniqueReferences } from './requests-ids.ts';
import { lifecycleCases } from './requests-lifecycle.ts';
import { listCases } from './requests-lists.ts';
import { withTestEnvironment } from './requests-made.ts';
import { createRequestsPlatform, type RequestsSettings } from './requests-platform.ts';
import { refusalCases } from './requests-refusals.ts';
import { noSandboxCases, sandboxCases } from './requests-sandbox.ts';
import { sharingCases } from './requests-sharing.ts';

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
