import { sharedPostgres, sharedRedis } from '@partnerkit/workshop/services';
import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each([
  {
    name: 'PostgreSQL',
    variable: 'DATABASE_URL',
    share: sharedPostgres,
    url: /^postgres:\/\/postgres:\w+@127\.0\.0\.1:/,
  },
  { name: 'Redis', variable: 'REDIS_URL', share: sharedRedis, url: /^redis:\/\/:\w+@127\.0\.0\.1:/ },
])('a shared $name', ({ variable, share, url }) => {
  it(`is the server that ${variable} names, and stop leaves that alone`, async () => {
    vi.stubEnv(variable, 'scheme://somewhere.example');
    const service = await share();
    expect(service).toEqual({ url: 'scheme://somewhere.example', stop: expect.any(Function) });
    await service.stop();
  });

  it.each([undefined, ''])(`is one of its own when ${variable} is %j, and offers no restart`, async (value) => {
    vi.stubEnv(variable, value);
    const service = await share();
    expect(service).toEqual({ url: expect.stringMatching(url), stop: expect.any(Function) });
    await service.stop();
  });
});
