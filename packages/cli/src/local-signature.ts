import { hasEnded, specificationSignature, standardWebhooks, type WireProfile } from '@partnerkit/core/wire';
import { CliError, messageOf } from './cli-error.ts';
import type { Secrets } from './secrets.ts';

/** What is signed. */
interface SignedEvent {
  /** `webhook-id`: the id of the event, `_` and the id of the endpoint. */
  readonly messageId: string;
  readonly body: string;
}

/** Signs as a platform does, with secrets of this machine. */
export interface LocalSigner {
  /** The headers of the signatures, in lower case. */
  readonly headerNames: readonly string[];
  /** The headers of the signatures of an event, made now. */
  sign(event: SignedEvent): Readonly<Record<string, string>>;
}

/** Without signatures in the profile: those that an endpoint can have without one. */
const usual = (secrets: Secrets) => {
  const standard = standardWebhooks();
  const fits = secrets.every((secret) => standard.secretProblem(secret) === undefined);
  return [specificationSignature(), ...(fits ? [standard] : [])];
};

/**
 * Prepares the signatures of a profile. `url` is that of the endpoint, if a signature covers it.
 * @throws CliError when a signature cannot be made with these secrets.
 */
export const createLocalSigner = (profile: WireProfile, secrets: Secrets, url: string): LocalSigner => {
  const schemes = profile.signatures ?? usual(secrets);
  const signers = schemes.map((scheme) => {
    const problem = secrets.map((secret) => scheme.secretProblem(secret)).find((each) => each !== undefined);
    if (problem !== undefined) throw new CliError(`The webhook secret does not fit: ${problem}`);
    try {
      return { scheme, sign: scheme.signer(secrets) };
    } catch (cause) {
      throw new CliError(`The profile cannot sign: ${messageOf(cause)} Give it a key made for this machine.`);
    }
  });
  return {
    headerNames: schemes.flatMap(({ headers }) => headers.map((name) => name.toLowerCase())),
    sign: ({ messageId, body }) => {
      const at = Date.now();
      const [id = messageId] = messageId.split('_');
      const headers: Record<string, string> = {};
      for (const { scheme, sign } of signers)
        if (!hasEnded(scheme, at)) sign({ id, messageId, at, body, url }, headers);
      return headers;
    },
  };
};
