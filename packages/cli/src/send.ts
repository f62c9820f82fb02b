import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { closestWord } from '@partnerkit/core/adapter';
import { signatureHeader, signBody, signingKey, standardHeaders, standardKey } from '@partnerkit/core/wire';
import { CliError, connectionError, isCliError, UsageError } from './cli-error.ts';
import type { Examples } from './document.ts';
import { readBytes } from './files.ts';
import type { Output } from './output.ts';

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

interface Answer {
  readonly status: number;
  readonly milliseconds: number;
  readonly body: string;
}

const readUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new UsageError(`"${text}" is not an address. Write it as https://localhost:3443/webhooks.`);
};

/** Time to the headers of the answer, after which a platform gives up. */
const deadline = 15_000;
/** A platform reads as much of the body, and for as long. */
const maxBodyBytes = 4 * 1_024;
const bodyTimeout = 2_000;

/** The beginning of the body of an answer, which may never end. */
const readStart = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (): void => {
      clearTimeout(timer);
      response.destroy();
      resolve(Buffer.concat(chunks).subarray(0, maxBodyBytes).toString('utf8'));
    };
    const timer = setTimeout(finish, bodyTimeout);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBodyBytes) finish();
    });
    // A body that breaks off changes nothing: the status line has come.
    response.on('error', finish).on('close', finish);
  });

const post = (url: URL, headers: Readonly<Record<string, string>>, body: string, ca: Buffer | undefined) =>
  new Promise<Answer>((resolve, reject) => {
    const start = performance.now();
    const options = { method: 'POST', headers, ...(ca ? { ca } : {}) };
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, async (response) => {
      clearTimeout(timer);
      const milliseconds = Math.round(performance.now() - start);
      resolve({ status: response.statusCode ?? 0, milliseconds, body: await readStart(response) });
    });
    const timer = setTimeout(
      () => request.destroy(new CliError(`${url.href} did not answer within 15 seconds, when a platform gives up.`)),
      deadline,
    );
    request.on('error', (cause) => {
      clearTimeout(timer);
      reject(isCliError(cause) ? cause : connectionError(url.href, cause));
    });
    request.end(body);
  });

const remedies: Readonly<Record<number, string>> = {
  401: 'The receiver refused the signature or the API key: give it the same secret, and verify the raw bytes.',
  404: 'The receiver serves no webhooks at this path: correct the URL.',
  405: 'The receiver does not take POST at this path: correct the URL.',
  409: 'The receiver is processing this event already.',
};

const remedyOf = (status: number): string => {
  if (status >= 300 && status < 400) return 'A platform follows no redirect: name the final URL.';
  return remedies[status] ?? 'A platform sends the event again until the answer is 2xx.';
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
    const answer = await post(url, headers, body, ca);
    const { status, milliseconds } = answer;
    const isOk = status >= 200 && status < 300;
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
