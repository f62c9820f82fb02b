import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

type Header = readonly [name: string, value: string];
/** objectName, data.id, type, timestamp. */
export type Key = readonly [string, string, string, number];

/** How a Standard Webhooks signature is made anew at another time. */
interface Recipe {
  readonly id: string;
  /** Seconds that the delivery's time is ahead of the receiver's. */
  readonly offset: number;
  /** How the time is spelt: `{}` stands for its digits. */
  readonly form: string;
  readonly version: string;
  readonly secrets: readonly string[];
  /** What was signed, when it is not the body that is sent. */
  readonly signedBody?: string;
}

export interface VectorRequest {
  readonly answer: number;
  /** @defaultValue POST */
  readonly method?: string;
  readonly headers: readonly Header[];
  readonly standard?: Recipe;
  readonly body?: string;
  /** Texts, and how often each is repeated. */
  readonly bodyParts?: readonly (readonly [string, number])[];
  readonly bodyBase64?: string;
  readonly handler?: 'fails';
}

interface Vector {
  readonly name: string;
  /** The receiver it is for: `guarded` asks for the API key. */
  readonly to: 'open' | 'guarded';
  readonly requests: readonly VectorRequest[];
  readonly processed: readonly Key[];
}

interface Vectors {
  /** Unix seconds at which the signatures of Standard Webhooks were made. */
  readonly now: number;
  readonly secrets: readonly string[];
  readonly apiKey: { readonly header: string; readonly value: string };
  readonly vectors: readonly Vector[];
}

export const vectors: Vectors = JSON.parse(readFileSync(new URL('../../vectors.json', import.meta.url), 'utf8'));

export const bodyOf = ({ body = '', bodyParts, bodyBase64 }: VectorRequest): Buffer =>
  bodyBase64 === undefined
    ? Buffer.from(bodyParts?.map(([text, times]) => text.repeat(times)).join('') ?? body)
    : Buffer.from(bodyBase64, 'base64');

/** The headers of a request, with the signature of Standard Webhooks as it is `now` (Unix seconds). */
export const headersAt = (request: VectorRequest, now: number): readonly Header[] => {
  const { headers, standard } = request;
  if (!standard) return headers;
  const timestamp = standard.form.replace('{}', String(now + standard.offset));
  const signature = standard.secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
    const signed = standard.signedBody ?? bodyOf(request);
    return `${standard.version},${hmac.update(`${standard.id}.${timestamp}.`).update(signed).digest('base64')}`;
  });
  const anew: Readonly<Record<string, string>> = {
    'webhook-timestamp': timestamp,
    'webhook-signature': signature.join(' '),
  };
  return headers.map(([name, value]) => [name, anew[name] ?? value]);
};
