import { ok, strictEqual } from 'node:assert';
import { assertionAttacks } from './assertions.ts';
import { type AttackGroup, type AttackTarget, credentials, type HttpAttack, login, readAccount } from './attack.ts';
import { attackOverSocket } from './exchange.ts';
import { headerAttacks } from './headers.ts';
import { loginAttacks } from './logins.ts';
import { pathAttacks } from './paths.ts';
import { cursorAttacks, jsonAttacks, moneyAttacks } from './requests.ts';
import { tokenAttacks } from './tokens.ts';

/**
 * Options of {@link httpAttacks}.
 * @public
 */
export interface HttpAttacksOptions {
  /** The `test` function of the runner. */
  readonly test: (name: string, run: () => Promise<void>) => void;
  /**
   * The partner API of a running host, such as `http://127.0.0.1:3000/api/v1/partner`; or a function that starts one
   * and returns it, called before the first attack.
   */
  readonly url: string | (() => Promise<string>);
  /** A client of the host, or a function that creates one; called once, after `url`. */
  readonly client: Omit<AttackTarget, 'basePath' | 'token'> | (() => Promise<Omit<AttackTarget, 'basePath' | 'token'>>);
  /**
   * Whether the host serves payment requests: cursors, money and JSON are attacked as well.
   * @defaultValue false
   */
  readonly requests?: boolean;
  /** Attacks that are left out, by name: a proxy in front answers otherwise. @defaultValue none */
  readonly without?: readonly string[];
}

/** All attacks over HTTP, in the order in which {@link httpAttacks} sends them. */
export const attacksOf = (requests: boolean): readonly HttpAttack[] => [
  ...tokenAttacks,
  ...pathAttacks,
  ...headerAttacks,
  ...(requests ? [...cursorAttacks, ...moneyAttacks, ...jsonAttacks] : []),
  // Failed logins are counted, and come last.
  ...loginAttacks,
  ...assertionAttacks,
];

const groups: readonly AttackGroup[] = [
  'tokens',
  'paths',
  'headers',
  'cursors',
  'money',
  'json',
  'logins',
  'assertions',
];
const leaks = /at [\w.<>]+ \(|node_modules|node:internal|ECONNREFUSED|\bSELECT\b|\/home\/|stack/;

/** What is wrong with an answer. */
const answerFaults = (
  { name, status, error }: HttpAttack,
  answer: { readonly status: number; readonly text: string; readonly responses: number },
  { clientSecret, token }: Pick<AttackTarget, 'clientSecret' | 'token'>,
): readonly string[] =>
  [
    !status.includes(answer.status) && `answered ${answer.status}, not ${status.join(' or ')}`,
    answer.status === 401 && error !== undefined && !answer.text.includes(`"error":"${error}"`) && `is not ${error}`,
    answer.responses > 1 && `answered ${answer.responses} times`,
    (answer.text.includes(clientSecret) || answer.text.includes(token)) && 'a secret is in the answer',
    leaks.test(answer.text) && `shows its inside: ${leaks.exec(answer.text)?.[0]}`,
  ]
    .filter((fault) => fault !== false)
    .map((fault) => `${name}: ${fault}`);

/**
 * Sends about 1,900 hostile requests to a running host, over sockets of their own and without a correction. Asserts
 * that each is refused as it must be: with a status of its list, once, without a secret or a stack in the answer.
 * Afterwards the right secret logs in, and its token reads the account.
 *
 * Each group is one test; its message lists every fault. Attack only hosts that are yours.
 * @example
 * httpAttacks({
 *   test,
 *   url: 'http://127.0.0.1:3000/api/v1/partner',
 *   client: { clientId, clientSecret, accountId: 'acc_1', foreignAccountId: 'acc_2' },
 * });
 * @public
 */
export const httpAttacks = ({ test, url, client, requests = false, without = [] }: HttpAttacksOptions): void => {
  const attacks = attacksOf(requests);
  const unknown = without.find((name) => !attacks.some((attack) => attack.name === name));
  if (unknown !== undefined) throw new TypeError(`without: there is no attack "${unknown}".`);

  const open = async () => {
    const base = new URL(typeof url === 'string' ? url : await url());
    const known = typeof client === 'function' ? await client() : client;
    const target = { ...known, basePath: base.pathname.replace(/\/$/, ''), token: '' };
    return { base, target: { ...target, token: await logIn(base, target) } };
  };
  const logIn = async (base: URL, target: AttackTarget): Promise<string> => {
    const { status, text } = await attackOverSocket(base, login(target, JSON.stringify(credentials(target))));
    strictEqual(status, 200, 'the right secret is refused');
    const token = /"access_token":"([^"]+)"/.exec(text)?.[1];
    ok(token !== undefined, 'the login returns no token');
    return token;
  };
  let opened: ReturnType<typeof open> | undefined;
  const host = () => {
    opened ??= open();
    return opened;
  };

  for (const group of groups) {
    const wanted = attacks.filter((attack) => attack.group === group && !without.includes(attack.name));
    if (wanted.length === 0) continue;
    test(`${wanted.length} attacks on ${group} are refused`, async () => {
      const { base, target } = await host();
      const faults: string[] = [];
      for (const attack of wanted)
        faults.push(
          ...answerFaults(attack, await attackOverSocket(base, attack.request(target), group === 'headers'), target),
        );
      strictEqual(faults.join('\n'), '');
    });
  }
  test('after all attacks the right secret logs in, and its token reads the account', async () => {
    const { base, target } = await host();
    const token = await logIn(base, target);
    const { status } = await attackOverSocket(base, readAccount({ ...target, token }));
    strictEqual(status, 200);
  });
};
