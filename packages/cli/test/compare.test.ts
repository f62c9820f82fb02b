import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { execute, fileOf } from './command-line.ts';

const secret = 'an-old-secret-of-theirs';
const core = new URL('../../core/src/wire.ts', import.meta.url).href;
const profile = fileOf(
  `import { defineEnvelope, hmac } from ${JSON.stringify(core)};
  export default {
    maxEndpoints: 3,
    envelope: defineEnvelope({
      name: 'acme',
      write: ({ id, timestamp, objectName, type, data }) =>
        JSON.stringify({ uid: id, event: objectName + '/' + type, at: timestamp, object: data }),
      read: (text) => {
        const { uid, event, at, object } = JSON.parse(text);
        const [objectName, type] = event.split('/');
        return { id: uid, timestamp: at, objectName, type, data: object };
      },
    }),
    signatures: [hmac({
      header: 'Acme-Signature', algorithm: 'sha256', encoding: 'hex',
      content: ['timestamp', { text: '.' }, 'body'], prefix: [{ text: 't=' }, 'timestamp', { text: ',v1=' }],
    })],
    headers: { 'X-Acme-Event': ['type'] },
  };`,
  'profile.ts',
);
const body = '{"uid":"evt_1","event":"RequestPayment/payed","at":1732147200,"object":{"id":"p1","note":"é/"}}';
const sign = (text: string, at = 1_732_150_000): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${text}`).digest('hex')}`;
const headersOf = (text: string) => ({
  'Content-Type': 'application/json',
  Host: 'partner.example',
  'X-Acme-Event': 'payed',
  'Acme-Signature': sign(text),
});
const compareWith = async (text: string, headers: Readonly<Record<string, string>> = headersOf(text)) => {
  const log = fileOf(`${JSON.stringify({ headers, body: text })}\n`, 'log.jsonl');
  const { exitCode, stdout, stderr } = await execute(['compare', log, '--profile', profile], {
    WEBHOOK_SECRET: secret,
  });
  return { exitCode, said: stdout.replaceAll(log, 'log'), stderr };
};

test('the same request: exit code 0', async () => {
  expect(await compareWith(body)).toEqual({
    exitCode: 0,
    said: 'log:1: the same bytes.\n',
    stderr: '1 of 1 requests are the same.\n',
  });
});

describe('differences: exit code 1', () => {
  const swapped = '{"event":"RequestPayment/payed","uid":"evt_1","at":1732147200,"object":{"id":"p1","note":"é/"}}';
  test.each([
    ['keys in another order', swapped, 'the same values, with keys in another order, at character 2.'],
    ['blanks', body.replaceAll(',', ', '), 'the same values, but the old one has blanks between them'],
    ['escaped slashes', body.replaceAll('/', '\\/'), 'the same values, but the old one writes / as \\\\/'],
    ['escaped characters', body.replace('é', '\\u00e9'), 'the same values, but the old one writes characters as'],
    ['another value', body.replace('}}', '},"v":2}'), '/v was 2, and is nothing.'],
  ])('%s', async (_, text, finding) => {
    const { exitCode, said } = await compareWith(text);
    expect(exitCode).toBe(1);
    expect(said).toContain(`log:1: The body differs: ${finding.replaceAll('\\\\', '\\')}`);
    expect(said).toContain('log:1: acme-signature differs, as the body does.');
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a signature of another secret',
      { 'Acme-Signature': `t=1732150000,v1=${'0'.repeat(64)}` },
      'acme-signature differs: "t=',
    ],
    ['a header that is not sent', { 'X-Tenant': 'a' }, 'x-tenant is missing: partnerkit does not send it.'],
    [
      'another content type',
      { 'Content-Type': 'application/json; charset=utf-8' },
      'content-type differs: "application/json; charset',
    ],
  ])('%s', async (_, more, finding) => {
    const { exitCode, said } = await compareWith(body, { ...headersOf(body), ...more });
    expect(exitCode).toBe(1);
    expect(said).toBe(said.startsWith(`log:1: ${finding}`) ? said : finding);
    expect(said).not.toContain(secret);
  });

  test('a new header', async () => {
    const { 'X-Acme-Event': _, ...headers } = headersOf(body);
    expect((await compareWith(body, headers)).said).toBe('log:1: x-acme-event is new: partnerkit sends "payed".\n');
  });

  test('a body of another envelope', async () => {
    expect((await compareWith('[]')).said).toBe('log:1: The body is not one of the envelope acme.\n');
  });
});

test('without a profile: that of the specification, on a recording', async () => {
  const text = '{"timestamp":1732147200,"data":{"id":"p1"},"objectName":"RequestPayment","type":"payed"}';
  const headers = {
    'content-type': 'application/json',
    'x-webhook-signature': createHmac('sha1', secret).update(text).digest('hex'),
  };
  const file = fileOf(JSON.stringify({ headers, bodyBase64: Buffer.from(text).toString('base64') }), 'one.json');
  const answer = await execute(['compare', file, '--secret', secret, '--json']);
  expect(answer.exitCode).toBe(0);
  expect(JSON.parse(answer.stdout)).toEqual({ request: file, isSame: true, findings: [] });
});

