/** The processes of a platform that are killed: its parent, its children, and hosts that commit payments. */
export {
  type Child,
  openChildren,
  type Task,
} from '../../../conformance/src/prove/processes/children.ts';
export { readTask, say, untilStopped } from '../../../conformance/src/prove/processes/task.ts';
export { killHost } from './kill-host.ts';
export { type PayingHost, payDuring } from './pay-during.ts';
export { type PaymentTask, runPaymentHost } from './payment-host.ts';
