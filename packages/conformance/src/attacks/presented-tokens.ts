import { type AttackRequest, type AttackTarget, type HttpAttack, readAccount } from './attack.ts';

/** A read of the own account with these `Authorization` headers. */
export const tokenAttack = (
  name: string,
  authorization: (target: AttackTarget) => readonly string[],
  work: HttpAttack['work'],
): HttpAttack => ({
  group: 'tokens',
  name,
  request: (target) => ({
    ...readAccount(target),
    headers: authorization(target).map((value) => ['Authorization', value] as const),
  }),
  // A server in front may refuse a header that is too long.
  status: [400, 401, 431],
  work,
});

/** Genuine tokens, presented as no token may be. */
export const presentedTokens: readonly HttpAttack[] = [
  tokenAttack('no token', () => [], 'none'),
  ...Object.entries({
    'an empty Authorization': () => '',
    'a token without a scheme': (token: string) => token,
    'a token of the scheme Token': (token: string) => `Token ${token}`,
    'a token of the scheme Basic': (token: string) => `Basic ${token}`,
    'a token of the scheme DPoP': (token: string) => `DPoP ${token}`,
    'a token after an equals sign': (token: string) => `Bearer=${token}`,
    'a token after a colon': (token: string) => `Bearer: ${token}`,
    'a token with its scheme in quotes': (token: string) => `"Bearer ${token}"`,
  }).map(([name, value]) => tokenAttack(name, ({ token }) => [value(token)], 'none')),
  ...Object.entries({
    'the scheme alone': () => 'Bearer',
    'a token and a word': (token: string) => `Bearer ${token} x`,
    'a word and a token': (token: string) => `Bearer x ${token}`,
  }).map(([name, value]) => tokenAttack(name, ({ token }) => [value(token)], 'token')),
  tokenAttack('two tokens', ({ token }) => [`Bearer ${token}`, `Bearer ${token}`], 'none'),
  tokenAttack('a token after credentials', ({ token }) => ['Basic aTpz', `Bearer ${token}`], 'none'),
  tokenAttack('two tokens in one header', ({ token }) => [`Bearer ${token}, Bearer ${token}`], 'token'),
  ...Object.entries<(target: AttackTarget) => AttackRequest>({
    'a token in the query': (target) => ({
      ...readAccount(target),
      target: `${readAccount(target).target}?access_token=${encodeURIComponent(target.token)}`,
      headers: [],
    }),
    'a token in a cookie': (target) => ({
      ...readAccount(target),
      headers: [['Cookie', `access_token=${target.token}`]],
    }),
    'a token in X-API-Key': (target) => ({ ...readAccount(target), headers: [['X-API-Key', target.token]] }),
    'a token in X-Authorization': (target) => ({
      ...readAccount(target),
      headers: [['X-Authorization', `Bearer ${target.token}`]],
    }),
    'a token in Proxy-Authorization': (target) => ({
      ...readAccount(target),
      headers: [['Proxy-Authorization', `Bearer ${target.token}`]],
    }),
  }).map(([name, request]): HttpAttack => ({ group: 'tokens', name, request, status: [400, 401], work: 'none' })),
];
