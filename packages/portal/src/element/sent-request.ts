import type { Endpoint, EventWithBody } from './portal.ts';

/** What stands for a value that the page does not know. */
const hidden = '••••••';

/** A request as a receiver got it. @internal */
export interface SentRequest {
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly bytes: number;
}

/**
 * The request of an event for an endpoint, put together from its settings of today. A secret never reaches the page:
 * the signature, the value of the delivery header and the time of the attempt are not known here.
 * @internal
 */
export const sentRequest = (
  { id: endpointId, url, standardWebhooks, deliveryHeaderName }: Endpoint & { readonly url: string },
  { id, body = '' }: EventWithBody,
): SentRequest => {
  const { host, pathname, search } = new URL(url);
  const bytes = new TextEncoder().encode(body).length;
  return {
    path: `${pathname}${search}`,
    headers: [
      ['host', host],
      ['content-type', 'application/json'],
      ['content-length', String(bytes)],
      ['x-webhook-signature', hidden],
      ...(standardWebhooks
        ? ([
            ['webhook-id', `${id}_${endpointId}`],
            ['webhook-timestamp', hidden],
            ['webhook-signature', hidden],
          ] as const)
        : []),
      ...(deliveryHeaderName === undefined ? [] : [[deliveryHeaderName.toLowerCase(), hidden] as const]),
    ],
    body,
    bytes,
  };
};

/** Text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * The request as a command. Headers that the page does not know, or that curl writes itself, are left out.
 * @internal
 */
export const curlCommand = (url: string, { headers, body }: SentRequest): string =>
  [
    `curl -sS -X POST ${quoted(url)}`,
    ...headers
      .filter(([name, value]) => value !== hidden && name !== 'host' && name !== 'content-length')
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...headers
      .filter(([name, value]) => value === hidden && !name.includes('webhook-'))
      .map(([name]) => `-H ${quoted(`${name}: ${hidden}`)}`),
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ');

/** JSON with line breaks. Text that is no JSON stays. @internal */
export const formatted = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};
