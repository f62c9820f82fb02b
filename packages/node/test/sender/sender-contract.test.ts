import { type SenderFixture, senderContract, startSenderReceiver } from '@partnerkit/conformance/contracts';
import { httpsSender } from '@partnerkit/node';
import { undiciSender } from '@partnerkit/node/undici';
import { describe, test } from 'vitest';

describe.each([
  ['undiciSender', undiciSender],
  ['httpsSender', httpsSender],
] as const)('%s', (_, createSender) => {
  const create = async (): Promise<SenderFixture> => {
    const receiver = await startSenderReceiver();
    const sender = createSender({ ca: receiver.ca, lookup: receiver.lookup, allow: ['127.0.0.0/8'] });
    const close = async (): Promise<void> => {
      await sender.close();
      await receiver.close();
    };
    return { ...receiver, sender, close };
  };

  senderContract({ test, create });
});
