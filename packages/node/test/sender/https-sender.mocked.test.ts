import { httpsSender } from '@partnerkit/node';
import { useSender } from './loopback.ts';

// Every test of the guard, of an exchange and of a sender, once more on node:https. A worker of its own, because the
// sender that `useSender` sets and the test files that it imports are shared by all files of a worker.
useSender(httpsSender);
await import('./guarded-connector.test.ts');
await import('./exchange.test.ts');
await import('./undici-sender.test.ts');
