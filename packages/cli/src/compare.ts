import { specificationEnvelope, specificationSignature, type WireProfile, writeRequest } from '@partnerkit/core/wire';
import { firstDifference } from './json-difference.ts';
import type { Output } from './output.ts';
import { type ProfileChoice, readProfile } from './profile-module.ts';
import { readRecordings } from './read-recordings.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { Secrets } from './secrets.ts';

export interface CompareOptions extends ProfileChoice {
  /** A recording, a folder of recordings, or a log with one request as JSON on each line. */
  readonly file: string;
  readonly url: string;
  readonly secrets: Secrets;
}

/** Headers that the transport makes, or that a proxy adds. */
const transport =
  /^(host|content-length|connection|accept|accept-encoding|transfer-encoding|user-agent|via|forwarded|x-forwarded-.*|x-real-ip|traceparent|tracestate|date)$/;

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
  const profile = await readProfile(options);
  let different = 0;
  const requests = readRecordings(options.file);
  for (const [name, request] of requests) {
    const findings = compareOne(profile, request, options);
    if (findings.length > 0) different += 1;
    const lines = findings.length === 0 ? [`${name}: the same bytes.`] : findings.map((each) => `${name}: ${each}`);
    output.result(lines, { request: name, isSame: findings.length === 0, findings });
  }
  output.progress(`${requests.length - different} of ${requests.length} requests are the same.`);
  return different === 0 ? 0 : 1;
};
