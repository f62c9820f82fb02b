import { deepStrictEqual, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { deposit, payment } from './client.ts';
import { alone, inTest, newPayment, own } from './made.ts';

const guest = { email: 'guest@example.com', name: 'Ann', phone: '+41441234567', language: 'de-CH' };
const returns = { returnUrl: 'https://shop.example/paid?booking=7', cancelUrl: 'https://shop.example/' };

/** Who pays, how the recipient is reached, and where the recipient goes. */
export const recipientCases: RequestsCases = {
  'a recipient has a telephone number and a language, and a request has the addresses to return to': async (client) => {
    const { must } = client;
    for (const [path, body] of [
      ['payment-requests', payment],
      ['security-deposits', deposit],
    ] as const) {
      const made = (await must(201, 'POST', path, { body: { ...body, ...returns, recipient: guest } })).json;
      deepStrictEqual([made.recipient, made.returnUrl, made.cancelUrl], [guest, returns.returnUrl, returns.cancelUrl]);
      const at = `${path}/${made.id}`;
      const change = {
        recipient: { phone: null, language: 'fr' },
        cancelUrl: null,
        returnUrl: 'https://shop.example/b',
      };
      const changed = (await must(200, 'PATCH', at, { body: change })).json;
      const { cancelUrl: _removed, ...rest } = made;
      const { phone: _phone, ...others } = guest;
      deepStrictEqual(changed, {
        ...rest,
        returnUrl: change.returnUrl,
        recipient: { ...others, language: 'fr' },
        updatedAt: changed.updatedAt,
      });
      const sent = (await client.sentOf('org_main')).filter(({ data }) => data.id === made.id);
      deepStrictEqual(
        sent.map(({ data }) => data),
        [made, changed],
      );
    }
  },
  "an e-mail address follows HTML's rule: international domains in ASCII, and signs before the @": async (client) => {
    for (const email of [
      'a&b@hotel.example',
      'a=b+c/d@hotel.example',
      "o'hara.@hotel.example",
      'guest@xn--hotel-n0a.example',
      'guest@mail.xn--p1ai',
    ]) {
      const made = await client.must(201, 'POST', 'payment-requests', { body: { ...payment, recipient: { email } } });
      strictEqual(made.json.recipient.email, email);
    }
  },
  'a payment link has the expiry that the host gives, and a new link without one never expires': async (client) => {
    const { must, requests, clock } = client;
    const id = await newPayment(client);
    const soon = Math.floor(clock.now() / 1_000) + 3_600;
    const set = (input: { paymentUrl: string; paymentUrlExpiresAt?: number }) =>
      requests.payments.perform(own.id, id, 'setPaymentUrl', { input, ...alone });
    const shown = async () => {
      const { paymentUrl, paymentUrlExpiresAt } = (await must(200, 'GET', `payment-requests/${id}`)).json;
      return [paymentUrl, paymentUrlExpiresAt];
    };
    const stored = (await set({ paymentUrl: 'https://pay.example/1', paymentUrlExpiresAt: soon }))._unsafeUnwrap();
    strictEqual(stored.paymentUrlExpiresAt, soon * 1_000);
    deepStrictEqual(await shown(), ['https://pay.example/1', soon]);
    const past = await set({ paymentUrl: 'https://pay.example/2', paymentUrlExpiresAt: soon - 7_200 });
    deepStrictEqual(past._unsafeUnwrapErr(), {
      code: 'invalid_input',
      message: 'paymentUrlExpiresAt: a time in the future.',
      errors: [{ pointer: '/paymentUrlExpiresAt', detail: 'a time in the future.' }],
    });
    deepStrictEqual(await shown(), ['https://pay.example/1', soon]);
    (await set({ paymentUrl: 'https://pay.example/3' }))._unsafeUnwrap();
    deepStrictEqual(await shown(), ['https://pay.example/3', undefined]);
  },
};

/** Cases of a platform with a test environment. */
export const simulatedRecipientCases: RequestsCases = {
  'a recipient registers with a name, a telephone number and a language; what is absent stays': async ({ must }) => {
    const { id } = (await must(201, 'POST', 'security-deposits', { ...inTest, body: deposit })).json;
    const register = async (body: object) =>
      (await must(200, 'POST', `security-deposits/${id}/simulate/register-user`, { ...inTest, body })).json.recipient;
    const { email, name, phone, language } = guest;
    deepStrictEqual(await register({ name, language }), { email, name, language });
    deepStrictEqual(await register({ phone }), { email, name, phone, language });
    deepStrictEqual(await register({}), guest);
  },
};
