import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { createCertificateAuthority, type HttpsReceiver, startHttpsReceiver } from '@partnerkit/testing';
import { afterEach, expect, test } from 'vitest';

const authority = await createCertificateAuthority();
const receivers: HttpsReceiver[] = [];
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

const start = async (...options: Parameters<typeof startHttpsReceiver>) => {
  const receiver = await startHttpsReceiver(...options);
  receivers.push(receiver);
  return receiver;
};

/** One POST by Node's own client, to 127.0.0.1 whatever the name. */
const post = async (port: number, servername: string, ca = authority.certificate, body = '') => {
  const sent = request({ host: '127.0.0.1', port, servername, ca, method: 'POST', path: '/hook?x=1', agent: false });
  sent.setHeader('X-Marked', 'yes');
  sent.end(body);
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, body: await text(response) };
};

test('an issued certificate says what was asked for and is signed by the authority', async () => {
  const validFrom = new Date('2020-01-02T03:04:05Z');
  const validTo = new Date('2051-02-03T04:05:06Z');
  const { cert } = await authority.issue({
    names: ['partner.example', 'b.example'],
    addresses: ['127.0.0.1', '2001:db8::1:0:5'],
    validFrom,
    validTo,
  });
  const certificate = new X509Certificate(cert);
  const root = new X509Certificate(authority.certificate);
  expect(certificate.subjectAltName).toBe(
    'DNS:partner.example, DNS:b.example, IP Address:127.0.0.1, IP Address:2001:DB8:0:0:0:1:0:5',
  );
  expect([certificate.validFromDate, certificate.validToDate]).toEqual([validFrom, validTo]);
  expect([certificate.ca, root.ca]).toEqual([false, true]);
  expect([certificate.checkIssued(root), certificate.verify(root.publicKey)]).toEqual([true, true]);
  const stranger = new X509Certificate((await createCertificateAuthority()).certificate);
  expect([certificate.checkIssued(stranger), certificate.verify(stranger.publicKey)]).toEqual([false, false]);
});

test('a receiver records requests and answers as scripted, over TLS that Node verifies', async () => {
  const receiver = await start({
    ...(await authority.issue({ names: ['partner.example'], addresses: ['127.0.0.1'] })),
    answer: ({ body }, response) => response.writeHead(202).end(`got ${body}`),
  });
  expect(receiver.url).toBe(`https://127.0.0.1:${receiver.port}`);
  expect(await post(receiver.port, 'partner.example', undefined, 'é')).toEqual({ status: 202, body: 'got é' });
  expect(receiver.requests).toMatchObject([
    { method: 'POST', path: '/hook?x=1', body: 'é', headers: { 'x-marked': 'yes' } },
  ]);
  expect(receiver.requests[0]?.rawHeaders).toContain('X-Marked');
});

test('Node refuses another name, another authority and a certificate that expired', async () => {
  const good = await start(await authority.issue({ names: ['partner.example'] }));
  const expired = await start(
    await authority.issue({ names: ['partner.example'], validTo: new Date(Date.now() - 60_000) }),
  );
  await expect(post(good.port, 'other.example')).rejects.toThrow(/altnames/);
  await expect(post(good.port, 'partner.example', (await createCertificateAuthority()).certificate)).rejects.toThrow(
    /unable to (get|verify)/,
  );
  await expect(post(expired.port, 'partner.example')).rejects.toThrow('certificate has expired');
  expect(await post(good.port, 'partner.example')).toEqual({ status: 200, body: '' });
});

test('without an answer of its own a receiver says 200; one that throws ends the connection', async () => {
  const issued = await authority.issue({ names: ['partner.example'] });
  const plain = await start(issued);
  const broken = await start({
    ...issued,
    answer: () => {
      throw new Error('scripted');
    },
  });
  expect(await post(plain.port, 'partner.example')).toEqual({ status: 200, body: '' });
  await expect(post(broken.port, 'partner.example')).rejects.toThrow('socket hang up');
});
