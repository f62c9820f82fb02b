import { fileURLToPath } from 'node:url';
import { receiverSuite } from './support/receiver-suite.ts';

receiverSuite({
  name: 'Express',
  needs: ['node'],
  start: `exec node --conditions=source "${fileURLToPath(new URL('../express.ts', import.meta.url))}"`,
  durable: false,
  withoutSecrets: 'ends',
});
