import { expect, test } from 'vitest';
import { day, hour, second, toSeconds } from '../../../src/base/runtime/time.ts';
import type { RequestPolicies } from '../../../src/requests/record/policies.ts';
import { start } from '../../support/clock.ts';
import { alone, done, own, recipient, requestWorld } from '../world.ts';

const allowed: RequestPolicies = { proposedTerms: { guaranteedFor: 30 * day, claimFor: 14 * day + hour } };
const common = { name: 'Car', depositAmount: 300, currency: 'EUR' };

const worldOf = (policies: RequestPolicies) => {
  const world = requestWorld(undefined, policies);
  const { depositTemplates, deposits } = world.requests;
  return {
    ...world,
    template: (proposal: object) => depositTemplates.create(own.id, { ...common, ...proposal }, alone),
    /** A deposit of a template, two days later; its term is `input`, and what the template proposed. */
    succeed: async (templateId: string, input: object = {}) => {
      const { id } = await done(deposits.create(own.id, { recipient, templateId }, alone));
      world.clock.set(start + 2 * day);
      return done(deposits.perform(own.id, id, 'succeedDeposit', { ...alone, input }));
    },
  };
};
const inDays = (days: number): number => start + days * day;

test('a deposit has the term that its template proposed, counted from its success', async () => {
  const { template, succeed } = worldOf(allowed);
  const { id } = await done(template({ guaranteedForDays: 30, claimForDays: 14 }));
  expect(await succeed(id)).toMatchObject({
    guaranteedForDays: 30,
    claimForDays: 14,
    guaranteedUntil: inDays(32),
    claimUntil: inDays(16),
  });
});

test('a term that the host gives counts, and null is none', async () => {
  const { template, succeed } = worldOf(allowed);
  const { id } = await done(template({ guaranteedForDays: 30, claimForDays: 14 }));
  const given = await succeed(id, { guaranteedUntil: toSeconds(inDays(7)), claimUntil: null });
  expect([given.guaranteedUntil, 'claimUntil' in given]).toEqual([inDays(7), false]);
});

test('half a proposal is half a term', async () => {
  const { template, succeed } = worldOf(allowed);
  const { id } = await done(template({ claimForDays: 1 }));
  const succeeded = await succeed(id);
  expect(['guaranteedUntil' in succeeded, succeeded.claimUntil]).toEqual([false, inDays(3)]);
});

test.each([
  ['a longer guarantee', allowed, { guaranteedForDays: 31 }, '/guaranteedForDays', 'at most 30.'],
  ['a longer time for cash-outs', allowed, { claimForDays: 15 }, '/claimForDays', 'at most 14.'],
  ['anything without a limit', {}, { claimForDays: 1 }, '/claimForDays', 'leave it out: the platform gives the term.'],
])('a template that proposes %s is refused, new or changed', async (_what, policies, proposal, pointer, detail) => {
  const { template, requests } = worldOf(policies);
  const refusal = { code: 'invalid_input', errors: [{ pointer, detail }] };
  expect((await template(proposal))._unsafeUnwrapErr()).toMatchObject(refusal);
  const { id } = await done(template({}));
  const change = requests.depositTemplates.perform(own.id, id, 'change', { ...alone, input: proposal });
  expect((await change)._unsafeUnwrapErr()).toMatchObject(refusal);
  expect((await done(requests.depositTemplates.find(own.id, id))).version).toBe(1);
});

test('a lower limit holds for new deposits of older templates', async () => {
  const world = worldOf(allowed);
  const { id: templateId } = await done(world.template({ guaranteedForDays: 30, claimForDays: 14 }));
  const { deposits } = world.requestsOver({}, { proposedTerms: { guaranteedFor: 3 * day, claimFor: day - second } });
  const { id } = await done(deposits.create(own.id, { recipient, templateId }, alone));
  const succeeded = await done(deposits.perform(own.id, id, 'succeedDeposit', alone));
  expect([succeeded.guaranteedForDays, succeeded.guaranteedUntil]).toEqual([3, inDays(3)]);
  expect(['claimForDays' in succeeded, 'claimUntil' in succeeded]).toEqual([false, false]);
});

test('a template without a proposal, and no template, propose nothing', async () => {
  const { template, succeed, requests } = worldOf(allowed);
  const { id } = await done(template({}));
  const ofTemplate = await succeed(id);
  const { id: alike } = await done(requests.deposits.create(own.id, { ...common, recipient }, alone));
  const alone_ = await done(requests.deposits.perform(own.id, alike, 'succeedDeposit', alone));
  for (const names of [Object.keys(ofTemplate), Object.keys(alone_)])
    for (const name of ['guaranteedForDays', 'claimForDays', 'guaranteedUntil', 'claimUntil'])
      expect(names).not.toContain(name);
});
