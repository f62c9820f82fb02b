import type { EpochMs } from '../../../base/runtime/time.ts';
import { hasEnded, type Sign, type SignatureScheme } from '../../signature/signature-scheme.ts';
import { standardWebhooks } from '../../signature/standard-signature.ts';
import type { CheckedProfile } from '../../signature/wire-profile.ts';

const standard = standardWebhooks();

const isStandard = ({ name }: SignatureScheme): boolean => name === standard.name;

/** The signatures of a profile, and those of Standard Webhooks where the endpoint has them added. */
const schemesOf = ({ signatures }: CheckedProfile, addsStandard: boolean): readonly SignatureScheme[] =>
  addsStandard && !signatures.some(isStandard) ? [...signatures, standard] : signatures;

/** Prepares the signatures of an endpoint. Those that have ended are left out. */
export const createSigner = (
  profile: CheckedProfile,
  addsStandard: boolean,
  secrets: readonly [string, ...string[]],
): ((message: Parameters<Sign>[0], headers: Record<string, string>, now: EpochMs) => void) => {
  const signers = schemesOf(profile, addsStandard).map((scheme) => ({ scheme, sign: scheme.signer(secrets) }));
  return (message, headers, now) => {
    for (const { scheme, sign } of signers) if (!hasEnded(scheme, now)) sign(message, headers);
  };
};
