import type { ManagingHost } from './managing-host.ts';
import type { Partner } from './partner.ts';
import { connectPartner } from './partner-api.ts';
import { hold, type Story } from './story.ts';

/** In a test environment the partner plays the platform's part too: it needs nobody to build its whole integration. */
export const sandboxTour = async (story: Story, host: ManagingHost, partner: Partner): Promise<void> => {
  const title = 'In the test environment, the partner has a key and an endpoint of its own.';
  const { post, sends } = await connectPartner(story, host, partner, 'org_test', title);

  await sends('It tries its receiver.', ['cashout_done'], async (tell) =>
    post(tell, 'webhooks/test', { objectName: 'RequestSecurityDeposit', type: 'cashout_done' }),
  );
  const asked = { name: 'Test', depositAmount: 300, currency: 'EUR', recipient: { email: 'test@example.org' } };
  const deposit = await sends('It asks for a deposit.', ['creation'], (tell) => post(tell, 'security-deposits', asked));
  const path = `security-deposits/${deposit.id}`;
  await sends('It plays the guest and the bank.', ['user_register', 'deposit_success'], async (tell) => {
    await post(tell, `${path}/simulate/register-user`, { name: 'Test' });
    await post(tell, `${path}/simulate/succeed-deposit`);
  });
  const cashOut = await sends('It asks for a cash-out.', ['cashout'], (tell) =>
    post(tell, `${path}/cash-outs`, { amount: 80 }),
  );
  const cashOutPath = `${path}/cash-outs/${cashOut.id}`;
  await sends(
    'It plays the whole dispute.',
    ['cashout_reclamation', 'cashout_owner_deny_reclamation', 'litigation', 'update', 'update', 'cashout_done'],
    async (tell) => {
      await post(tell, `${cashOutPath}/simulate/claim`, { claim: 'No.' });
      await post(tell, `${cashOutPath}/deny`, { reason: { code: 'test' } });
      await post(tell, `${cashOutPath}/simulate/settle`, { amount: 40 });
      await post(tell, `${cashOutPath}/simulate/complete`);
    },
  );
  const finished = await sends('It finishes the deposit.', ['finish'], (tell) => post(tell, `${path}/finish`));
  hold('the deposit is finished', finished.status === 'finished');
};
