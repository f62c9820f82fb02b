import { expect, test } from 'vitest';
import { assertion, claimsOf, ed25519, namedTokens, p256, present } from '../../access/tokens/support/assertions.ts';
import { loginToken } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

/** A platform that imports clients, and verifies assertions by the id of their key. */
const verifying = () => platform({ tokens: namedTokens().tokens, imported: { clients: true } });

const keys = [
  { ...p256, kid: 'own', alg: 'ES256' },
  { ...ed25519, kid: 'second', alg: 'Ed25519' },
] as const;
const row = { accountId: 'acc_a', id: 'booking', name: 'Booking system', secrets: [], jwks: { keys } };

const linesOf = async ({ kit }: ReturnType<typeof platform>) => {
  const lines: object[] = [];
  // As a file carries them.
  for await (const line of kit.export({ accounts: ['acc_a'] }))
    if (line.kind === 'client') lines.push(JSON.parse(JSON.stringify(line)));
  return lines as Parameters<ReturnType<typeof platform>['kit']['import']['clients']>[0];
};
const outcomes = async ({ kit }: ReturnType<typeof platform>, rows: unknown) => {
  const { rows: report } = (await kit.import.clients(rows as never))._unsafeUnwrap();
  return report.map(({ outcome }) => outcome);
};

test('a client with public keys and no secret is exported and imported, and logs in there', async () => {
  const [from, to] = [verifying(), verifying()];
  const created = (await from.kit.clients.create('acc_a', { name: 'Booking', jwks: { keys } }))._unsafeUnwrap();
  const { id } = created.client;
  const lines = await linesOf(from);
  expect(lines).toMatchObject([{ client: { id, secrets: [], jwks: { keys } } }]);
  expect(await outcomes(to, lines)).toEqual(['created']);
  const moved = (await to.kit.clients.find('acc_a', id))._unsafeUnwrap();
  expect([moved.jwks, moved.secrets]).toEqual([{ keys }, []]);
  expect(await linesOf(to)).toEqual(lines);
  for (const by of ['own', 'second']) {
    const header = by === 'own' ? {} : { alg: 'Ed25519' };
    expect((await present(to.kit, assertion(claimsOf(id, { jti: by }), { by, header }))).status).toBe(200);
  }
  expect((await present(to.kit, assertion(claimsOf(id, { jti: 'x' }), { by: 'another' }))).status).toBe(401);
  expect(await outcomes(to, lines)).toEqual(['unchanged']);
});

test('a row of another system has public keys in place of secrets, or beside them', async () => {
  const to = verifying();
  expect(await outcomes(to, [row])).toEqual(['created']);
  expect((await present(to.kit, assertion(claimsOf('booking')))).status).toBe(200);
  const secret = 'a secret of another system';
  expect(await outcomes(to, [{ ...row, id: 'both', secrets: [{ text: secret }] }])).toEqual(['created']);
  const { client } = { client: (await to.kit.clients.find('acc_a', 'both'))._unsafeUnwrap() };
  expect(await loginToken(to.kit, { client, secret })).toBeTypeOf('string');
  expect((await present(to.kit, assertion(claimsOf('both')))).status).toBe(200);
});

test('the same keys are unchanged, and other ones differ', async () => {
  const to = verifying();
  const again = async (change: object) => (await outcomes(to, [{ ...row, ...change }]))[0];
  expect([await again({}), await again({})]).toEqual(['created', 'unchanged']);
  expect(await again({ jwks: { keys: keys.slice(1) } })).toBe('differs');
  expect(await again({ jwks: { keys: [{ ...p256, kid: 'renamed' }, keys[1]] } })).toBe('differs');
});

test.each<readonly [what: string, rows: unknown, member: string]>([
  ['neither secrets nor keys', [{ ...row, jwks: undefined }], 'secrets'],
  ['an empty set', [{ ...row, jwks: { keys: [] } }], 'jwks'],
  ['a private key', [{ ...row, jwks: { keys: [{ ...ed25519, d: 'AA' }] } }], 'jwks'],
  ['a point that is not on the curve', [{ ...row, jwks: { keys: [{ ...p256, y: p256.x }] } }], 'jwks'],
  ['the same key twice', [{ ...row, jwks: { keys: [p256, { ...p256, kid: 'b' }] } }], 'jwks'],
])('%s: refused, and nothing is stored', async (_what, rows, member) => {
  const to = verifying();
  const { rows: report } = (await to.kit.import.clients(rows as never))._unsafeUnwrap();
  expect(report).toMatchObject([{ outcome: 'refused', pointer: expect.stringContaining(`/${member}`) }]);
  expect(await to.storage.clients.findClient('booking')).toBeUndefined();
});

test('a platform that verifies no assertions refuses the keys, of a row and of a line', async () => {
  const from = verifying();
  (await from.kit.clients.create('acc_a', { name: 'Booking', jwks: { keys } }))._unsafeUnwrap();
  const to = platform({ imported: { clients: true } });
  for (const rows of [[row], await linesOf(from)]) {
    const { rows: report } = (await to.kit.import.clients(rows as never))._unsafeUnwrap();
    const message = expect.stringContaining('the option tokens needs verifyAssertion and an issuer first.');
    expect(report).toMatchObject([{ outcome: 'refused', pointer: '/jwks', message }]);
  }
});
