import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { Route } from '@partnerkit/core';
import { limitsSuite } from './limits/suite.ts';
import { httpCases } from './partner/cases.ts';
import { createPlatform, type SuiteReceiver } from './partner/platform.ts';
import { receiverCases } from './receiver/cases.ts';
import { rightsSuite } from './rights/suite.ts';
import { asSent, exchange, type WireResponse } from './support/exchange.ts';
import type { HttpCase } from './support/http-case.ts';
import { reportedCheck, type SuiteAnswer } from './support/reported-check.ts';
import type { StartedServer } from './support/started-server.ts';

/**
 * Options of {@link httpSuite}.
 * @public
 */
export interface HttpSuiteOptions {
  /** The `test` function of the runner. */
  readonly test: (name: string, run: () => Promise<void>) => void;
  /** Mounts the routes on the framework and listens on 127.0.0.1. */
  readonly start: (routes: readonly Route[]) => Promise<StartedServer>;
  /** Called with each answer that was checked. @defaultValue nothing is called */
  readonly onAnswer?: (answer: SuiteAnswer) => void;
  /**
   * Creates the route of a receiver, mounted beside the others: `createReceiver({ secrets, deliveryHeader, otherwise,
   * seen: memorySeenKeys(), on: {} })` at the path. The suite calls it three times. @defaultValue no receiver; its
   * cases are skipped
   */
  readonly receiver?: (wanted: SuiteReceiver) => Route;
  /**
   * Cases in which the framework responds before partnerkit, by the name of the case.
   * @defaultValue none
   */
  readonly deviations?: Readonly<
    Record<
      string,
      {
        /** The status that the framework returns. */
        readonly status: number;
        /** Why; shown in the name of the test. */
        readonly reason: string;
      }
    >
  >;
}

/** Headers that Node.js or the framework adds. */
const foreign = new Set(['date', 'connection', 'keep-alive', 'x-powered-by', 'transfer-encoding']);
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A `Link` to the next page, with `next` in the place of the cursor that the body names. */
const withoutCursor = (link: string, body: string): string =>
  link.replace(String(new URLSearchParams({ after: JSON.parse(body).next })), 'after=next');

const check = ({ status, headers, body }: HttpCase, response: WireResponse): void => {
  strictEqual(response.status, status);
  if (typeof body === 'string') strictEqual(response.body, body);
  else ok(body(response.body), `the body is ${response.body}`);

  const ours = Object.entries(response.headers).filter(([name]) => !foreign.has(name));
  const { 'content-length': length, ...set } = Object.fromEntries(ours);
  const id = set['x-request-id'];
  const named = {
    ...set,
    ...(id !== undefined && isId.test(id) ? { 'x-request-id': 'an id' } : {}),
    ...(set['link'] === undefined ? {} : { link: withoutCursor(set['link'], response.body) }),
  };
  deepStrictEqual(named, headers);
  if (status === 204) strictEqual(length, undefined);
  else if (response.body !== '') strictEqual(length, String(Buffer.byteLength(response.body)));
};

/**
 * Asserts that an adapter returns the same responses as every other adapter: status, body bytes, and each header of
 * partnerkit.
 * @example
 * httpSuite({
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
export const httpSuite = ({ test, start, onAnswer, receiver, deviations = {} }: HttpSuiteOptions): void => {
  const cases = receiver ? [...httpCases, ...receiverCases] : httpCases;
  const unknown = Object.keys(deviations).find((name) => !cases.some((each) => each.name === name));
  if (unknown !== undefined) throw new TypeError(`deviations: there is no case "${unknown}".`);

  let running: ReturnType<typeof run> | undefined;
  const run = async () => {
    const platform = await createPlatform({ receiver });
    return { platform, server: await start(platform.routes), checkAnswer: reportedCheck(platform.document, onAnswer) };
  };
  for (const each of cases) {
    const deviation = deviations[each.name];
    test(deviation ? `${each.name} (deviates: ${deviation.reason})` : each.name, async () => {
      running ??= run();
      const { platform, server, checkAnswer } = await running;
      const processed = platform.processed.length;
      const request = each.request(platform);
      const response = await exchange(server.port, request);
      if (deviation) strictEqual(response.status, deviation.status);
      else {
        check(each, response);
        checkAnswer(request.method, request.target, response, asSent(request));
      }
      if (each.status >= 400) strictEqual(platform.processed.length, processed, 'what is refused was processed');
    });
  }
  if (receiver) {
    test('each good webhook was processed, once, and pollutes nothing', async () => {
      const platform = (await running)?.platform;
      const good = receiverCases.filter(({ status }) => status === 204).length;
      // One of them is sent again.
      strictEqual(platform?.processed.length, good - 1);
      ok(!('polluted' in {}), 'Object.prototype was polluted');
    });
  }
  test('the server closes', async () => {
    await (await running)?.server.close();
  });
  rightsSuite({ test, start });
  limitsSuite({ test, start });
};
