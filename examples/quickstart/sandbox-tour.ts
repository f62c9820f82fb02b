import type { ManagingHost } from './managing-host.ts';
import type { Partner } from './partner.ts';
import { connectPartner } from './partner-api.ts';
import { expectThat, type Steps } from './steps.ts';

/** In a test environment the partner also gives the commands of the platform, so it can build its integration alone. */
export const sandboxTour = async (steps: Steps, host: ManagingHost, partner: Partner): Promise<void> => {
  const title = 'In the test environment, the partner has a key and an endpoint of its own.';
  const { post, sends } = await connectPartner(steps, host, partner, { accountId: 'org_test', title });

  await sends('It tries its receiver.', ['cashout_done'], async (write) =>
    post(write, 'webhooks/test', { objectName: 'RequestSecurityDeposit', type: 'cashout_done' }),
  );
  const asked = { name: 'Test', depositAmount: 300, currency: 'EUR', recipient: { email: 'test@example.org' } };
  const deposit = await sends('It asks for a deposit.', ['creation'], (write) =>
    post(write, 'security-deposits', asked),
  );
  const path = `security-deposits/${deposit.id}`;
  await sends('It plays the guest and the bank.', ['user_register', 'deposit_success'], async (write) => {
    await post(write, `${path}/simulate/register-user`, { name: 'Test' });
    await post(write, `${path}/simulate/succeed-deposit`);
  });
  const cashOut = await sends('It asks for a cash-out.', ['cashout'], (write) =>
    post(write, `${path}/cash-outs`, { amount: 80 }),
  );
  const cashOutPath = `${path}/cash-outs/${cashOut.id}`;
  await sends(
    'It plays the whole dispute.',
    ['cashout_reclamation', 'cashout_owner_deny_reclamation', 'litigation', 'update', 'update', 'cashout_done'],
    async (write) => {
      await post(write, `${cashOutPath}/simulate/claim`, { claim: 'No.' });
      await post(write, `${cashOutPath}/deny`, { reason: { code: 'test' } });
      await post(write, `${cashOutPath}/simulate/settle`, { amount: 40 });
      await post(write, `${cashOutPath}/simulate/complete`);
    },
  );
  const finished = await sends('It finishes the deposit.', ['finish'], (write) => post(write, `${path}/finish`));
  expectThat('the deposit is finished', finished.status === 'finished');
};
