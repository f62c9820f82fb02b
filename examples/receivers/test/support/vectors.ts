import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

type Header = readonly [name: string, value: string];
/** objectName, data.id, type, timestamp. */
export type Key = readonly [string, string, string, number];

/** How to sign a Standard Webhooks request again at another time. */
interface Recipe {
  readonly id: string;
  /** Seconds by which the time of the delivery is ahead of the receiver. */
  readonly offset: number;
  /** The spelling of the time; `{}` stands for its digits. */
  readonly form: string;
  readonly version: string;
  readonly secrets: readonly string[];
  /** The signed body, if it differs from the sent one. */
  readonly signedBody?: string;
}

export interface VectorRequest {
  readonly answer: number;
  /** @defaultValue POST */
  readonly method?: string;
  readonly headers: readonly Header[];
  readonly standard?: Recipe;
  readonly body?: string;
  /** Texts, with the number of repetitions of each. */
  readonly bodyParts?: readonly (readonly [string, number])[];
  readonly bodyBase64?: string;
  readonly handler?: 'fails';
}

interface Vector {
  readonly name: string;
  /** The receiver; `guarded` requires the API key. */
  readonly to: 'open' | 'guarded';
  readonly requests: readonly VectorRequest[];
  readonly processed: readonly Key[];
}

interface Vectors {
  /** Unix seconds of the Standard Webhooks signatures. */
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

/** The headers of a request, with the Standard Webhooks signature of `now` (Unix seconds). */
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
