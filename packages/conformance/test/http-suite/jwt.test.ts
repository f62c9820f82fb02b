import { describe, expect, test } from 'vitest';
import { generateRingKey, joseAccessTokens } from '../../../node/src/jose/index.ts';
import { httpCases } from '../../src/http-suite/partner/cases.ts';
import { createPlatform } from '../../src/http-suite/partner/platform.ts';
import { ask } from './ask.ts';

const tokens = await joseAccessTokens({
  keys: [await generateRingKey()],
  issuer: 'https://api.platform.example',
  audience: 'https://api.platform.example/api/v1/partner',
});
const platform = await createPlatform({ adapt: (options) => ({ ...options, tokens }) });

describe('with signed JWTs for tokens, the same answers', () => {
  const cases = httpCases.filter(
    ({ bad, name }) => bad === 'token' || bad === 'credentials' || name === 'the own account',
  );
  test.each(cases.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    const { status, headers, body } = await ask(platform, each);
    const { 'content-length': _length, ...ours } = headers;
    expect({ status, body, headers: ours }).toEqual({
      status: each.status,
      body: each.body,
      headers: 'x-request-id' in ours ? { ...each.headers, 'x-request-id': ours['x-request-id'] } : each.headers,
    });
  });

  test('the forged ones are made of a real one', () => {
    expect(platform.token.split('.')).toHaveLength(3);
  });
});
