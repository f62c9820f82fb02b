import { randomUUID } from 'node:crypto';
import { closestWord } from '@partnerkit/core/adapter';
import { signatureHeader, signBody, signingKey, standardHeaders, standardKey } from '@partnerkit/core/wire';
import { UsageError } from './cli-error.ts';
import type { Examples } from './document.ts';
import { readBytes } from './files.ts';
import type { Output } from './output.ts';
import { isSuccess, post, remedyOf } from './post.ts';

export interface SendOptions {
  readonly url: string;
  readonly event: string;
  /** The `data` of the event. Absent: that of the example, with a new id. */
  readonly data: unknown;
  readonly secret: string;
  readonly standardWebhooks: boolean;
  /** The endpoint that `webhook-id` names. Absent: a new one. */
  readonly endpoint: string | undefined;
  readonly deliveryHeader: { readonly name: string; readonly value: string } | undefined;
  readonly ca: string | undefined;
  /** How often the same bytes are sent: twice shows that a receiver deduplicates. */
  readonly times: number;
}

const readUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new UsageError(`"${text}" is not an address. Write it as https://localhost:3443/webhooks.`);
};

const unknownEvent = (event: string, known: readonly string[]): UsageError => {
  const meant = closestWord(event, known);
  const similar = known.filter((pair) => pair.startsWith(`${event.split('.')[0]}.`));
  const objects = [...new Set(known.map((pair) => `${pair.split('.')[0]}.…`))];
  const choices = (similar.length > 0 ? similar : objects).join(', ');
  return new UsageError(
    `The catalogue has no event "${event}"${meant ? `; did you mean "${meant}"?` : '.'} It has ${choices}.`,
  );
};

/** The body of an event, as a platform writes it. */
const bodyOf = ({ event, data }: SendOptions, examples: Examples): string => {
  const example = examples.get(event);
  if (!example) throw unknownEvent(event, [...examples.keys()]);
  const [objectName, type] = event.split('.');
  const timestamp = Math.floor(Date.now() / 1_000);
  const sample = { ...(example['data'] as object | undefined), id: `example_${randomUUID()}` };
  return JSON.stringify({ timestamp, data: data ?? sample, objectName, type });
};

/** Sends a signed event to a receiver, as a platform does. Resolves to the exit code. */
export const send = async (options: SendOptions, examples: Examples, output: Output): Promise<number> => {
  const { secret, standardWebhooks, endpoint = randomUUID(), deliveryHeader, times } = options;
  const url = readUrl(options.url);
  const body = bodyOf(options, examples);
  const ca = options.ca === undefined ? undefined : readBytes(options.ca);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'partnerkit-cli',
    [signatureHeader]: signBody(signingKey(secret), body),
    ...(standardWebhooks
      ? standardHeaders([standardKey(secret)], `${randomUUID()}_${endpoint}`, Math.floor(Date.now() / 1_000), body)
      : {}),
    ...(deliveryHeader ? { [deliveryHeader.name]: deliveryHeader.value } : {}),
  };
  let exitCode = 0;
  for (let count = 1; count <= times; count += 1) {
    output.progress(`Sending ${options.event} to ${url.href}${times > 1 ? ` (${count} of ${times})` : ''} …`);
    const answer = await post(url, { headers, body, ...(ca ? { tls: { ca } } : {}) });
    const { status, milliseconds } = answer;
    const isOk = isSuccess(status);
    if (!isOk) exitCode = 1;
    const shown = isOk || answer.body === '' ? [] : answer.body.trimEnd().split('\n');
    output.result(
      [
        `${status} in ${milliseconds} ms${isOk ? '' : `. ${remedyOf(status)}`}`,
        ...shown.map((line) => `  ${line.trimEnd()}`),
      ],
      { ...answer, event: JSON.parse(body) },
    );
  }
  return exitCode;
};
