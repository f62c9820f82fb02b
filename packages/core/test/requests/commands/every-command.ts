import type { RequestKindName } from '../../../src/requests/record/names.ts';

/** A command on an object, which is named first: `create` makes it. */
type Given = readonly [object: string, command: string, input?: object];

const recipient = { email: 'guest@example.com' };
const stay = { name: 'Stay', currency: 'EUR', recipient };
const returnUrl = 'https://shop.example/back';
const later = 2_000_000_000;
const charge = (kind: string, amount: number, processorReference = 'pi_1') => ({
  transaction: { kind, amount, processorReference },
});
const chargeback = { chargeback: { processorReference: 'dp_1', stage: 'inquiry' } };
const evidence = { processorReference: 'dp_1', evidence: [{ id: 'f_1', kind: 'invoice' }] };

/** Every command of each kind, in a state that allows it. A claim against the deposit `disputed` was denied. */
export const everyCommand: Readonly<Record<RequestKindName, readonly Given[]>> = {
  payments: [
    ['a', 'create', { ...stay, amount: 5, returnUrl }],
    ['a', 'change', { reference: 'R-1', returnUrl }],
    ['a', 'setPaymentUrl', { paymentUrl: 'https://pay.example/1' }],
    ['a', 'send'],
    ['a', 'remind'],
    ['a', 'failTransaction', charge('charge', 5)],
    ['a', 'cancelTransaction', charge('charge', 5)],
    ['a', 'succeed', charge('charge', 5)],
    ['a', 'returnTransaction', charge('return', 5)],
    ['a', 'succeedTransaction', charge('charge', 5, 'pi_2')],
    ['a', 'succeed', charge('charge', 5, 'pi_2')],
    ['a', 'updateChargeback', chargeback],
    ['a', 'giveEvidence', evidence],
    ['a', 'refund'],
    ['b', 'create', { ...stay, amount: 5 }],
    ['b', 'cancel'],
  ],
  deposits: [
    ['a', 'create', { ...stay, depositAmount: 50, returnUrl }],
    ['a', 'change', { reference: 'D-1', returnUrl }],
    ['a', 'setPaymentUrl', { paymentUrl: 'https://pay.example/1' }],
    ['a', 'send'],
    ['a', 'remind'],
    ['a', 'registerUser', { name: 'Guest' }],
    ['a', 'failTransaction', charge('authorisation', 50)],
    ['a', 'cancelTransaction', charge('authorisation', 50)],
    ['a', 'succeedDeposit', { ...charge('authorisation', 50), guaranteedUntil: later }],
    [
      'a',
      'succeedTransaction',
      { transaction: { ...charge('authorisation', 50).transaction, capturableUntil: later } },
    ],
    ['a', 'setTerm', { claimUntil: later }],
    ['a', 'warnOfEnd'],
    ['a', 'extend', { depositAmount: 70, ...charge('charge', 20) }],
    ['a', 'returnTransaction', charge('return', 20)],
    ['a', 'updateChargeback', chargeback],
    ['a', 'giveEvidence', evidence],
    ['a', 'checkIn'],
    ['a', 'checkOut'],
    ['a', 'finish'],
    ['b', 'create', { ...stay, depositAmount: 50 }],
    ['b', 'cancel'],
    ['c', 'create', { ...stay, depositAmount: 50 }],
    ['c', 'fail'],
    ['disputed', 'resume'],
    ['disputed', 'litigate'],
  ],
  paymentTemplates: [
    ['a', 'create', { name: 'Stay' }],
    ['a', 'change', { name: 'Weekend' }],
    ['a', 'delete'],
  ],
  depositTemplates: [
    ['a', 'create', { name: 'Stay' }],
    ['a', 'change', { name: 'Weekend' }],
    ['a', 'delete'],
  ],
  cashOuts: [
    ['a', 'create', { amount: 5 }],
    ['a', 'change', { reference: 'C-1' }],
    ['a', 'warnOfSilence'],
    ['a', 'pauseDeadline'],
    ['a', 'resumeDeadline'],
    ['a', 'offer', { amount: 6 }],
    ['a', 'claim'],
    ['a', 'deny'],
    ['a', 'settle', { amount: 5 }],
    ['a', 'escrow'],
    ['a', 'complete', { amount: 3, ...charge('capture', 3, 'cap_1') }],
    ['a', 'collect', { amount: 1, ...charge('capture', 1, 'cap_2') }],
    ['a', 'refund', { amount: 1, ...charge('refund', 1, 're_1') }],
    ['a', 'markIrrecoverable', { document: 'doc_1' }],
    ['b', 'create', { amount: 5 }],
    ['b', 'accept', { amount: 5 }],
    ['b', 'fail'],
    ['c', 'create', { amount: 5 }],
    ['c', 'cancel'],
  ],
};
