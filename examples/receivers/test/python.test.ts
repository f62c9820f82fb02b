import { receiverSuite } from './support/receiver-suite.ts';

receiverSuite({
  name: 'Python',
  needs: ['python3'],
  start: 'exec python3 receiver.py',
  durable: 'lease',
  withoutSecrets: 'ends',
});
