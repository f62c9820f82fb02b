import type { HttpSuiteOptions } from './http-suite.ts';
import { badCommandCases, badRequestCases } from './requests-bad.ts';
import { lifecycleCases, sharingCases } from './requests-cases.ts';
import { requestsClient } from './requests-client.ts';
import { conditionCases } from './requests-conditions.ts';
import { createRequestsPlatform } from './requests-platform.ts';

/**
 * Holds an adapter of a framework to what partners manage: payment requests, security deposits, templates and cash-outs, over a real socket.
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
  for (const [name, run] of Object.entries({
    ...lifecycleCases,
    ...sharingCases,
    ...conditionCases,
    ...badCommandCases,
    ...badRequestCases,
  })) {
    test(name, async () => {
      const platform = await createRequestsPlatform();
      const server = await start(platform.routes);
      try {
        await run(requestsClient(platform, server.port));
      } finally {
        await server.close();
      }
    });
  }
};
