import { test } from 'node:test';
import { accessTokensContract, senderContract, startSenderReceiver } from '@partnerkit/conformance/contracts';
import { generateSigningKey, httpsSender, jwtAccessTokens } from '@partnerkit/node';

senderContract({
  test,
  create: async () => {
    const receiver = await startSenderReceiver();
    const sender = httpsSender({ ca: receiver.ca, lookup: receiver.lookup, allow: ['127.0.0.0/8'] });
    const close = async () => {
      await sender.close();
      await receiver.close();
    };
    return { ...receiver, sender, close };
  },
});

const tokensOf = (...keys) =>
  jwtAccessTokens({ keys, issuer: 'https://platform.example', audience: 'https://platform.example/api' });

accessTokensContract({
  test,
  create: async () => {
    const keys = [generateSigningKey(), generateSigningKey()];
    return { tokens: tokensOf(...keys), foreign: tokensOf(generateSigningKey()), keys };
  },
});
