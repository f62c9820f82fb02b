import { afterEach, describe, expect, test, vi } from 'vitest';
import { authority, post, startReceiver, startSender } from './loopback.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const issuedToLocalhost = await authority.issue({ names: ['localhost', 'app.localhost'], addresses: ['127.0.0.1'] });
const start = async () => {
  const receiver = await startReceiver(issuedToLocalhost);
  return { ...receiver, on: (host: string) => `https://${host}:${receiver.port}/hook` };
};
const answered = expect.objectContaining({ kind: 'answered', status: 200 });
const failed = (reason: string) => ({ kind: 'failed', reason, durationMs: expect.any(Number) });
const neverAsked = async () => {
  throw new Error('DNS was asked.');
};

describe('localhost', () => {
  test.each(['localhost', 'app.localhost', 'LOCALHOST'])(
    '%s is loopback, and no name server is asked',
    async (host) => {
      const { on } = await start();
      const sender = startSender({ allow: ['127.0.0.0/8'], lookup: neverAsked });
      expect(await sender.send(post(on(host)))).toEqual(answered);
    },
  );

  test('is refused like any address that is not allowed', async () => {
    const { on, requests } = await start();
    expect(await startSender({ allow: [], lookup: neverAsked }).send(post(on('localhost')))).toEqual(
      failed('forbidden_address'),
    );
    expect(requests).toEqual([]);
  });

  test('in allow is all of loopback, and nothing else', async () => {
    const { on } = await start();
    const sender = startSender({ allow: ['localhost'], lookup: neverAsked });
    expect(await sender.send(post(on('127.0.0.1')))).toEqual(answered);
    expect(await sender.send(post(on('localhost')))).toEqual(answered);
    expect(await sender.send(post('https://10.0.0.1/'))).toEqual(failed('forbidden_address'));
  });
});

describe('development', () => {
  test('opens loopback, and says so to the kit', async () => {
    const { on } = await start();
    const sender = startSender({ allow: [], development: true, lookup: neverAsked });
    expect(sender.development).toBe(true);
    expect(await sender.send(post(on('localhost')))).toEqual(answered);
    expect(await sender.send(post('https://192.168.0.1/'))).toEqual(failed('forbidden_address'));
    expect(startSender().development).toBe(false);
    expect(startSender({ development: false }).development).toBe(false);
  });

  test.each(['production', 'staging', 'prod', 'Development'])('is refused with NODE_ENV=%s', (environment) => {
    vi.stubEnv('NODE_ENV', environment);
    expect(() => startSender({ development: true })).toThrow(
      new TypeError(
        `development: not with NODE_ENV=${environment}; leave it out, or set NODE_ENV to development or test.`,
      ),
    );
    expect(() => startSender({ development: false })).not.toThrow();
  });
});

test.each([undefined, '', 'development', 'test'])('development is allowed with NODE_ENV=%s', (environment) => {
  vi.stubEnv('NODE_ENV', environment);
  expect(startSender({ development: true }).development).toBe(true);
});

describe('canReach', () => {
  test.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://2130706433/',
    'https://10.1.2.3/',
    'https://169.254.169.254/',
    'https://203.0.113.7/',
    'https://localhost/',
    'https://app.localhost./',
    'http://partner.example/',
  ])('never: %s', (url) => {
    expect(startSender({ allow: [] }).canReach?.(url)).toBe(false);
  });

  test.each([
    'https://partner.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://localhost.example/',
  ])('perhaps: %s', (url) => {
    expect(startSender({ allow: [], lookup: neverAsked }).canReach?.(url)).toBe(true);
  });

  test('follows allow', () => {
    const sender = startSender({ allow: ['10.1.0.0/16'] });
    expect(['https://10.1.2.3/', 'https://10.2.0.0/'].map((url) => sender.canReach?.(url))).toEqual([true, false]);
    const developing = startSender({ allow: [], development: true });
    expect(
      ['https://localhost/', 'https://[::1]/', 'https://10.1.2.3/'].map((url) => developing.canReach?.(url)),
    ).toEqual([true, true, false]);
  });
});
