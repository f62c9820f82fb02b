import { describe, expect, test } from 'vitest';
import { platform } from '../../support/kit.ts';

const rule = 'an e-mail address in ASCII; an international domain in its form xn--….';
const account = 'acc_main';

describe('the address for alerts', () => {
  test('is found as it was set, until an empty text removes it', async () => {
    const { kit } = platform();
    const found = async () => (await kit.alerts.findAddress(account))._unsafeUnwrap();
    expect(await found()).toBeUndefined();
    (await kit.alerts.setAddress(account, 'Desk+Night@partner.example'))._unsafeUnwrap();
    expect(await found()).toBe('Desk+Night@partner.example');
    (await kit.alerts.setAddress(account, ''))._unsafeUnwrap();
    expect(await found()).toBeUndefined();
  });

  test.each([
    ...[undefined, null, 7, {}, ' ', 'desk', 'desk@partner', 'a b@partner.example', 'é@partner.example'],
    ...['desk@partner.example\r\nBcc: all@partner.example', 'a@b.example,c@d.example', 'desk@partner.example\0'],
  ])('is refused with its rule: %j', async (address) => {
    const { kit } = platform();
    const refused = (await kit.alerts.setAddress(account, address as string))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ code: 'invalid_input', errors: [{ pointer: '/address', detail: rule }] });
    expect((await kit.alerts.findAddress(account))._unsafeUnwrap()).toBeUndefined();
  });

  test('has at most 254 characters', async () => {
    const { kit } = platform();
    const domain = `${`${'a'.repeat(62)}.`.repeat(3)}example`;
    (await kit.alerts.setAddress(account, `${'b'.repeat(57)}@${domain}`))._unsafeUnwrap();
    const refused = (await kit.alerts.setAddress(account, `${'b'.repeat(58)}@${domain}`))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ errors: [{ pointer: '/address', detail: 'at most 254 characters.' }] });
  });

  test('a wrong account is refused', async () => {
    const { kit } = platform();
    for (const wrong of ['', '\0', '..'])
      for (const call of [kit.alerts.findAddress(wrong), kit.alerts.setAddress(wrong, 'desk@partner.example')])
        expect((await call)._unsafeUnwrapErr().code).toBe('invalid_input');
  });

  test('a change has an entry with its actor and request, and without the address', async () => {
    const { kit } = platform();
    const options = { actor: { type: 'user', id: 'u1' }, requestId: 'r1' } as const;
    for (const address of ['', 'desk@partner.example', 'desk@partner.example', 'night@partner.example', ''])
      (await kit.alerts.setAddress(account, address, options))._unsafeUnwrap();
    const { items } = (await kit.audit.list(account))._unsafeUnwrap();
    expect(items.map(({ type, subjectId, by, requestId, data }) => [type, subjectId, by, requestId, data])).toEqual(
      ['alert_address_set', 'alert_address_set', 'alert_address_removed'].map((change) => [
        ...['account.changed', account, { type: 'user', id: 'u1' }, 'r1', { change }],
      ]),
    );
    expect(JSON.stringify(items)).not.toContain('partner.example');
  });
});
