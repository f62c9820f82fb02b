import { deepStrictEqual } from 'node:assert';
import type { OpenApiDocument, Route } from '@partnerkit/core';
import type { IncomingRequest } from '@partnerkit/core/adapter';
import type { HttpSuiteOptions } from '../http-suite.ts';
import { shownOperations } from '../support/examples.ts';
import { reportedCheck } from '../support/reported-check.ts';
import { createManagementApi, type ManagementCase } from './api.ts';
import { deliveryValues } from './delivery-values.ts';
import { endpointValues } from './endpoint-values.ts';
import { generalValues } from './general-values.ts';
import { keyValues } from './key-values.ts';
import { createManagementPlatform, type ManagementPlatform } from './platform.ts';
import { rowCases, sendExample } from './rows.ts';
import { rows } from './table.ts';

const basePath = '/api/v1/partner-management';

/** Serves the platform of the current case, and counts the bodies that its routes read. */
const createHost = () => {
  let current: ManagementPlatform | undefined;
  let read = 0;
  const counted = (request: IncomingRequest): IncomingRequest => {
    const { body } = request;
    if (!('read' in body)) return request;
    return {
      ...request,
      body: {
        read: (maxBytes) => {
          read += 1;
          return body.read(maxBytes);
        },
      },
    };
  };
  return {
    bodiesRead: () => read,
    /** A platform as it was made, or the current one. */
    platform: async (isFresh: boolean): Promise<ManagementPlatform> => {
      if (isFresh || !current) current = await createManagementPlatform();
      return current;
    },
    routes: ({ routes }: ManagementPlatform): readonly Route[] =>
      routes.map((route, index) => ({
        ...route,
        handle: async (request) => (current?.routes[index] ?? route).handle(counted(request)),
      })),
  };
};

/** Starts a server for the platforms of a host. */
const runOn = async (
  host: ReturnType<typeof createHost>,
  platform: ManagementPlatform,
  { start, onAnswer }: Pick<HttpSuiteOptions, 'start' | 'onAnswer'>,
) => {
  const document = platform.document();
  return {
    ...(await start(host.routes(platform))),
    checkAnswer: reportedCheck(document, onAnswer),
    examples: examplesOf(document),
  };
};

/** The examples of the bodies of a document, by the name of the row. */
const examplesOf = (document: OpenApiDocument): ReadonlyMap<string, unknown> =>
  new Map(
    shownOperations(document).map(({ method, template, body }) => [
      `${method} ${template.slice(basePath.length).replace(/\{(\w+)\}/g, ':$1')}`,
      body,
    ]),
  );

const cases: readonly ManagementCase[] = [
  ...rowCases,
  ...generalValues,
  ...keyValues,
  ...endpointValues,
  ...deliveryValues,
];

/**
 * Asserts the management API over a real socket: the right, the condition, the status and the fields of each operation
 * by a table that is written by hand, and the values of answers.
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
export const managementHttpSuite = ({
  test,
  start,
  onAnswer,
}: Pick<HttpSuiteOptions, 'test' | 'start' | 'onAnswer'>): void => {
  const host = createHost();
  let running: ReturnType<typeof runOn> | undefined;
  let isUsed = true;

  test('the table has every operation of the management API', async () => {
    const served = (await host.platform(false)).routes.filter(({ path }) => path.startsWith(`${basePath}/`));
    deepStrictEqual(
      served.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path.slice(basePath.length)}`)).sort(),
      rows.map(({ name }) => name).sort(),
    );
  });
  for (const { name, isReadOnly = false, run: runCase } of cases)
    test(name, async () => {
      const platform = await host.platform(isUsed || !isReadOnly);
      running ??= runOn(host, platform, { start, ...(onAnswer ? { onAnswer } : {}) });
      const { port, checkAnswer, examples } = await running;
      // A case that fails may have changed something.
      isUsed = true;
      await runCase(createManagementApi({ port, platform, checkAnswer, examples, bodiesRead: host.bodiesRead }));
      isUsed = !isReadOnly;
    });
  test('the management server closes', async () => {
    await (await running)?.close();
  });
};

/**
 * Asserts over a real socket that the example of every operation of the management API succeeds, and that the document
 * describes the answer. It is small: an adapter can run it in every test run, and `managementHttpSuite` in some.
 * @example
 * managementExamplesSuite({
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
export const managementExamplesSuite = ({ test, start }: Pick<HttpSuiteOptions, 'test' | 'start'>): void =>
  test('the example of every operation of the management API succeeds, as the document says', async () => {
    const host = createHost();
    const { port, close, ...checks } = await runOn(host, await host.platform(true), { start });
    try {
      for (const row of rows) {
        const platform = await host.platform(true);
        const api = createManagementApi({ port, platform, ...checks, bodiesRead: host.bodiesRead });
        await sendExample(row, api);
      }
    } finally {
      await close();
    }
  });
