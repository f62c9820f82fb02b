import { receiverSuite } from './support/receiver-suite.ts';

receiverSuite({
  name: 'Go',
  needs: ['go'],
  build: 'go build -o "$BUILD/receiver" receiver.go',
  start: 'exec "$BUILD/receiver"',
  durable: false,
  withoutSecrets: 'ends',
});
