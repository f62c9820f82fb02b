import { setTimeout as after } from 'node:timers/promises';
import { day, second } from '@partnerkit/core';
import type { Office } from './office.ts';
import type { Partners } from './partners.ts';

/** Days until every delivery must have ended. */
const maxDays = 120;

/**
 * Lets time pass for the store until each delivery has ended: when nothing moves any more, the next day comes.
 * Attempts go on for three days, and an endpoint that fails is disabled after five. What it holds then expires.
 */
export const finish = async (office: Office, partners: Partners): Promise<void> => {
  for (let seen = '', turns = 0; turns < maxDays; ) {
    const { undispatched, waiting, held } = await office.backlog();
    if (undispatched + waiting + held === 0) return;
    const now = [undispatched, waiting, held, partners.posts(office.place.storage)].join();
    if (now === seen) {
      turns++;
      await office.store.elapse(waiting > 0 ? 1.1 * day : 15 * day);
    }
    seen = now;
    await after(3 * second);
  }
};
