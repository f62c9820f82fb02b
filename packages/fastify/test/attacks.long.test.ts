import { httpAttacks } from '@partnerkit/conformance/attacks';
import { test } from 'vitest';
import { attackedHost } from '../../conformance/test/attacks/host.ts';
import { serve } from './support/serve.ts';

const host = attackedHost();
let close = async (): Promise<void> => undefined;

httpAttacks({
  test,
  url: async () => {
    const server = await serve((await host).routes);
    close = server.close;
    return `http://127.0.0.1:${server.port}/api/v1/partner`;
  },
  client: async () => (await host).client,
  requests: true,
});

test('the server ends', () => close());