describe('profiles of a kit', () => {
  const acme = "signatures: [hmac({ header: 'X-Acme', algorithm: 'sha256', encoding: 'hex' })]";
  const other = "signatures: [hmac({ header: 'X-Other', algorithm: 'sha256', encoding: 'hex' })]";
  const moduleOf = (webhooks: string): string =>
    fileOf(`import { hmac } from ${JSON.stringify(core)}; export default { ${webhooks} };`, 'webhooks.ts');
  const text = '{"timestamp":1732147200,"data":{"id":"p1"},"objectName":"RequestPayment","type":"payed"}';
  const headers = {
    'content-type': 'application/json',
    'x-acme': createHmac('sha256', secret).update(text).digest('hex'),
  };
  const log = fileOf(`${JSON.stringify({ headers, body: text })}\n`, 'log.jsonl');
  const say = async (webhooks: string, ...more: readonly string[]) => {
    const path = moduleOf(webhooks);
    const answer = await execute(['compare', log, '--profile', path, ...more], { WEBHOOK_SECRET: secret });
    return `${answer.exitCode} ${(answer.stdout + answer.stderr).replaceAll(log, 'log').replaceAll(path, 'module')}`;
  };

  test.each<[string, string, readonly string[], string]>([
    ['the only one', `profiles: { acme: { ${acme} } }`, [], '0 log:1: the same bytes.'],
    [
      'one by its name',
      `profiles: { acme: { ${acme} }, other: { ${other} } }`,
      ['--name', 'acme'],
      '0 log:1: the same',
    ],
    [
      'another by its name',
      `profiles: { acme: { ${acme} }, other: { ${other} } }`,
      ['--name', 'other'],
      '1 log:1: x-other',
    ],
    ["the kit's own", `${acme}, profiles: { other: { ${other} } }`, [], '0 log:1: the same bytes.'],
    ["one beside the kit's own", `${other}, profiles: { acme: { ${acme} } }`, ['--name', 'acme'], '0 log:1: the same'],
    [
      'several without a name',
      `profiles: { a: {}, b: {} }`,
      [],
      '1 module has several profiles. Name one with --name: a, b.',
    ],
    ['an unknown one', `profiles: { a: {} }`, ['--name', 'b'], '1 module has no profile "b". Its profiles are: a.'],
    [
      'a name of Object.prototype',
      acme,
      ['--name', 'toString'],
      '1 module has no profile "toString". Its profiles are: none.',
    ],
  ])('%s', async (_name, webhooks, more, said) => {
    expect(await say(webhooks, ...more)).toContain(said);
  });

  test('a time in milliseconds is the time of the old request', async () => {
    const scheme = `hmac({ header: 'X-Acme', algorithm: 'sha384', encoding: 'hex-upper', key: 'hex', timestampHeader: 'X-At',
      timestampUnit: 'milliseconds', content: ['timestamp', { text: '.' }, 'body'] })`;
    const digest = createHmac('sha384', Buffer.from('00ff10ab', 'hex')).update(`1732147201789.${text}`).digest('hex');
    const old = { 'content-type': 'application/json', 'x-at': '1732147201789', 'x-acme': digest.toUpperCase() };
    const file = fileOf(`${JSON.stringify({ headers: old, body: text })}\n`, 'log.jsonl');
    const path = moduleOf(`signatures: [${scheme}]`);
    const { stdout } = await execute(['compare', file, '--profile', path, '--secret', '00ff10ab']);
    expect(stdout).toContain('the same bytes.');
  });

  test('the webhook-id of the old sender counts as it is', async () => {
    const key = Buffer.from('0123456789abcdef').toString('base64');
    const signature = createHmac('sha256', '0123456789abcdef').update(`msg_1.1732147201.${text}`).digest('base64');
    const standard = {
      ...{ 'content-type': 'application/json', 'webhook-id': 'msg_1', 'webhook-timestamp': '1732147201' },
      'webhook-signature': `v1,${signature}`,
    };
    const file = fileOf(`${JSON.stringify({ headers: standard, body: text })}\n`, 'log.jsonl');
    const path = fileOf(
      `import { standardWebhooks } from ${JSON.stringify(core)}; export default { signatures: [standardWebhooks()] };`,
      'webhooks.ts',
    );
    const { stdout } = await execute(['compare', file, '--profile', path, '--secret', `whsec_${key}`]);
    expect(stdout).toContain('the same bytes.');
  });
});

test.each([
  [['compare'], 2, 'compare needs the file or folder'],
  [['compare', '/no/such', '--secret', 's', '--name', 'acme'], 2, '--name needs --profile'],
  [['compare', '/no/such', '--secret', 's'], 1, 'does not exist'],
  [['compare', fileOf('x', 'a.jsonl'), '--secret', 's'], 1, 'is not JSON'],
  [['compare', fileOf('{}', 'a.jsonl'), '--secret', 's'], 1, 'has no headers or no body'],
  [
    ['compare', fileOf('{}', 'a.json'), '--secret', 's', '--profile', fileOf('export default 1', 'p.mjs')],
    1,
    'exports no profile',
  ],
])('%j', async (args, exitCode, message) => {
  const answer = await execute(args);
  expect(answer.exitCode).toBe(exitCode);
  expect(answer.stderr).toContain(message);
});
