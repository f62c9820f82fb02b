import { fileURLToPath } from 'node:url';
import { receiverSuite } from './support/receiver-suite.ts';

receiverSuite({
  name: 'Fastify',
  needs: ['node'],
  start: `exec node --conditions=source "${fileURLToPath(new URL('../fastify.ts', import.meta.url))}"`,
  durable: false,
  withoutSecrets: 'ends',
});
