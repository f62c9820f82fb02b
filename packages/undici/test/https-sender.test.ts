import { httpsSender } from '@partnerkit/undici/https';
import { useSender } from './loopback.ts';

// Every test of the guard, of an exchange and of a sender, once more on node:https.
useSender(httpsSender);
await import('./guarded-connector.test.ts');
await import('./exchange.test.ts');
await import('./undici-sender.test.ts');
