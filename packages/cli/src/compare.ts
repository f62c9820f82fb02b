import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { specificationEnvelope, specificationSignature, type WireProfile, writeRequest } from '@partnerkit/core/wire';
import { CliError, UsageError } from './cli-error.ts';
import { readBytes } from './files.ts';
import { firstDifference } from './json-difference.ts';
import { loadModule } from './load-module.ts';
import type { Output } from './output.ts';
import { type RecordedRequest, readRequest } from './recorded-request.ts';
import type { Secrets } from './secrets.ts';

export interface CompareOptions {
  /** A recording, a folder of recordings, or a log with one request as JSON on each line. */
  readonly file: string;
  /** A module whose default export is the option `webhooks` of the kit. Absent: the specification's profile. */
  readonly profile: string | undefined;
  /** The name of one of its profiles. Absent: that of endpoints without one, or the only one. */
  readonly name: string | undefined;
  readonly url: string;
  readonly secrets: Secrets;
}

/** Headers that the transport makes, or that a proxy adds. */
const transport =
  /^(host|content-length|connection|accept|accept-encoding|transfer-encoding|user-agent|via|forwarded|x-forwarded-.*|x-real-ip|traceparent|tracestate|date)$/;

/** The option `webhooks` of a kit. */
type Webhooks = WireProfile & { readonly profiles?: Readonly<Record<string, WireProfile>> };

const importProfile = async ({ profile: path, name }: CompareOptions): Promise<WireProfile> => {
  if (path === undefined) {
    if (name === undefined) return {};
    throw new UsageError('--name needs --profile, the module with the profiles.');
  }
  const exported = (await loadModule(path))['default'];
  if (typeof exported !== 'object' || exported === null)
    throw new CliError(
      `${path} exports no profile. Export it by default: export default { envelope, signatures, headers, profiles };`,
    );
  const { envelope, signatures, headers, profiles = {} } = exported as Webhooks;
  const names = Object.keys(profiles);
  const own = { ...(envelope && { envelope }), ...(signatures && { signatures }), ...(headers && { headers }) };
  const chosen = name ?? (Object.keys(own).length === 0 && names.length === 1 ? names[0] : undefined);
  if (chosen !== undefined && Object.hasOwn(profiles, chosen)) return profiles[chosen] as WireProfile;
  if (chosen !== undefined)
    throw new CliError(`${path} has no profile "${chosen}". Its profiles are: ${names.join(', ') || 'none'}.`);
  if (Object.keys(own).length === 0 && names.length > 1)
    throw new CliError(`${path} has several profiles. Name one with --name: ${names.join(', ')}.`);
  return own;
};

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

const readAll = (path: string): readonly (readonly [string, RecordedRequest])[] => {
  if (path.endsWith('.jsonl') || path.endsWith('.ndjson')) return readLog(path);
  if (!existsSync(path)) throw new CliError(`${path} does not exist.`);
  if (!statSync(path).isDirectory()) return [[path, readRequest(path, [])]];
  const files = readdirSync(path).toSorted();
  if (files.length === 0) throw new CliError(`${path} has no recorded requests.`);
  return files.map((file) => [join(path, file), readRequest(join(path, file), [])]);
};

/** The time of the attempt in milliseconds: 10 digits of seconds or 13 of milliseconds in a header of the signature. */
const timeIn = (headers: Readonly<Record<string, string>>, names: readonly string[]): number | undefined =>
  names
    .flatMap((name) => /(?<!\d)1\d{9}(?:\d{3})?(?!\d)/.exec(headers[name] ?? '')?.[0] ?? [])
    .map((digits) => Number(digits.padEnd(13, '0')))[0];

/** What partnerkit would send in place of a request, as sentences on what differs. */
const compareOne = (
  profile: WireProfile,
  { headers, body }: RecordedRequest,
  { secrets, url }: CompareOptions,
): readonly string[] => {
  const { envelope = specificationEnvelope() } = profile;
  if (!envelope.read) return [`The envelope ${envelope.name} has no read: add one, to compare its requests.`];
  const text = body.toString('utf8');
  let event: ReturnType<typeof envelope.read>;
  try {
    event = envelope.read(text);
  } catch {
    event = undefined;
  }
  if (!event) return [`The body is not one of the envelope ${envelope.name}.`];
  const { signatures = [specificationSignature()], headers: further = {} } = profile;
  const names = signatures.flatMap((scheme) => scheme.headers);
  const ofId = Object.entries(further).flatMap(([name, parts]) => (String(parts) === 'id' ? [name.toLowerCase()] : []));
  const idHeader = [...names.filter((name) => name.endsWith('id')), ...ofId].find(
    (name) => headers[name] !== undefined,
  );
  const id = event.id ?? headers[idHeader ?? ''] ?? 'unknown';
  const written = writeRequest(
    profile,
    { ...event, id, accountId: event.accountId ?? 'unknown' },
    { secrets, url, at: timeIn(headers, names) ?? event.timestamp * 1_000, messageId: headers['webhook-id'] ?? id },
  );
  const isSame = Buffer.from(written.body).equals(body);
  const findings = isSame ? [] : [`The body differs: ${firstDifference(text, written.body)}`];
  for (const [name, value] of Object.entries(written.headers)) {
    const recorded = headers[name];
    if (recorded === value) continue;
    if (recorded === undefined) findings.push(`${name} is new: partnerkit sends ${JSON.stringify(value)}.`);
    else if (names.includes(name) && !isSame) findings.push(`${name} differs, as the body does.`);
    else findings.push(`${name} differs: ${JSON.stringify(recorded)}, and partnerkit sends ${JSON.stringify(value)}.`);
  }
  for (const name of Object.keys(headers))
    if (!transport.test(name) && written.headers[name] === undefined)
      findings.push(`${name} is missing: partnerkit does not send it. Add it to headers, or as the delivery header.`);
  return findings;
};

/** Says what partnerkit would send in place of recorded requests. Resolves to the exit code. */
export const compare = async (options: CompareOptions, output: Output): Promise<number> => {
  const profile = await importProfile(options);
  let different = 0;
  const requests = readAll(options.file);
  for (const [name, request] of requests) {
    const findings = compareOne(profile, request, options);
    if (findings.length > 0) different += 1;
    const lines = findings.length === 0 ? [`${name}: the same bytes.`] : findings.map((each) => `${name}: ${each}`);
    output.result(lines, { request: name, isSame: findings.length === 0, findings });
  }
  output.progress(`${requests.length - different} of ${requests.length} requests are the same.`);
  return different === 0 ? 0 : 1;
};
