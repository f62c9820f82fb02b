import { type SenderFixture, senderContract, startSenderReceiver } from '@partnerkit/testing';
import { undiciSender } from '@partnerkit/undici';
import { test } from 'vitest';

const create = async (): Promise<SenderFixture> => {
  const receiver = await startSenderReceiver();
  const sender = undiciSender({ ca: receiver.ca, lookup: receiver.lookup, allow: ['127.0.0.0/8'] });
  const close = async (): Promise<void> => {
    await sender.close();
    await receiver.close();
  };
  return { ...receiver, sender, close };
};

senderContract({ test, create });
