import { dispatchAnnounced, readOutbox, storeDispatch } from './dispatch.ts';
import { acquire, heartbeat, join, leave, recover, release } from './membership.ts';
import { keepDue, readDue, readQueues } from './read-deliveries.ts';
import { readEndpoints } from './read-endpoints.ts';
import { endAttempt, giveUpOverdue, send, startAttempt } from './send.ts';
import { settle } from './settle.ts';

/** The steps of a session. No file of steps imports another one. */
export const steps = {
  join,
  heartbeat,
  acquire,
  recover,
  release,
  leave,
  dispatchAnnounced,
  readOutbox,
  readEndpoints,
  storeDispatch,
  readDue,
  keepDue,
  readQueues,
  startAttempt,
  send,
  endAttempt,
  giveUpOverdue,
  settle,
};

export type Steps = typeof steps;
