import { type EpochMs, toSeconds } from '../../base/runtime/time.ts';
import { envelopeRest } from '../envelope/envelope.ts';
import { bodyIn } from '../envelope/other-texts.ts';
import type { EnvelopeEvent } from '../envelope/webhook-envelope.ts';
import { checkProfile, type WireProfile } from './wire-profile.ts';

/** One request, as a worker would write it. @internal */
export interface WrittenRequest {
  /** The headers of the profile, in lower case: without those of HTTP. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Writes one request of a profile, for tools.
 * @throws TypeError when the profile is wrong, and UnwritableEvent when its envelope does not write the event.
 * @internal
 */
export const writeRequest = (
  profile: WireProfile,
  event: Omit<EnvelopeEvent, 'time'>,
  {
    secrets,
    at,
    url,
    messageId,
  }: {
    readonly secrets: readonly [string, ...string[]];
    readonly at: EpochMs;
    readonly url: string;
    /** `webhook-id`. */
    readonly messageId: string;
  },
): WrittenRequest => {
  const { envelope, signatures, headersOf } = checkProfile('The profile', profile);
  const { id, accountId, objectName, type, data } = event;
  const stored = { id, accountId, objectName, type, bodyTail: envelopeRest(data, objectName, type) };
  const body = bodyIn(envelope, stored, event.timestamp);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ...headersOf?.({ id, timestamp: toSeconds(at), objectName, type }),
  };
  for (const scheme of signatures) scheme.signer(secrets)({ id, messageId, at, body, url }, headers);
  return { headers, body };
};
