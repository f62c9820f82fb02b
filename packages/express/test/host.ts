import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createPartnerkit, minute } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import type { ErrorRequestHandler, Express } from 'express';
import { onTestFinished } from 'vitest';

export const basePath = '/api/v1/partner';
export const own = { id: 'org', name: 'Maison d’été '.repeat(200), status: 'active', environment: 'prod' };

export const platform = async (base: `/${string}` = basePath) => {
  const kit = createPartnerkit({
    accounts: memoryAccounts([own]),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k', key: new Uint8Array(32) }] },
    objects: [],
    api: { basePath: base },
    limits: { failedLogins: { perAddress: { points: 1, window: minute } } },
  });
  const added = (await kit.clients.create('org', { name: 'key' }))._unsafeUnwrap();
  const credentials = {
    client_id: added.client.id,
    client_secret: added.secret,
    grant_type: 'client_credentials',
    scope: 'USER',
  };
  return { kit, credentials };
};

export const listen = async (app: Express): Promise<number> => {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

export const send = async (
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
) => {
  const sent = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent: false,
  });
  sent.end(body);
  const [response] = await once(sent, 'response');
  return {
    status: response.statusCode as number,
    headers: response.headers as Record<string, string>,
    body: await text(response),
  };
};
export const login = (port: number, fields: object, path = `${basePath}/login`, headers = {}) =>
  send(port, 'POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(fields));

/** What a host's error handler was given. */
export const errorsOf = (app: Express): Error[] => {
  const errors: Error[] = [];
  const catchAll: ErrorRequestHandler = (error, _request, response, _next) => {
    errors.push(error);
    response.status(500).end('the host’s own answer');
  };
  app.use(catchAll);
  return errors;
};
