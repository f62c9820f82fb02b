import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mountRoutes, routeFinder } from '@partnerkit/core/adapter';
import { onTestFinished } from 'vitest';
import { generateSigningKey, jwtAccessTokens } from '../../../src/index.ts';
import { type Platform, startPlatform } from './platform.ts';

/** A platform behind a socket of this machine, whose address is its issuer. */
export const listenAsPlatform = async (): Promise<Platform & { readonly issuer: string }> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tokens = jwtAccessTokens({ keys: [generateSigningKey()], issuer, audience: issuer });
  const platform = await startPlatform({ tokens, oauth: { metadata: { issuer }, revocationDelay: 0 } });
  const find = routeFinder(mountRoutes(platform.kit.routes));
  server.on('request', async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = Buffer.concat(await request.toArray());
    const answer = await find(url)?.handle({ method, target: url, headers: { ...headers } as never, body });
    response.writeHead(answer?.status ?? 404, answer?.headers ?? {}).end(answer?.body ?? '');
  });
  return { ...platform, issuer };
};
