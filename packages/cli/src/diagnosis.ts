import { createHmac, createPublicKey, verify as verifySignature } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { equalInConstantTime } from '@partnerkit/core/adapter';
import type { RecordedRequest } from './recorded-request.ts';
import type { Secrets } from './secrets.ts';

/** What a check of signatures found: every signature that is present must be valid. */
export interface Diagnosis {
  readonly isValid: boolean;
  /** What was found and what to do, one sentence or two each. */
  readonly findings: readonly string[];
}

/** The receiver of a request, and what it verifies with. */
export interface CheckedReceiver {
  /** The webhook secrets. */
  readonly secrets: Secrets;
  /** The keys of a platform that signs with Ed25519. */
  readonly publicKeys: readonly Uint8Array[];
  /** The ids of its endpoints. Empty: any. */
  readonly endpoints: readonly string[];
}

/** What the platform may have signed or sent, when it was not what is here, and what to do about it. */
interface Variant<T> {
  readonly value: T;
  readonly remedy?: string;
}

const signatureForms: readonly Variant<(header: string) => string>[] = [
  { value: (header) => header },
  { value: (header) => header.trim().toLowerCase(), remedy: 'The header was changed: it is 40 lower-case hex digits.' },
  {
    value: (header) => header.replace(/^sha1=/i, ''),
    remedy: 'The header was given a prefix: it is 40 lower-case hex digits alone.',
  },
  {
    value: (header) => Buffer.from(header, 'base64').toString('hex'),
    remedy: 'The header was written as Base64: it is 40 lower-case hex digits.',
  },
];

const keysOf = (secret: string): readonly Variant<Buffer>[] => {
  const trimmed = secret.trim().replace(/^(["'])(.*)\1$/, '$2');
  const base64 = trimmed.replace(/^whsec_/, '');
  return [
    { value: Buffer.from(secret) },
    { value: Buffer.from(trimmed), remedy: 'The secret has quotes or blanks around it: remove them.' },
    {
      value: Buffer.from(`whsec_${base64}`),
      remedy: 'The secret lacks its beginning: whsec_ is part of the secret.',
    },
    {
      value: Buffer.from(base64),
      remedy: 'It was signed with the secret without whsec_: the key is the whole secret, as UTF-8.',
    },
    {
      value: Buffer.from(base64, 'base64'),
      remedy: 'It was signed with the decoded secret: the key of X-WEBHOOK-SIGNATURE is the whole secret, as UTF-8.',
    },
  ];
};

const attempt = <T>(make: () => T): T | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

/** The largest body of a webhook that a receiver takes: what inflates beyond it is none. */
const maxInflated = 512 * 1_024;

const encodings: readonly Variant<(body: Buffer) => Buffer | undefined>[] = [
  { value: (body) => body },
  {
    value: (body) => (body.subarray(0, 3).toString('hex') === 'efbbbf' ? body.subarray(3) : undefined),
    remedy: 'A byte order mark was put before the body: keep the bytes as they arrive.',
  },
  {
    value: (body) => Buffer.from(body.toString('utf8'), 'latin1'),
    remedy: 'The body was read as Latin-1 and written as UTF-8: keep the bytes as they arrive.',
  },
  {
    value: (body) => Buffer.from(body.toString('latin1')),
    remedy: 'The body was converted from UTF-8 to Latin-1: keep the bytes as they arrive.',
  },
  {
    value: (body) => Buffer.from(body.toString('utf16le')),
    remedy: 'The body was converted to UTF-16: keep the bytes as they arrive.',
  },
  {
    value: (body) => attempt(() => gunzipSync(body, { maxOutputLength: maxInflated })),
    remedy: 'The body was compressed on its way: verify the bytes before compression.',
  },
];

const parsedAgain = 'The JSON was parsed and written again: verify the raw bytes, before any JSON parser.';

/** The order of the platform. */
const ordered = ({ timestamp, data, objectName, type, ...rest }: Readonly<Record<string, unknown>>): object => ({
  timestamp,
  data,
  objectName,
  type,
  ...rest,
});

const contents: readonly Variant<(body: Buffer) => Buffer | undefined>[] = [
  { value: (body) => body },
  {
    value: (body) => Buffer.from(body.toString().trimEnd()),
    remedy: 'A line end was added to the body: keep the bytes as they arrive.',
  },
  {
    value: (body) => attempt(() => Buffer.from(JSON.stringify(JSON.parse(body.toString())))),
    remedy: parsedAgain,
  },
  {
    value: (body) => attempt(() => Buffer.from(JSON.stringify(ordered(JSON.parse(body.toString()))))),
    remedy: parsedAgain,
  },
];

const bodiesOf = (body: Buffer): readonly Variant<Buffer>[] =>
  encodings.flatMap((encoding) => {
    const decoded = encoding.value(body);
    if (!decoded) return [];
    return contents.flatMap((content) => {
      const value = content.value(decoded);
      const remedies = [encoding.remedy, content.remedy].filter((remedy) => remedy !== undefined);
      return value ? [{ value, ...(remedies.length > 0 ? { remedy: remedies.join(' ') } : {}) }] : [];
    });
  });

type Matches = (key: Buffer, body: Buffer) => string | undefined;

/** Tries what is given first, then each way in which secrets and bodies are usually changed. */
const explain = (name: string, keys: readonly Variant<Buffer>[], body: Buffer, matches: Matches): Diagnosis => {
  for (const bodyVariant of bodiesOf(body))
    for (const key of keys) {
      const form = matches(key.value, bodyVariant.value);
      if (form === undefined) continue;
      const remedies = [bodyVariant.remedy, key.remedy, form].filter((remedy) => remedy);
      if (remedies.length === 0) return { isValid: true, findings: [`${name} is valid.`] };
      return { isValid: false, findings: [`${name} is wrong. ${remedies.join(' ')}`] };
    }
  return {
    isValid: false,
    findings: [
      `${name} is wrong: it is of another secret, or of other content. Compare the secret with that of the endpoint; ` +
        'if it is the same, something changed a value of the body.',
    ],
  };
};

const checkSha1 = (header: string, { body }: RecordedRequest, secrets: readonly string[]): Diagnosis =>
  explain('X-WEBHOOK-SIGNATURE', secrets.flatMap(keysOf), body, (key, content) => {
    const digest = createHmac('sha1', key).update(content).digest('hex');
    const form = signatureForms.find(({ value }) => equalInConstantTime(value(header), digest));
    return form && (form.remedy ?? '');
  });

const invalid = (...findings: readonly string[]): Diagnosis => ({ isValid: false, findings });

/** Whether a valid request is for the receiver, which its `webhook-id` says. */
const checkEndpoint = (id: string | undefined, { endpoints }: CheckedReceiver): Diagnosis | undefined => {
  const named = id?.slice(id.lastIndexOf('_') + 1) ?? '';
  if (endpoints.length === 0 || endpoints.includes(named)) return undefined;
  return invalid(`It is for another endpoint: webhook-id names ${JSON.stringify(named)}.`);
};

/** One key of the platform signs for all partners. */
const checkEd25519 = (
  { headers, body }: RecordedRequest,
  offered: readonly string[],
  receiver: CheckedReceiver,
): Diagnosis => {
  const { publicKeys, endpoints } = receiver;
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  if (publicKeys.length === 0)
    return invalid('webhook-signature is one of Ed25519 (v1a): name the key of the platform with --public-key.');
  const checked = explain(
    'webhook-signature',
    publicKeys.map((key) => ({ value: Buffer.from(key) })),
    body,
    (x, content) => {
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') };
      const message = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), content]);
      const key = createPublicKey({ key: jwk, format: 'jwk' });
      const fits = offered.some((each) => verifySignature(null, message, key, Buffer.from(each.slice(4), 'base64')));
      return fits ? '' : undefined;
    },
  );
  if (!checked.isValid) return checked;
  if (endpoints.length === 0)
    return invalid('Name your endpoint with --endpoint: one key signs for all partners, and webhook-id says for whom.');
  return checkEndpoint(id, receiver) ?? checked;
};

