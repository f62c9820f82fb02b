import { unknownName } from '../../base/runtime/did-you-mean.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import type { EpochSeconds } from '../../base/runtime/time.ts';
import type { OtherEnvelope } from '../envelope/other-texts.ts';
import { specificationEnvelope, type WebhookEnvelope } from '../envelope/webhook-envelope.ts';
import { headerKey, isHttpHeader, repeatedHeader } from './http-header.ts';
import { maxSignatures, type SignatureScheme } from './signature-scheme.ts';
import { specificationSignature } from './specification-signature.ts';
import { standardHeaderNames, standardWebhooks } from './standard-signature.ts';

/**
 * A part of a header: the id of the event, the time of the attempt in seconds since 1970, the object name, the event
 * type, a fixed text, or a name of your own for each pair of object and type, such as
 * `{ names: { 'RequestPayment.payed': 'payment.paid' } }`. A kit is made only if each pair of its catalogue has one.
 * @public
 */
export type HeaderPart =
  | 'id'
  | 'timestamp'
  | 'objectName'
  | 'type'
  | { readonly text: string }
  | { readonly names: Readonly<Record<string, string>> };

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

/** A profile with its defaults, checked. */
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

const isText = (value: unknown): boolean => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value);

const isPart = (part: unknown): part is HeaderPart =>
  parts.includes(part) ||
  (isObject(part) && (isText(part['text']) || (isObject(part['names']) && Object.values(part['names']).every(isText))));

const writePart = (part: HeaderPart, source: HeaderSource): string | number => {
  if (typeof part !== 'object') return source[part];
  if ('text' in part) return part.text;
  const pair = `${source.objectName}.${source.type}`;
  // An event of a pair that the kit no longer has.
  return Object.hasOwn(part.names, pair) ? (part.names[pair] as string) : pair;
};

/** @throws TypeError when a header has no name for a pair, or one for a pair that is none. */
const checkNames = (place: string, header: string, parts: readonly HeaderPart[], pairs: readonly string[]): void => {
  for (const part of parts) {
    if (typeof part !== 'object' || !('names' in part)) continue;
    const missing = pairs.find((pair) => !Object.hasOwn(part.names, pair));
    if (missing !== undefined) throw new TypeError(`${place}.headers.${header} needs a name for ${missing}.`);
    const unknown = unknownName('pair', part.names, pairs);
    if (unknown !== undefined) throw new TypeError(`${place}.headers.${header}: ${unknown}`);
  }
};

const isScheme = (value: unknown): value is SignatureScheme =>
  isObject(value) && typeof value['signer'] === 'function' && Array.isArray(value['headers']);

const isEnvelope = (value: unknown): value is WebhookEnvelope =>
  isObject(value) && typeof value['name'] === 'string' && (value['name'] === 'specification' || !!value['write']);

const isStandard = ({ name }: SignatureScheme): boolean => name === 'Standard Webhooks' || name === 'Ed25519';

/** Signatures of Standard Webhooks share their headers; any other header belongs to one signature. */
const shared = (signatures: readonly SignatureScheme[]): string | undefined => {
  const [first] = signatures.filter(isStandard);
  return repeatedHeader(
    signatures.filter((each) => !isStandard(each) || each === first).flatMap(({ headers }) => headers),
  );
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
): readonly (readonly [name: string, parts: readonly HeaderPart[]])[] => {
  const wrong = (rule: string): TypeError => new TypeError(`${place}.headers ${rule}`);
  if (!isObject(headers)) throw wrong('must be an object.');
  const names = Object.keys(headers);
  const twin = repeatedHeader(names);
  if (twin !== undefined) throw wrong(`has ${JSON.stringify(twin)} twice: receivers see - for _, and no capitals.`);
  const reserved = new Set(taken.map(headerKey));
  return Object.entries(headers).map(([name, value]) => {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(name) || isHttpHeader(name) || reserved.has(headerKey(name)))
      throw wrong(`has the name ${JSON.stringify(name)}, which no header of it can have.`);
    if (typeof value === 'string' && visible.test(value)) return [name.toLowerCase(), [{ text: value }]];
    if (Array.isArray(value) && value.length > 0 && value.every(isPart)) return [name.toLowerCase(), value];
    throw wrong(
      "needs visible ASCII, or a list of 'id', 'timestamp', 'objectName', 'type', { text: '…' } and { names: {…} }.",
    );
  });
};

