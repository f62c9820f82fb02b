import { expect, test } from 'vitest';
import { platform } from '../support/kit.ts';

const id = '01930000-0000-7000-8000-000000000000';

test.each([
  ['clients.list', ['acc_a', { limit: 5 }], "there is no option 'limit'; use one of page."],
  ['clients.list', ['acc_a', { page: { newestfirst: true } }], "page: there is no option 'newestfirst'; did you mean"],
  ['clients.list', ['acc_a', { page: 5 }], 'page is an object.'],
  ['clients.list', ['acc_a', 'next'], 'options are an object.'],
  ['clients.create', ['acc_a', { name: 'Till', nmae: 'Till' }], "there is no option 'nmae'; did you mean 'name'?"],
  ['clients.update', ['acc_a', id, { nmae: 'Till' }], "there is no option 'nmae'; did you mean 'name'?"],
  ['clients.addSecret', ['acc_a', id, { lable: 'Till' }], "there is no option 'lable'; did you mean 'label'?"],
  ['clients.expireSecret', ['acc_a', id, 's', { att: 0 }], "there is no option 'att'; did you mean 'at'?"],
  ['clients.expireSecret', ['acc_a', id, 's', 0], 'options are an object.'],
  ['endpoints.list', ['acc_a', { pages: {} }], "there is no option 'pages'; did you mean 'page'?"],
  ['deliveries.statistics', ['acc_a', [id], { days: 7 }], "there is no option 'days'; use one of period."],
  ['endpoints.activateSecret', ['acc_a', id, { att: 0 }], "there is no option 'att'; did you mean 'at'?"],
  [
    'endpoints.reseal',
    [{ newestFirst: true }],
    "there is no option 'newestFirst'; use one of after, limit, actor, requestId.",
  ],
  ['deliveries.list', ['acc_a', { states: 'held' }], "there is no option 'states'; did you mean 'state'?"],
  ['deliveries.list', ['acc_a', { page: { lmit: 1 } }], "page: there is no option 'lmit'; did you mean 'limit'?"],
  ['deliveries.replay', ['acc_a', id, { form: 0, to: 1 }], "there is no option 'form'; did you mean 'from'?"],
  [
    'deliveries.recover',
    ['acc_a', id, { since: 0, to: 1 }],
    "there is no option 'since'; use one of from, to, after, isDryRun, actor, requestId.",
  ],
  ['events.list', ['acc_a', { objectID: '1' }], "there is no option 'objectID'; did you mean 'objectId'?"],
  ['events.list', ['acc_a', { state: 'held' }], "there is no option 'state'; "],
] as const)('%s(%j) throws and names the option', (name, args, problem) => {
  const { kit } = platform();
  const [part, method] = name.split('.') as ['clients', 'list'];
  const call = kit[part][method] as (...args: readonly unknown[]) => unknown;
  expect(() => call(...args)).toThrow(TypeError);
  expect(() => call(...args)).toThrow(`${name}: ${problem}`);
});
