import type { NewEvent } from '@partnerkit/core/adapter';

let ids = 0;

/** An event of `acc`, with an id of its own. */
export const newEvent = (change: Partial<NewEvent> = {}): NewEvent => ({
  id: `01941f29-0000-7000-8000-${String(ids++).padStart(12, '0')}`,
  accountId: 'acc',
  objectName: 'RequestPayment',
  objectId: 'pay_1',
  type: 'payed',
  bodyTail: ',"data":{}}',
  ...change,
});
