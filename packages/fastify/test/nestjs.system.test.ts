import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Controller, ForbiddenException, Get, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { httpSuite } from '@partnerkit/conformance/http-suite';
import type { Route } from '@partnerkit/core';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import { expect, test } from 'vitest';
import { fastifyRoutes } from '../src/index.ts';

const undecodable = { status: 400, reason: 'the router decodes the path before any route is chosen' };

/** A NestJS application whose own routes stand under a global prefix, behind a guard that refuses everyone. */
const serve = async (routes: readonly Route[]) => {
  const payments = class {};
  Object.defineProperty(payments.prototype, 'list', { value: () => 'never', configurable: true, writable: true });
  const descriptor = Object.getOwnPropertyDescriptor(payments.prototype, 'list') ?? {};
  Controller('payments')(payments);
  Get()(payments.prototype, 'list', descriptor);
  const refuseAll = {
    canActivate: () => {
      throw new ForbiddenException();
    },
  };
  const host = class {};
  Module({ controllers: [payments], providers: [{ provide: APP_GUARD, useValue: refuseAll }] })(host);

  const app = await NestFactory.create<NestFastifyApplication>(host, new FastifyAdapter(), {
    logger: false,
    forceCloseConnections: true,
  });
  app.setGlobalPrefix('api');
  await app.register(fastifyRoutes, { routes, clientAddress: (request) => request.ip });
  await app.listen(0, '127.0.0.1');
  return { port: (app.getHttpServer().address() as AddressInfo).port, close: () => app.close() };
};

httpSuite({
  test,
  receiver: ({ path, ...options }) => createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path),
  start: serve,
  deviations: {
    'an invalid percent-encoding': undecodable,
    'a percent-encoding that is not UTF-8': undecodable,
    'the children of an id that is not UTF-8': undecodable,
  },
});

test('the routes of NestJS keep their prefix and their guard', async () => {
  const { port, close } = await serve([]);
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  expect([await statusOf('/api/payments'), await statusOf('/payments')]).toEqual([403, 404]);
  await close();
});
