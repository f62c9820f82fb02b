import { CliError, UsageError } from './cli-error.ts';
import { readBytes } from './files.ts';

/** A webhook request as it arrived. */
export interface RecordedRequest {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const lowerCased = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

/** `name: value` of `--header`. */
const readHeader = (line: string): readonly [string, string] => {
  const colon = line.indexOf(':');
  if (colon < 1) throw new UsageError(`"${line}" is not a header. Write it as "name: value".`);
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
};

const endOfHead = (bytes: Buffer): { readonly head: number; readonly body: number } | undefined => {
  for (const separator of ['\r\n\r\n', '\n\n']) {
    const at = bytes.indexOf(separator);
    if (at >= 0) return { head: at, body: at + separator.length };
  }
  return undefined;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A file of `listen --record`: `{ "headers": {…}, "bodyBase64": "…" }`. */
const readRecording = (bytes: Buffer): RecordedRequest | undefined => {
  const value = parseJson(bytes.toString('utf8')) as { headers?: Record<string, unknown>; bodyBase64?: unknown } | null;
  if (typeof value?.headers !== 'object' || typeof value.bodyBase64 !== 'string') return undefined;
  return { headers: lowerCased(value.headers), body: Buffer.from(value.bodyBase64, 'base64') };
};

/** An HTTP/1.1 message: request line, headers, an empty line, the body. */
const readMessage = (bytes: Buffer): RecordedRequest | undefined => {
  const end = endOfHead(bytes);
  if (!end) return undefined;
  const lines = bytes.subarray(0, end.head).toString('latin1').split(/\r?\n/);
  if (/^[A-Z]+ \S+( HTTP\/[\d.]+)?$/.test(lines[0] ?? '')) lines.shift();
  if (!lines.every((line) => /^[\w!#$%&'*+.^`|~-]+:/.test(line))) return undefined;
  return { headers: Object.fromEntries(lines.map(readHeader)), body: bytes.subarray(end.body) };
};

/**
 * Reads a recorded request: a recording of `listen`, an HTTP message, or a body alone with its headers given apart.
 * @throws CliError when it has no headers.
 */
export const readRequest = (path: string, headerLines: readonly string[]): RecordedRequest => {
  const bytes = readBytes(path);
  const given = Object.fromEntries(headerLines.map(readHeader));
  const request = readRecording(bytes) ?? readMessage(bytes);
  if (request) return { ...request, headers: { ...request.headers, ...given } };
  if (headerLines.length === 0)
    throw new CliError(`${path} has no headers. Add --header "X-WEBHOOK-SIGNATURE: …", or record it with "listen".`);
  return { headers: given, body: bytes };
};
