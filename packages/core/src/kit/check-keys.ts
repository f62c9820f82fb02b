import { secretIdOf } from '../base/crypto/seal.ts';
import type { StoredSealingKeyCount } from '../webhooks/endpoints/endpoint-store.ts';
import type { EndpointSealer } from '../webhooks/endpoints/webhook-secret.ts';
import type { CheckFinding } from './check-finding.ts';
import type { SecretStanding } from './note-secret.ts';

const needing = (endpoints: number): string => `${endpoints} ${endpoints === 1 ? 'endpoint needs' : 'endpoints need'}`;

const missingKey = ({ keyId, endpoints }: StoredSealingKeyCount): CheckFinding => {
  const secretId = secretIdOf(keyId);
  const [part, key, remedy] =
    secretId === undefined
      ? (['sealingKeys', `the sealing key ${JSON.stringify(keyId)}: add it`, 'a key'] as const)
      : (['secret', `the secret ${secretId}: list it`, 'a secret'] as const);
  return {
    part,
    code: 'missing_key',
    detail:
      `${needing(endpoints)} ${key} at the end of ${part}. ` +
      `Before ${remedy} is removed, kit.endpoints.reseal() must have run until countBySealingKey() no longer lists it.`,
  };
};

const wrongKey = ({ keyId, endpoints, sample }: StoredSealingKeyCount): CheckFinding => {
  const secretId = secretIdOf(keyId);
  if (secretId !== undefined) {
    const detail =
      `a value of endpoint ${sample.id} does not open with the secret ${secretId}: ` +
      'the row of this endpoint was changed in the database.';
    return { part: 'secret', code: 'wrong_key', detail };
  }
  return {
    part: 'sealingKeys',
    code: 'wrong_key',
    detail:
      `a value of endpoint ${sample.id} does not open with the key ${JSON.stringify(keyId)} of sealingKeys: the ` +
      `${endpoints === 1 ? 'endpoint was' : `${endpoints} endpoints of this key id were`} sealed with another key of this ` +
      'id, so set SEALING_KEY to that one; or the row of this endpoint was changed in the database.',
  };
};

/** The problem of a secret that is not the storage's. */
const secretFinding = (standing: SecretStanding): CheckFinding | undefined => {
  if (standing.kind === 'known') return undefined;
  const { kind, own, last } = standing;
  return kind === 'old'
    ? {
        part: 'secret',
        code: 'old_secret',
        detail:
          `this process has the old secret ${own}, and the database is used with ${last}, which replaced it: deploy ` +
          'the new secret to this process. To return to the old one, list both: secret: [old, new].',
      }
    : {
        part: 'secret',
        code: 'wrong_secret',
        detail:
          `this process has the secret ${own}, and the database is used with ${last}: each environment needs a secret ` +
          'and a database of its own. If the secret was replaced, list the earlier one, too: secret: [new, earlier].',
      };
};

/** The problems of the keys of a kit with what is stored. */
export const keyFindings = (
  keyIds: readonly string[],
  sealer: Pick<EndpointSealer, 'openOneOf'>,
  counts: readonly StoredSealingKeyCount[],
  standing: SecretStanding,
): readonly CheckFinding[] => {
  const ofSecret = secretFinding(standing);
  const ofKeys = counts.flatMap((count): readonly CheckFinding[] => {
    // The finding of the secret has the remedy for all that it sealed.
    if (!keyIds.includes(count.keyId)) return ofSecret && secretIdOf(count.keyId) ? [] : [missingKey(count)];
    try {
      sealer.openOneOf(count.sample, count.keyId);
      return [];
    } catch {
      return [wrongKey(count)];
    }
  });
  return ofSecret ? [ofSecret, ...ofKeys] : ofKeys;
};
