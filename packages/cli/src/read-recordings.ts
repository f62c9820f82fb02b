import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from './cli-error.ts';
import { readBytes } from './files.ts';
import { type RecordedRequest, readRequest } from './recorded-request.ts';

/** The requests of a log: one as JSON on each line. */
const readLog = (path: string): readonly (readonly [string, RecordedRequest])[] =>
  readBytes(path)
    .toString('utf8')
    .split('\n')
    .flatMap((line, place) => {
      if (line.trim() === '') return [];
      const name = `${path}:${place + 1}`;
      let value: { readonly headers?: unknown; readonly bodyBase64?: unknown; readonly body?: unknown } | null;
      try {
        value = JSON.parse(line);
      } catch {
        throw new CliError(`${name} is not JSON. A line is { "headers": {…}, "body": "…" }, or has "bodyBase64".`);
      }
      const body =
        typeof value?.bodyBase64 === 'string'
          ? Buffer.from(value.bodyBase64, 'base64')
          : typeof value?.body === 'string'
            ? Buffer.from(value.body)
            : undefined;
      if (!body || typeof value?.headers !== 'object' || value.headers === null)
        throw new CliError(`${name} has no headers or no body. A line is { "headers": {…}, "body": "…" }.`);
      const headers = Object.entries(value.headers).map(([header, text]) => [header.toLowerCase(), String(text)]);
      return [[name, { headers: Object.fromEntries(headers), body }] as const];
    });

/**
 * The recorded requests of a file, of a folder or of a log, each with where it stands.
 * @throws CliError when there is none, or one has no headers.
 */
export const readRecordings = (path: string): readonly (readonly [string, RecordedRequest])[] => {
  if (path.endsWith('.jsonl') || path.endsWith('.ndjson')) return readLog(path);
  if (!existsSync(path)) throw new CliError(`${path} does not exist.`);
  if (!statSync(path).isDirectory()) return [[path, readRequest(path, [])]];
  const files = readdirSync(path).toSorted(new Intl.Collator('en', { numeric: true }).compare);
  if (files.length === 0) throw new CliError(`${path} has no recorded requests.`);
  return files.map((file) => [join(path, file), readRequest(join(path, file), [])]);
};
