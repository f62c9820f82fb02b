import { once } from 'node:events';
import tls, { TLSSocket } from 'node:tls';
import { createCertificateAuthority } from '@partnerkit/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { guardedConnector } from '../../src/sender/guarded-connector.ts';
import { authority, post, startReceiver, startSender, startTcp, startTls } from './loopback.ts';

const failed = (reason: string) => ({ kind: 'failed', reason, durationMs: expect.any(Number) });
const answered = expect.objectContaining({ kind: 'answered', status: 200 });

describe('addresses', () => {
  test.each(['http://partner.test', 'http://127.0.0.1', 'ftp://partner.test', 'file:///etc/passwd'])(
    '%s is refused for its scheme, before any look-up',
    async (url) => {
      const lookup = vi.fn(async () => ['127.0.0.1']);
      expect(await startSender({ lookup }).send(post(url))).toEqual(failed('forbidden_address'));
      expect(lookup).not.toHaveBeenCalled();
    },
  );

  /** Connections that a server sees, when a sender is told to post to each of the hosts. */
  const connections = async (
    hosts: readonly string[],
    allow: readonly string[],
    lookup = async () => ['127.0.0.1'],
  ) => {
    let count = 0;
    const { port } = await startTls((socket) => {
      count += 1;
      socket.once('data', () => socket.destroy());
    });
    const sender = startSender({ allow, lookup });
    const outcomes = await Promise.all(
      hosts.map((host) => sender.send(post(`https://${host}:${port}/`, { deadline: 60_000 }))),
    );
    return { count, reasons: outcomes.map((outcome) => outcome.kind === 'failed' && outcome.reason) };
  };

  const literals = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '127.1',
    '0177.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ];

  test('every spelling of a private address is refused, and no socket is opened', async () => {
    const { count, reasons } = await connections([...literals, '[::1]', '0.0.0.0', '[::]'], []);
    expect(new Set(reasons)).toEqual(new Set(['forbidden_address']));
    expect(count).toBe(0);
  });

  test('only the rule refuses: when allowed, each spelling connects', async () => {
    const { count, reasons } = await connections(literals, ['127.0.0.0/8']);
    expect(new Set(reasons)).toEqual(new Set(['reset']));
    expect(count).toBe(literals.length);
  });

  test.each([
    ['private', ['10.0.0.1']],
    ['mapped', ['::ffff:127.0.0.1']],
    ['one of several', ['8.8.8.8', '127.0.0.1']],
    ['one of several, first', ['127.0.0.1', '2606:4700:4700::1111']],
    ['no address at all', ['other.test']],
  ])('a name that resolves to a forbidden address is refused: %s', async (_, addresses) => {
    const { count, reasons } = await connections(['partner.test'], [], async () => addresses);
    expect(reasons).toEqual(['forbidden_address']);
    expect(count).toBe(0);
  });

  test.each(['169.254.169.254', '[::ffff:169.254.169.254]', '2852039166', '[fd00:ec2::254]', '168.63.129.16'])(
    'the metadata service %s is refused, whatever is allowed',
    async (host) => {
      const sender = startSender({ allow: ['169.254.0.0/16', '0.0.0.0/0', '::/0'] });
      expect(await sender.send(post(`https://${host}/`))).toEqual(failed('forbidden_address'));
    },
  );

  test('a name that is rebound to another address is checked again when the next socket is opened', async () => {
    const { url, requests } = await startReceiver({
      answer: (_, response) => response.setHeader('connection', 'close').end(),
    });
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    const sender = startSender({ allow: ['127.0.0.1/32'], lookup: async () => answers.shift() ?? [] });
    expect(await sender.send(post(url))).toEqual(answered);
    expect(await sender.send(post(url))).toEqual(failed('forbidden_address'));
    expect(requests).toHaveLength(1);
  });

  test('one lookup serves check and connection', async () => {
    const { url } = await startReceiver();
    const lookup = vi.fn(async () => ['127.0.0.1']);
    expect(await startSender({ lookup }).send(post(url))).toEqual(answered);
    expect(lookup.mock.calls).toEqual([['partner.test']]);
  });

  test('the address of the open socket is checked last of all', async () => {
    const { port } = await startReceiver();
    const rule = vi.fn((_: string) => false).mockReturnValueOnce(true);
    const { signal } = new AbortController();
    const connect = guardedConnector({
      allows: rule,
      resolve: async () => ({ known: ['127.0.0.1'] }),
      ca: authority.certificate,
      signal,
    });
    const error = await new Promise((resolve) => {
      const target = { protocol: 'https:', hostname: 'partner.test', host: 'partner.test', port: `${port}` };
      connect(target, (...[failure]) => resolve(failure));
    });
    expect(error).toMatchObject({ sendFailure: 'forbidden_address' });
    expect(rule.mock.calls).toEqual([['127.0.0.1'], ['127.0.0.1']]);
  });

  test('a name with the address of NAT64 that DNS64 adds is reached', async () => {
    const { url } = await startReceiver();
    const sender = startSender({ lookup: async () => ['127.0.0.1', '64:ff9b::7f00:1'] });
    expect(await sender.send(post(url))).toEqual(answered);
  });

  describe('late addresses', () => {
    /** The outcome of a connection to a server of 127.0.0.1 alone, and the look-ups and checks that it took. */
    const connectBy = async (known: readonly string[], late: readonly string[], ca = authority.certificate) => {
      const { port } = await startReceiver();
      const allows = vi.fn((address: string) => address.startsWith('127.'));
      const resolve = vi.fn(async () => ({ known, late: Promise.resolve(late) }));
      const connect = guardedConnector({ allows, resolve, ca, signal: new AbortController().signal });
      const outcome = await new Promise((settle) => {
        connect({ hostname: 'partner.test', port: `${port}` }, (error, socket) => {
          socket?.destroy();
          settle(error ?? 'connected');
        });
      });
      return { outcome, lookups: resolve.mock.calls.length, checked: allows.mock.calls.flat() };
    };

    test('are tried when no known one connects', async () => {
      const { outcome, lookups } = await connectBy(['127.0.0.2'], ['127.0.0.1']);
      expect([outcome, lookups]).toEqual(['connected', 1]);
    });

    test('are checked too', async () => {
      const { outcome } = await connectBy(['127.0.0.2'], ['10.0.0.1']);
      expect(outcome).toMatchObject({ sendFailure: 'forbidden_address' });
    });

    test('are not needed when a known one connects', async () => {
      const { outcome, checked } = await connectBy(['127.0.0.1'], ['10.0.0.1']);
      expect([outcome, checked]).toEqual(['connected', ['127.0.0.1', '127.0.0.1']]);
    });

    test('are not tried after a failure of TLS', async () => {
      const { certificate } = await createCertificateAuthority();
      const { outcome, checked } = await connectBy(['127.0.0.1'], ['127.0.0.2'], certificate);
      expect(outcome).toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
      expect(checked).toEqual(['127.0.0.1']);
    });

    test('that do not exist leave the failure as it was', async () => {
      const { outcome } = await connectBy(['127.0.0.2'], []);
      expect(outcome).toMatchObject({ code: 'ECONNREFUSED' });
    });
  });

  test('the next address is tried when one refuses', async () => {
    const { url } = await startReceiver();
    const sender = startSender({ lookup: async () => ['127.0.0.2', '127.0.0.1'] });
    expect(await sender.send(post(url))).toEqual(answered);
  });

  test('a wrong entry of `allow` is named at construction', () => {
    expect(() => startSender({ allow: ['10.0.0.0'] })).toThrow(/^allow: "10.0.0.0" is no CIDR range/);
  });
});

