import { receiverSuite } from './support/receiver-suite.ts';

receiverSuite({
  name: 'PHP',
  needs: ['php'],
  start: 'exec php -S "127.0.0.1:$PORT" receiver.php',
  durable: 'at once',
  withoutSecrets: 'answers 500',
});
