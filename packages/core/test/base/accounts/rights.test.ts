import { describe, expect, test } from 'vitest';
import { mayCall, type NeededRight, type Right } from '../../../src/base/accounts/rights.ts';
import { login, me } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

describe('what a client may call (RFC 6749 §3.3)', () => {
  test.each<[rights: readonly Right[] | undefined, scope: string, needed: NeededRight, may: boolean | 'no_scope']>([
    [undefined, 'USER', 'requests:write', true],
    [['requests:read'], 'USER', 'requests:read', true],
    [['requests:write'], 'USER', 'requests:read', true],
    [['requests:read'], 'USER', 'requests:write', false],
    [['requests:write'], 'USER', 'cash_outs:read', false],
    [['requests:read'], 'USER', 'none', true],
    [undefined, 'requests:read', 'requests:read', true],
    [undefined, 'requests:read events:read', 'events:read', true],
    [undefined, 'requests:read', 'requests:write', false],
    [['requests:read'], 'requests:write', 'requests:write', false],
    [['requests:read'], 'requests:write', 'requests:read', true],
    [['events:read'], 'requests:read', 'requests:read', false],
    [undefined, 'requests:read USER', 'templates:write', true],
    [undefined, 'ADMIN', 'none', 'no_scope'],
    [undefined, '', 'none', 'no_scope'],
    [undefined, 'user', 'requests:read', 'no_scope'],
    [undefined, 'requests:read', 'none', true],
  ])('rights %j, scope "%s": %s is %s', (rights, scope, needed, may) => {
    expect(mayCall(rights === undefined ? {} : { rights }, scope, needed)).toBe(may);
  });
});

const key = async (input: object, options: Parameters<typeof platform>[0] = {}) => {
  const made = platform(options);
  return { ...made, added: await made.kit.clients.create('acc_a', { name: 'Key', ...input }) };
};

describe('a key', () => {
  test('keeps its rights through changes, and loses the limit with null', async () => {
    const { kit, added } = await key({ rights: ['requests:read', 'events:write'] });
    const { id } = added._unsafeUnwrap().client;
    expect(added._unsafeUnwrap().client.rights).toEqual(['requests:read', 'events:write']);
    const renamed = (await kit.clients.update('acc_a', id, { name: 'Renamed' }))._unsafeUnwrap();
    expect(renamed.rights).toEqual(['requests:read', 'events:write']);
    const narrowed = (await kit.clients.update('acc_a', id, { rights: ['events:read'] }))._unsafeUnwrap();
    expect(narrowed.rights).toEqual(['events:read']);
    const freed = (await kit.clients.update('acc_a', id, { rights: null }))._unsafeUnwrap();
    expect(freed).not.toHaveProperty('rights');
  });

  test.each([
    [[], '/rights'],
    [['requests'], '/rights/0'],
    [['events:read', 'requests:all'], '/rights/1'],
    [['events:read', 'request:read'], '/rights/1'],
    [['bookings:read'], '/rights/0'],
    [Array.from({ length: 33 }, () => 'events:read'), '/rights'],
  ])('with the rights %j is refused at %s', async (rights, pointer) => {
    const { added } = await key({ rights });
    expect(added._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_input', errors: [{ pointer }] });
  });

  test('can have rights on the parts of the host that the kit names', async () => {
    const { added } = await key({ rights: ['bookings:write'] }, { api: { rights: ['bookings'] } });
    expect(added.isOk()).toBe(true);
  });
});

describe('a login', () => {
  const logIn = async (rights: readonly string[] | undefined, scope: string) => {
    const { kit, added } = await key(rights === undefined ? {} : { rights });
    const { client, secret } = added._unsafeUnwrap();
    const response = await login(kit, { client_id: client.id, client_secret: secret, scope });
    return { kit, status: response.status, answer: JSON.parse(response.body) };
  };

  test('grants the rights that it names, and the answer names them', async () => {
    const { kit, status, answer } = await logIn(undefined, 'requests:read events:read requests:read');
    expect([status, answer.scope]).toEqual([200, 'requests:read events:read']);
    expect((await me(kit, answer.access_token)).status).toBe(200);
  });

  test.each([
    [['requests:read'], 'requests:write', 'The API key does not have the right requests:write.'],
    [['requests:write'], 'requests:read events:read', 'The API key does not have the right events:read.'],
    [undefined, 'bookings:read', 'scope must be USER, or rights such as requests:read.'],
  ])('of a key with %j as "%s" is invalid_scope', async (rights, scope, description) => {
    const { status, answer } = await logIn(rights, scope);
    expect([status, answer]).toEqual([400, { error: 'invalid_scope', error_description: description }]);
  });

  test('as USER grants what the key may do', async () => {
    const { answer } = await logIn(['requests:read'], 'USER');
    expect(answer).not.toHaveProperty('scope');
  });
});

describe('a route of the host', () => {
  const path = '/organisations/:organisationId/notes';
  const answer = async () => ({ status: 204, headers: {}, body: '' });
  test.each([
    [undefined, 'right must be the right that an API key needs'],
    [{}, 'right must be the right that an API key needs'],
    [{ right: 'notes' }, 'right must be the right that an API key needs'],
    [{ right: 'notes:read' }, 'name its part in the option api.rights'],
  ])('does not start with %j', (options, message) => {
    expect(() => platform().kit.accountRoute('GET', path, answer, options as never)).toThrow(message);
  });

  test('of another framework is refused without a right', async () => {
    const { kit } = platform();
    const refused = await kit.authenticate({ method: 'GET', target: '/', headers: {} }, 'acc_a', undefined as never);
    expect(refused._unsafeUnwrapErr().code).toBe('internal');
  });
});
