import { expect, test } from 'vitest';
import { z } from 'zod';
import type { OpenApiDocument } from '../../src/api/operations/document-options.ts';
import { extendedWorld } from './extended-world.ts';
import { requestWorld } from './world.ts';

const change = ['changed_meanwhile', 'reference_taken'];
const given = ['changed_meanwhile', 'wrong_state'];
/** Reports are stored in every state. */
const reported = ['changed_meanwhile'];
const created = ['reference_taken'];

/** Written by hand from the rules of the requests guide: which codes of 409 each command may answer. */
const conflicts: Readonly<Record<string, readonly string[]>> = {
  createPaymentRequest: created,
  changePaymentRequest: [...change, 'wrong_state', 'money_booked'],
  cancelPaymentRequest: [...given, 'money_booked'],
  simulateSetPaymentUrlPaymentRequest: given,
  simulateSendPaymentRequest: given,
  simulateRemindPaymentRequest: given,
  simulateSucceedPaymentRequest: [...given, 'exceeds_secured'],
  simulateSucceedTransactionPaymentRequest: reported,
  simulateFailTransactionPaymentRequest: reported,
  simulateCancelTransactionPaymentRequest: reported,
  simulateReturnTransactionPaymentRequest: reported,
  simulateUpdateChargebackPaymentRequest: reported,
  giveEvidencePaymentRequest: reported,
  simulateRefundPaymentRequest: [...given, 'already_done', 'exceeds_payment'],
  createSecurityDeposit: created,
  changeSecurityDeposit: [...change, 'wrong_state', 'money_booked'],
  cancelSecurityDeposit: [...given, 'money_booked'],
  checkInSecurityDeposit: [...given, 'already_done'],
  checkOutSecurityDeposit: [...given, 'already_done', 'not_checked_in'],
  finishSecurityDeposit: [...given, 'open_cash_outs'],
  simulateSetPaymentUrlSecurityDeposit: given,
  simulateSendSecurityDeposit: given,
  simulateRemindSecurityDeposit: given,
  simulateRegisterUserSecurityDeposit: given,
  simulateSucceedTransactionSecurityDeposit: reported,
  simulateFailTransactionSecurityDeposit: reported,
  simulateCancelTransactionSecurityDeposit: reported,
  simulateReturnTransactionSecurityDeposit: reported,
  simulateUpdateChargebackSecurityDeposit: reported,
  giveEvidenceSecurityDeposit: reported,
  simulateSucceedDepositSecurityDeposit: given,
  simulateSetTermSecurityDeposit: given,
  simulateWarnOfEndSecurityDeposit: given,
  simulateExtendSecurityDeposit: [...given, 'exceeds_deposit', 'exceeds_payment', 'exceeds_secured'],
  simulateLitigateSecurityDeposit: [...given, 'no_dispute'],
  simulateResumeSecurityDeposit: given,
  simulateFailSecurityDeposit: given,
  createCashOut: [...given, 'claim_ended', 'exceeds_deposit', 'reference_taken', 'too_many_cash_outs'],
  changeCashOut: [...change, 'wrong_state'],
  cancelCashOut: given,
  offerCashOut: [...given, 'exceeds_deposit'],
  denyCashOut: given,
  simulateClaimCashOut: given,
  simulateAcceptCashOut: [...given, 'amount_mismatch'],
  simulateSettleCashOut: [...given, 'exceeds_deposit'],
  simulateWarnOfSilenceCashOut: given,
  simulatePauseDeadlineCashOut: given,
  simulateResumeDeadlineCashOut: given,
  simulateEscrowCashOut: given,
  simulateCompleteCashOut: [...given, 'exceeds_cash_out', 'exceeds_secured'],
  simulateCollectCashOut: [...given, 'already_done', 'exceeds_cash_out', 'exceeds_secured'],
  simulateMarkIrrecoverableCashOut: [...given, 'already_done'],
  simulateRefundCashOut: [...given, 'already_done', 'exceeds_collected', 'exceeds_payment'],
  simulateFailCashOut: given,
  createPaymentTemplate: created,
  changePaymentTemplate: change,
  deletePaymentTemplate: ['changed_meanwhile'],
  createSecurityDepositTemplate: created,
  changeSecurityDepositTemplate: change,
  deleteSecurityDepositTemplate: ['changed_meanwhile'],
};

/** The codes of 409 of each operation in the document. */
const listedOf = ({ paths }: OpenApiDocument): Readonly<Record<string, readonly string[]>> => {
  const listed = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap((operation) => {
      const { operationId, responses: answers } = operation as {
        readonly operationId: string;
        readonly responses: Readonly<Record<string, { readonly description?: string }>>;
      };
      const codes = [...(answers['409']?.description ?? '').matchAll(/`(\w+)`/g)];
      return codes.length === 0 ? [] : [[operationId, codes.map(([, code]) => code as string)] as const];
    });
  return Object.fromEntries(listed);
};

test('the document lists the conflicts that each command can meet, and no other', () => {
  const { kit, requests } = requestWorld(undefined, { testEnvironments: ['test'], uniqueReferences: true });
  const listed = listedOf(kit.openApi({ title: 'Requests', routes: requests.routes, webhooks: false }));
  const byHand = Object.entries(conflicts).map(([operation, codes]) => [operation, [...codes].sort()]);
  expect(listed).toMatchObject(Object.fromEntries(byHand));
  // The test of webhooks is no command.
  expect(Object.keys(listed).length).toBe(byHand.length + 1);
});

test('a reference is taken only where the platform wants each once', () => {
  const { kit, requests } = requestWorld(undefined, { testEnvironments: ['test'] });
  const listed = listedOf(kit.openApi({ title: 'Requests', routes: requests.routes, webhooks: false }));
  expect(Object.values(listed).flat()).not.toContain('reference_taken');
});

test('only an object with fields of the host can be too large', () => {
  const { kit, requests } = extendedWorld({ payments: z.object({ notes: z.string() }) });
  const listed = listedOf(kit.openApi({ title: 'Requests', routes: requests.routes, webhooks: false }));
  const tooLarge = Object.keys(listed).filter((operation) => listed[operation]?.includes('object_too_large'));
  expect(tooLarge.sort()).toEqual(['changePaymentRequest', 'createPaymentRequest']);
});
