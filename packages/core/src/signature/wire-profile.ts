import type { OtherEnvelope } from '../envelope/other-texts.ts';
import { specificationEnvelope, type WebhookEnvelope } from '../envelope/webhook-envelope.ts';
import { unknownName } from '../runtime/did-you-mean.ts';
import { isObject } from '../runtime/is-object.ts';
import type { EpochSeconds } from '../runtime/time.ts';
import { isHttpHeader } from './http-header.ts';
import { maxSignatures, type SignatureScheme } from './signature-scheme.ts';
import { specificationSignature } from './specification-signature.ts';
import { standardWebhooks } from './standard-signature.ts';

/**
 * A part of a header: the id of the event, the time of the attempt in seconds since 1970, the object name, the event
 * type, or a fixed text.
 * @public
 */
export type HeaderPart = 'id' | 'timestamp' | 'objectName' | 'type' | { readonly text: string };

/**
 * How webhooks look on the wire: envelope, signatures and further headers.
 * @public
 */
export interface WireProfile {
  /** The form of the body. @defaultValue specificationEnvelope() */
  readonly envelope?: WebhookEnvelope;
  /** One to three signatures, one of them without an end. @defaultValue [specificationSignature()] */
  readonly signatures?: readonly SignatureScheme[];
  /**
   * Further headers of each request: a text of visible ASCII, or a list of parts. They are not signed.
   * @defaultValue none
   */
  readonly headers?: Readonly<Record<string, string | readonly HeaderPart[]>>;
}

/** What further headers are made of. */
interface HeaderSource {
  readonly id: string;
  readonly timestamp: EpochSeconds;
  readonly objectName: string;
  readonly type: string;
}

/** A profile with its defaults, checked. @internal */
export interface CheckedProfile {
  readonly envelope: WebhookEnvelope;
  readonly signatures: readonly SignatureScheme[];
  /** The further headers of a request, with lower-case names. `undefined`: none. */
  readonly headersOf: ((source: HeaderSource) => Readonly<Record<string, string>>) | undefined;
  /** Every header that it sends, in lower case. */
  readonly headerNames: readonly string[];
}

const names = ['envelope', 'signatures', 'headers'];
const parts: readonly unknown[] = ['id', 'timestamp', 'objectName', 'type'];
const visible = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

const isPart = (part: unknown): part is HeaderPart =>
  parts.includes(part) || (isObject(part) && typeof part['text'] === 'string' && /^[\x20-\x7e]+$/.test(part['text']));

const isScheme = (value: unknown): value is SignatureScheme =>
  isObject(value) && typeof value['signer'] === 'function' && Array.isArray(value['headers']);

const isEnvelope = (value: unknown): value is WebhookEnvelope =>
  isObject(value) && typeof value['name'] === 'string' && (value['name'] === 'specification' || !!value['write']);

/** Signatures of Standard Webhooks share their headers; any other header belongs to one signature. */
const shared = (signatures: readonly SignatureScheme[]): string | undefined => {
  const used = new Set<string>();
  for (const { headers } of signatures)
    for (const header of headers) {
      const isStandard = headers.includes('webhook-signature') && headers.includes('webhook-id');
      if (used.has(header) && !isStandard) return header;
      used.add(header);
    }
  return undefined;
};

const readSignatures = (place: string, signatures: unknown): readonly SignatureScheme[] => {
  const wrong = (rule: string): TypeError => new TypeError(`${place}.signatures ${rule}`);
  if (!Array.isArray(signatures) || !signatures.every(isScheme))
    throw wrong('must be a list such as [specificationSignature()].');
  if (signatures.length === 0 || signatures.length > maxSignatures) throw wrong('must have 1 to 3 signatures.');
  if (signatures.every(({ until }) => until !== undefined)) throw wrong('must have one without until.');
  if (new Set(signatures.map(({ name }) => name)).size < signatures.length) throw wrong('must not repeat a signature.');
  const header = shared(signatures);
  if (header !== undefined) throw wrong(`has two signatures in the header ${header}.`);
  return signatures;
};

const readHeaders = (
  place: string,
  headers: unknown,
  taken: readonly string[],
): Readonly<Record<string, readonly HeaderPart[]>> => {
  const wrong = (rule: string): TypeError => new TypeError(`${place}.headers ${rule}`);
  if (!isObject(headers)) throw wrong('must be an object.');
  const read = Object.entries(headers).map(([name, value]): readonly [string, readonly HeaderPart[]] => {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(name) || isHttpHeader(name) || taken.includes(name.toLowerCase()))
      throw wrong(`has the name ${JSON.stringify(name)}, which no header of it can have.`);
    if (typeof value === 'string' && visible.test(value)) return [name.toLowerCase(), [{ text: value }]];
    if (Array.isArray(value) && value.length > 0 && value.every(isPart)) return [name.toLowerCase(), value];
    throw wrong(`needs visible ASCII, or a list of 'id', 'timestamp', 'objectName', 'type' and { text: '…' }.`);
  });
  return Object.fromEntries(read);
};