/**
 * `place` begins every message: the call and its option. `pairs` are those of the catalogue, such as
 * `RequestPayment.payed`; absent, names of pairs are not checked.
 * @throws TypeError that names what is wrong.
 */
export const checkProfile = (place: string, profile: unknown, pairs?: readonly string[]): CheckedProfile => {
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
  // An endpoint may add Standard Webhooks to its profile.
  const further = readHeaders(place, headers, [...signed, ...standardHeaderNames]);
  if (pairs) for (const [name, parts] of further) checkNames(place, name, parts, pairs);
  return {
    envelope,
    signatures: schemes,
    headersOf:
      further.length === 0
        ? undefined
        : (source) =>
            Object.fromEntries(
              further.map(([name, value]) => [name, value.map((part) => writePart(part, source)).join('')]),
            ),
    headerNames: [...signed, ...further.map(([name]) => name)],
  };
};

/** The profiles of a kit. */
export interface WireProfiles {
  /** The profile of an endpoint; `undefined` when the kit has none of this name. */
  of(name: string | undefined): CheckedProfile | undefined;
  /** The names that an endpoint can choose. */
  readonly names: readonly string[];
  /** The envelopes that publish writes beside the specification's. */
  readonly envelopes: readonly OtherEnvelope[];
  /** Whether a profile sends a header of this name, as {@link headerKey} compares them. */
  sends(header: string): boolean;
  /** The public keys of all signatures, each once. */
  readonly publicKeys: readonly Readonly<Record<string, string>>[];
}

/** The options of webhooks that make profiles. */
interface WireOptions extends WireProfile {
  readonly profiles?: Readonly<Record<string, WireProfile>>;
}

/** The rule of a signature that a secret breaks; `undefined`: none. */
export const secretProblem = (
  { signatures }: CheckedProfile,
  addsStandard: boolean,
  secret: string,
): string | undefined => {
  const schemes = [...signatures, ...(addsStandard ? [standardWebhooks()] : [])];
  if (shared(schemes) !== undefined)
    return 'the profile has a header of Standard Webhooks, which cannot be added to it.';
  return schemes.map((scheme) => scheme.secretProblem(secret)).find((problem) => problem !== undefined);
};

/** The profile of a name. `call` begins the message. @throws TypeError when the kit has none of this name. */
export const profileOf = (
  call: string,
  profiles: Pick<WireProfiles, 'of'>,
  name: string | undefined,
): CheckedProfile => {
  const profile = profiles.of(name);
  if (!profile) throw new TypeError(`${call}: webhooks.profiles has no "${name}".`);
  return profile;
};

/** `place` begins every message: the call and its option. @throws TypeError that names what is wrong. */
export const createProfiles = (
  place: string,
  { envelope, signatures, headers, profiles = {} }: WireOptions,
  pairs?: readonly string[],
): WireProfiles => {
  if (!isObject(profiles)) throw new TypeError(`${place}.profiles must be an object.`);
  const standard = checkProfile(place, { envelope, signatures, headers }, pairs);
  const named = new Map(
    Object.entries(profiles).map(([name, profile]) => {
      if (!/^[a-z0-9_-]{1,32}$/.test(name))
        throw new TypeError(`${place}.profiles has names of 1 to 32 of a-z 0-9 _ -.`);
      return [name, checkProfile(`${place}.profiles.${name}`, profile, pairs)];
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
    envelopes.set(each.name, { ...each, write, isOptional: each.name !== standard.envelope.name });
  }
  const sent = new Set(all.flatMap(({ headerNames }) => headerNames.map(headerKey)));
  const keys = new Map(
    all.flatMap((each) => each.signatures.flatMap(({ publicKeys = [] }) => publicKeys.map((key) => [key['kid'], key]))),
  );
  return {
    of: (name) => (name === undefined ? standard : named.get(name)),
    names: [...named.keys()],
    envelopes: [...envelopes.values()],
    sends: (header) => sent.has(headerKey(header)),
    publicKeys: [...keys.values()],
  };
};
