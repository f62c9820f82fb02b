import { undiciSender } from '@partnerkit/node/undici';
import { useSender } from '../sender/loopback.ts';

// Every test of the guard, of an exchange and of a sender, once more on undici. A worker of its own, because the
// sender that `useSender` sets and the test files that it imports are shared by all files of a worker.
useSender(undiciSender);
await import('../sender/development.test.ts');
await import('../sender/guarded-connector.test.ts');
await import('../sender/exchange.test.ts');
await import('../sender/sender.test.ts');
