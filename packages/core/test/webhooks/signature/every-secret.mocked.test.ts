import { expect, test, vi } from 'vitest';

const counts = vi.hoisted(() => ({ digests: 0, comparisons: 0 }));
vi.mock('../../../src/base/crypto/hmac.ts', async (original) => {
  const module = await original<typeof import('../../../src/base/crypto/hmac.ts')>();
  const counted = <A extends readonly unknown[], R>(make: (...given: A) => R) => {
    return (...given: A): R => {
      counts.digests++;
      return make(...given);
    };
  };
  return {
    ...module,
    hmacSha1: counted(module.hmacSha1),
    hmacSha256: counted(module.hmacSha256),
    hmacDigest: counted(module.hmacDigest),
  };
});
vi.mock('../../../src/base/crypto/equal.ts', async (original) => {
  const { equalInConstantTime } = await original<typeof import('../../../src/base/crypto/equal.ts')>();
  return {
    equalInConstantTime: (a: string, b: string) => {
      counts.comparisons++;
      return equalInConstantTime(a, b);
    },
  };
});

const { hmac } = await import('../../../src/webhooks/signature/hmac-signature.ts');
const { specificationSignature } = await import('../../../src/webhooks/signature/specification-signature.ts');
const { standardWebhooks } = await import('../../../src/webhooks/signature/standard-signature.ts');

const secrets = [1, 2, 3].map((byte) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`);
const another = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const at = 1_614_265_330;
const body = '{"a":1}';
const own = { header: 'X-Acme', algorithm: 'sha256', encoding: 'hex' } as const;

test.each([
  ['X-WEBHOOK-SIGNATURE', specificationSignature()],
  ['Standard Webhooks', standardWebhooks()],
  ['HMAC', hmac(own)],
  ['HMAC with a decoded key', hmac({ ...own, key: 'base64' })],
])('%s: the work does not tell which secret matches, nor whether one does', (_name, scheme) => {
  const verify = scheme.verifier(secrets, { endpoints: [], url: undefined });
  const workOf = (secret: string) => {
    const headers: Record<string, string> = {};
    scheme.signer([secret])({ id: 'evt', messageId: 'evt_1', at: at * 1_000, body, url: '' }, headers);
    Object.assign(counts, { digests: 0, comparisons: 0 });
    const verdict = verify({ header: (name) => headers[name], body: Buffer.from(body) }, at * 1_000);
    return { verdict, ...counts };
  };
  const work = { digests: 3, comparisons: 3 };
  for (const secret of secrets) expect(workOf(secret)).toEqual({ verdict: 'valid', ...work });
  expect(workOf(another)).toEqual({ verdict: 'wrong_signature', ...work });
});
