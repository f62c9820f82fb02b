import type { HttpSuiteOptions } from '../http-suite.ts';
import type { documentCheck } from '../support/document-check.ts';
import { exchange } from '../support/exchange.ts';
import { reportedCheck } from '../support/reported-check.ts';
import { assertRefused, badOverHttp } from './bad.ts';
import { nameOf } from './bad-request.ts';
import { batchCases } from './batches.ts';
import type { RequestsCases } from './case.ts';
import { changeCases } from './changes.ts';
import { requestsClient } from './client.ts';
import { conditionCases } from './conditions.ts';
import { evidenceCases, uploadCases } from './evidence.ts';
import { exampleCases, withExampleIds } from './examples.ts';
import { extendCases } from './extend.ts';
import { extendedSandboxCases, extensionCases, withExtension } from './extensions.ts';
import { historyCases } from './history.ts';
import { hookCases } from './hooks.ts';
import { idCases, withSerialIds } from './ids.ts';
import { lifecycleCases } from './lifecycle.ts';
import { listCases } from './lists.ts';
import { withTestEnvironment } from './made.ts';
import { createRequestsPlatform, type RequestsSettings } from './platform.ts';
import { recipientCases, simulatedRecipientCases } from './recipients.ts';
import { refusalCases } from './refusals.ts';
import { noSandboxCases, sandboxCases } from './sandbox.ts';
import { sharingCases } from './sharing.ts';
import { templateCases } from './templates.ts';
import { transactionCases } from './transactions.ts';

/** Cases, and the settings of their platform. */
const groups: readonly { readonly settings?: () => RequestsSettings; readonly cases: RequestsCases }[] = [
  {
    cases: {
      ...lifecycleCases,
      ...sharingCases,
      ...listCases,
      ...conditionCases,
      ...refusalCases,
      ...changeCases,
      ...recipientCases,
      ...evidenceCases,
      ...extendCases,
      ...batchCases,
      ...templateCases,
      ...historyCases,
      ...hookCases,
      ...noSandboxCases,
    },
  },
  {
    settings: withTestEnvironment,
    cases: { ...sandboxCases, ...transactionCases, ...simulatedRecipientCases, ...uploadCases },
  },
  { settings: withSerialIds, cases: idCases },
  { settings: withExampleIds, cases: exampleCases },
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
export const requestsHttpSuite = ({
  test,
  start,
  onAnswer,
}: Pick<HttpSuiteOptions, 'test' | 'start' | 'onAnswer'>): void => {
  /** Opens platforms of equal settings: one document describes them all. */
  const openerOf = (settings?: () => RequestsSettings) => {
    let checkAnswer: ReturnType<typeof documentCheck> | undefined;
    return async () => {
      const platform = await createRequestsPlatform(settings?.());
      checkAnswer ??= reportedCheck(platform.document(), onAnswer);
      const server = await start(platform.routes);
      return {
        client: requestsClient(platform, (sent) => exchange(server.port, sent), checkAnswer),
        close: () => server.close(),
      };
    };
  };
  const openTest = openerOf(withTestEnvironment);
  for (const { settings, cases } of groups) {
    const open = settings === withTestEnvironment ? openTest : openerOf(settings);
    for (const [name, run] of Object.entries(cases))
      test(name, async () => {
        const { client, close } = await open();
        await run(client).finally(close);
      });
  }

  // They store nothing, so they share one platform.
  let running: ReturnType<typeof openTest> | undefined;
  for (const bad of badOverHttp)
    test(`${nameOf(bad)}: ${bad.status} ${bad.code}, and nothing is stored`, async () => {
      running ??= openTest();
      await assertRefused((await running).client, bad);
    });
  test('the server closes', async () => {
    await (await running)?.close();
  });
};
