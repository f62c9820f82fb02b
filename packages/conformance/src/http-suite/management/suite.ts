import { deepStrictEqual } from 'node:assert';
import type { OpenApiDocument, Route } from '@partnerkit/core';
import type { IncomingRequest } from '@partnerkit/core/adapter';
import type { HttpSuiteOptions } from '../http-suite.ts';
import { documentCheck } from '../support/document-check.ts';
import { shownOperations } from '../support/examples.ts';
import { reportedCheck } from '../support/reported-check.ts';
import { createManagementApi, type ManagementApi, type ManagementCase } from './api.ts';
import { deliveryValues } from './delivery-values.ts';
import { endpointValues } from './endpoint-values.ts';
import { generalValues } from './general-values.ts';
import { keyCases, sendExampleByKey } from './key-cases.ts';
import { keyValues } from './key-values.ts';
import { createManagementPlatform, type ManagementPlatform } from './platform.ts';
import { rowCases, sendExample } from './rows.ts';
import { type ManagementRow, rows, rowsByKey } from './table.ts';
import { trailValues } from './trail-values.ts';

const basePath = '/api/v1/partner-management';
const accountPath = '/api/v1/partner/organisations/:organisationId';
const webhooksPath = `${accountPath}/webhook`;

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
    checkByKey: documentCheck(platform.partnerDocument()),
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
  ...trailValues,
  ...keyCases,
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
  test('the table has every operation on webhooks of the partner API', async () => {
    const served = (await host.platform(false)).routes.filter(({ path }) => path.startsWith(`${webhooksPath}`));
    deepStrictEqual(
      served
        .flatMap(({ path, methods }) => methods.map((method) => `${method} ${path.slice(accountPath.length)}`))
        .sort(),
      [...rowsByKey.map(({ name }) => name), 'GET /webhooks/:endpointId/events'].sort(),
    );
  });
  for (const { name, isReadOnly = false, run: runCase } of cases)
    test(name, async () => {
      const platform = await host.platform(isUsed || !isReadOnly);
      running ??= runOn(host, platform, { start, ...(onAnswer ? { onAnswer } : {}) });
      const { port, close: _atEnd, ...checks } = await running;
      // A case that fails may have changed something.
      isUsed = true;
      await runCase(createManagementApi({ port, platform, ...checks, bodiesRead: host.bodiesRead }));
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
export const managementExamplesSuite = ({ test, start }: Pick<HttpSuiteOptions, 'test' | 'start'>): void => {
  /** Sends the example of each row; reads have one platform. */
  const sendEach = async <R>(
    all: readonly R[],
    isRead: (row: R) => boolean,
    send: (row: R, api: ManagementApi) => Promise<void>,
  ): Promise<void> => {
    const host = createHost();
    const { port, close, ...checks } = await runOn(host, await host.platform(true), { start });
    try {
      for (const row of [...all.filter(isRead), ...all.filter((each) => !isRead(each))]) {
        const platform = await host.platform(!isRead(row));
        await send(row, createManagementApi({ port, platform, ...checks, bodiesRead: host.bodiesRead }));
      }
    } finally {
      await close();
    }
  };
  const isRead = ({ method }: ManagementRow): boolean => method === 'GET';
  test('the example of every operation of the management API succeeds, as the document says', () =>
    sendEach(rows, isRead, sendExample));
  test('the example of every operation on webhooks succeeds by key, as the document says', () =>
    sendEach(rowsByKey, ({ row }) => isRead(row), sendExampleByKey));
};