describe('names', () => {
  test('no address, or a lookup that fails, is dns', async () => {
    const none = startSender({ lookup: async () => [] });
    const rejecting = startSender({ lookup: () => Promise.reject(new Error('SERVFAIL')) });
    const throwing = startSender({
      lookup: () => {
        throw new Error('SERVFAIL');
      },
    });
    for (const sender of [none, rejecting, throwing]) {
      expect(await sender.send(post('https://partner.test'))).toEqual(failed('dns'));
    }
  });
});

describe('connections', () => {
  test('a refused one is connect, be it one address or several', async () => {
    const { server, url } = await startTcp(() => {});
    server.close();
    await once(server, 'close');
    expect(await startSender().send(post(url))).toEqual(failed('connect'));
    const several = startSender({ lookup: async () => ['127.0.0.1', '127.0.0.2'] });
    expect(await several.send(post(url))).toEqual(failed('connect'));
  });
});

describe('TLS', () => {
  const sendTo = async (receiver: { readonly url: string }, ca: string | readonly string[] = authority.certificate) =>
    startSender({ ca }).send(post(receiver.url));

  test('a certificate of a known authority for the right name is accepted', async () => {
    expect(await sendTo(await startReceiver())).toEqual(answered);
    expect(
      await sendTo(await startReceiver(), [(await createCertificateAuthority()).certificate, authority.certificate]),
    ).toEqual(answered);
  });

  const names = ['partner.test'];
  test.each([
    ['another name', 'tls_certificate_name', { names: ['other.test'] }],
    ['only the address', 'tls_certificate_name', { addresses: ['127.0.0.1'] }],
    ['a time that is over', 'tls_certificate_expired', { names, validTo: new Date(Date.now() - 1_000) }],
    ['a time to come', 'tls_certificate_expired', { names, validFrom: new Date(Date.now() + 60_000) }],
  ])('a certificate for %s is %s, and nothing is sent', async (_, reason, request) => {
    const receiver = await startReceiver(await authority.issue(request));
    expect(await sendTo(receiver)).toEqual(failed(reason));
    expect(receiver.requests).toEqual([]);
  });

  test('an authority is trusted only when it is given', async () => {
    const receiver = await startReceiver();
    const { certificate } = await createCertificateAuthority();
    expect(await sendTo(receiver, certificate)).toEqual(failed('tls_certificate_incomplete'));
    expect(await sendTo(receiver, [])).toEqual(failed('tls_certificate_incomplete'));
  });

  test('a whole chain whose authority is not trusted is tls_certificate_untrusted', async () => {
    const stranger = await createCertificateAuthority();
    const { cert, key } = await stranger.issue({ names });
    const whole = await startReceiver({ cert: `${cert.trim()}\n${stranger.certificate}`, key });
    expect(await sendTo(whole)).toEqual(failed('tls_certificate_untrusted'));
  });

  test('a demanded client certificate is named, and nothing is sent', async () => {
    const received: Buffer[] = [];
    const { url } = await startTls((socket) => socket.on('data', (bytes) => received.push(bytes)), {
      requestCert: true,
      ca: [authority.certificate],
    });
    expect(await sendTo({ url })).toEqual(failed('tls_client_certificate'));
    expect(received).toEqual([]);
  });

  test('a server that speaks only HTTP/2 is named', async () => {
    expect(await sendTo(await startTls(() => {}, { ALPNProtocols: ['h2'] }))).toEqual(
      failed('tls_application_protocol'),
    );
  });

  test('a name with a dot at its end is asked for and checked without it', async () => {
    const asked: string[] = [];
    const { port, requests } = await startReceiver();
    const server = await startTls(() => {}, {
      SNICallback: (name, callback) => {
        asked.push(name);
        callback(null);
      },
    });
    await startSender().send(post(`https://partner.test.:${server.port}/`, { deadline: 500 }));
    expect(asked).toEqual(['partner.test']);
    expect(await startSender().send(post(`https://partner.test.:${port}/`))).toEqual(answered);
    expect(requests.map(({ headers }) => headers['host'])).toEqual([`partner.test.:${port}`]);
  });

  test('an authority that is given stands beside those that Node.js trusts', async () => {
    const roots = tls.getCACertificates('default');
    onTestFinished(() => tls.setDefaultCACertificates(roots));
    tls.setDefaultCACertificates([authority.certificate]);
    expect(await sendTo(await startReceiver(), (await createCertificateAuthority()).certificate)).toEqual(answered);
  });

  test('a text that is not a certificate is refused as an authority', () => {
    expect(() => startSender({ ca: [authority.certificate, '/etc/ca.pem'] })).toThrow(
      new TypeError('ca: "/etc/ca.pem" is no PEM certificate.'),
    );
  });

  test('each connection checks the certificate: no session is resumed', async () => {
    const resumed: boolean[] = [];
    const { url } = await startReceiver({
      answer: (_, response) => {
        if (response.socket instanceof TLSSocket) resumed.push(response.socket.isSessionReused());
        response.setHeader('connection', 'close').end();
      },
    });
    const sender = startSender();
    for (let count = 0; count < 3; count += 1) await sender.send(post(url));
    expect(resumed).toEqual([false, false, false]);
  });

  test('HTTP/1.1 is spoken to a server that would prefer HTTP/2', async () => {
    const spoken: unknown[] = [];
    const { url } = await startTls((socket) => socket.once('data', () => socket.destroy()), {
      ALPNCallback: ({ protocols }) => {
        spoken.push(protocols);
        return protocols[0];
      },
    });
    await startSender().send(post(url));
    expect(spoken).toEqual([['http/1.1']]);
  });

  test('the check is against the URL, not against a Host header', async () => {
    const receiver = await startReceiver(await authority.issue({ names: ['other.test'] }));
    const headers = { host: 'other.test' };
    expect(await startSender().send(post(receiver.url, { headers }))).toEqual(failed('tls_certificate_name'));
  });

  test('NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const warning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => {
      vi.unstubAllEnvs();
      warning.mockRestore();
    });
    const receiver = await startReceiver(await authority.issue({ names: ['other.test'] }));
    expect(await sendTo(receiver)).toEqual(failed('tls_certificate_name'));
  });

  test('a server below TLS 1.2 is refused, though the defaults of the process were lowered', async () => {
    const { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS } = tls;
    onTestFinished(() => void Object.assign(tls, { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS }));
    Object.assign(tls, { DEFAULT_MIN_VERSION: 'TLSv1', DEFAULT_CIPHERS: 'ALL@SECLEVEL=0' });
    expect(await sendTo(await startTls(() => {}, { maxVersion: 'TLSv1.1' }))).toEqual(failed('tls_version'));
  });

  test('plain HTTP is tls_missing, and a socket that is closed is tls', async () => {
    const plain = await startTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const closing = await startTcp((socket) => socket.destroy());
    expect(await sendTo(plain)).toEqual(failed('tls_missing'));
    expect(await sendTo(closing)).toEqual(failed('tls'));
  });
});