const checkStandard = (request: RecordedRequest, receiver: CheckedReceiver): Diagnosis => {
  const { headers, body } = request;
  const { secrets } = receiver;
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  const missing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter((name) => !headers[name]);
  if (missing.length > 0)
    return { isValid: false, findings: [`${missing.join(' and ')} is missing: keep all three headers.`] };
  const ofEd25519 = (signature ?? '').split(' ').filter((each) => each.startsWith('v1a,'));
  const isHmac = /(^| )v1,/.test(signature ?? '');
  if (ofEd25519.length > 0 && (!isHmac || receiver.publicKeys.length > 0)) {
    const checked = checkEd25519(request, ofEd25519, receiver);
    if (!isHmac || !checked.isValid) return checked;
  }
  const offered = (signature ?? '').split(/[ ,]+/);
  const decoded = secrets.map((secret) => ({
    value: Buffer.from(
      secret
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2')
        .replace(/^whsec_/, ''),
      'base64',
    ),
  }));
  const checked = explain('webhook-signature', decoded, body, (key, content) => {
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(content).digest('base64');
    return offered.some((each) => equalInConstantTime(each, digest)) ? '' : undefined;
  });
  return checked.isValid ? (checkEndpoint(id, receiver) ?? checked) : checked;
};

const tolerance = 300;

const ageOf = (timestamp: string | undefined, now: number): readonly string[] => {
  const seconds = Math.round(now / 1_000) - Number(timestamp);
  if (timestamp === undefined || Number.isNaN(seconds) || Math.abs(seconds) <= tolerance) return [];
  const [count, side] = [Math.round(Math.abs(seconds) / 60), seconds > 0 ? 'ago' : 'ahead of this clock'];
  return [`webhook-timestamp is ${count} minutes ${side}: a receiver refuses more than 5 minutes.`];
};

/** Checks every signature of a request, and names the usual cause of one that is wrong. */
export const diagnose = (request: RecordedRequest, receiver: CheckedReceiver, now: number): Diagnosis => {
  const { headers, body } = request;
  const sha1 = headers['x-webhook-signature'];
  const isStandard = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].some((name) => headers[name]);
  if (!sha1 && !isStandard)
    return {
      isValid: false,
      findings: ['There is no signature: X-WEBHOOK-SIGNATURE is missing. Check that a proxy keeps the header.'],
    };
  const length = headers['content-length'];
  if (length !== undefined && headers['transfer-encoding'] === undefined && Number(length) > body.length)
    return {
      isValid: false,
      findings: [`The body is cut: it has ${body.length} of ${length} bytes. Record the whole body.`],
    };
  const checks = [
    ...(sha1 ? [checkSha1(sha1, request, receiver.secrets)] : []),
    ...(isStandard ? [checkStandard(request, receiver)] : []),
  ];
  return {
    isValid: checks.every(({ isValid }) => isValid),
    findings: [...checks.flatMap(({ findings }) => findings), ...ageOf(headers['webhook-timestamp'], now)],
  };
};
