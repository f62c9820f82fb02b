import { setImmediate } from 'node:timers/promises';
import { httpsSender } from '@partnerkit/node';

// Sends one POST, and prints what then keeps the process alive. It does not close its sender.
const { URL_OF_RECEIVER = '', CERTIFICATE = '' } = process.env;
const sender = httpsSender({ allow: ['127.0.0.0/8'], ca: CERTIFICATE });
const post = { url: URL_OF_RECEIVER, headers: {}, body: '{}', deadline: 60_000 };
const outcome = await sender.send(post);
await setImmediate();
console.log(JSON.stringify({ kind: outcome.kind, active: process.getActiveResourcesInfo() }));
