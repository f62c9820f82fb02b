import { compactVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { generateRingKey, type SigningAlgorithm } from '../../src/jose/index.ts';
import { loadRing } from '../../src/jose/key-ring.ts';

const times: Readonly<Record<SigningAlgorithm, number>> = {
  ES256: sized(600, 2_000),
  ES384: sized(300, 500),
  EdDSA: 20,
  RS256: 20,
  PS256: 20,
};

describe('law: jose verifies every signed payload', () => {
  // Among so many signatures of ECDSA are some whose numbers begin with zeros.
  test.each(Object.entries(times) as [SigningAlgorithm, number][])('%s, %i times', async (alg, count) => {
    const [key] = (await loadRing([await generateRingKey(alg)])).values();
    for (let nth = 0; nth < count; nth++) {
      const token = (await key?.sign?.({ nth, name: 'été' })) ?? '';
      const { payload, protectedHeader } = await compactVerify(
        token,
        key?.verifyKey as NonNullable<typeof key>['verifyKey'],
      );
      expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({ nth, name: 'été' });
      expect(protectedHeader).toEqual({ alg, kid: key?.kid, typ: 'at+jwt' });
    }
  });
});