/** `place` begins every message: the call and its option. @throws TypeError that names what is wrong. @internal */
export const checkProfile = (place: string, profile: unknown): CheckedProfile => {
  if (!isObject(profile)) throw new TypeError(`${place} must be an object.`);
  const unknown = unknownName('option', profile, names);
  if (unknown !== undefined) throw new TypeError(`${place}: ${unknown}`);
  const {
    envelope = specificationEnvelope(),
    signatures = [specificationSignature()],
    headers = {},
  } = profile as Record<keyof WireProfile, unknown>;
  if (!isEnvelope(envelope)) throw new TypeError(`${place}.envelope must be one such as specificationEnvelope().`);
  const schemes = readSignatures(place, signatures);
  const signed = schemes.flatMap((scheme) => scheme.headers);
  const further = Object.entries(readHeaders(place, headers, signed));
  return {
    envelope,
    signatures: schemes,
    headersOf:
      further.length === 0
        ? undefined
        : (source) =>
            Object.fromEntries(
              further.map(([name, value]) => [
                name,
                value.map((part) => (typeof part === 'object' ? part.text : source[part])).join(''),
              ]),
            ),
    headerNames: [...signed, ...further.map(([name]) => name)],
  };
};

/**
 * The profiles of a kit. @internal
 */
export interface WireProfiles {
  /** The profile of an endpoint; `undefined` when the kit has none of this name. */
  of(name: string | undefined): CheckedProfile | undefined;
  /** The names that an endpoint can choose. */
  readonly names: readonly string[];
  /** The envelopes that publish writes beside the specification's. */
  readonly envelopes: readonly OtherEnvelope[];
  /** Whether a profile sends a header of this name, in lower case. */
  sends(header: string): boolean;
  /** The public keys of all signatures, each once. */
  readonly publicKeys: readonly Readonly<Record<string, string>>[];
}

/** The options of webhooks that make profiles. */
interface WireOptions extends WireProfile {
  readonly profiles?: Readonly<Record<string, WireProfile>>;
}

/** The rule of a signature that a secret breaks; `undefined`: none. @internal */
export const secretProblem = (
  { signatures }: CheckedProfile,
  addsStandard: boolean,
  secret: string,
): string | undefined =>
  [...signatures, ...(addsStandard ? [standardWebhooks()] : [])]
    .map((scheme) => scheme.secretProblem(secret))
    .find((problem) => problem !== undefined);

/** The profile of a name. `call` begins the message. @throws TypeError when the kit has none of this name. @internal */
export const profileOf = (
  call: string,
  profiles: Pick<WireProfiles, 'of'>,
  name: string | undefined,
): CheckedProfile => {
  const profile = profiles.of(name);
  if (!profile) throw new TypeError(`${call}: webhooks.profiles has no "${name}".`);
  return profile;
};

/** `place` begins every message: the call and its option. @throws TypeError that names what is wrong. @internal */
export const createProfiles = (
  place: string,
  { envelope, signatures, headers, profiles = {} }: WireOptions,
): WireProfiles => {
  if (!isObject(profiles)) throw new TypeError(`${place}.profiles must be an object.`);
  const standard = checkProfile(place, { envelope, signatures, headers });
  const named = new Map(
    Object.entries(profiles).map(([name, profile]) => {
      if (!/^[a-z0-9_-]{1,32}$/.test(name))
        throw new TypeError(`${place}.profiles has names of 1 to 32 of a-z 0-9 _ -.`);
      return [name, checkProfile(`${place}.profiles.${name}`, profile)];
    }),
  );
  const all = [standard, ...named.values()];
  const envelopes = new Map<string, OtherEnvelope>();
  for (const { envelope: each } of all) {
    const { write } = each;
    if (!write) continue;
    const known = envelopes.get(each.name);
    if (known && known.write !== write && each.name !== 'standard-webhooks')
      throw new TypeError(`${place}: two envelopes have the name ${each.name}.`);
    envelopes.set(each.name, { ...each, write });
  }
  const sent = new Set(all.flatMap(({ headerNames }) => headerNames));
  const keys = new Map(
    all.flatMap((each) => each.signatures.flatMap(({ publicKeys = [] }) => publicKeys.map((key) => [key['kid'], key]))),
  );
  return {
    of: (name) => (name === undefined ? standard : named.get(name)),
    names: [...named.keys()],
    envelopes: [...envelopes.values()],
    sends: (header) => sent.has(header),
    publicKeys: [...keys.values()],
  };
};
