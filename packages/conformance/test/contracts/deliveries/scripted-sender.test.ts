import type { Sender } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { scriptedSender } from '../../../../testing/src/index.ts';
import { type SenderFixture, senderContract } from '../../../src/contracts/index.ts';

const url = 'https://partner.example/webhooks';

describe('the scripted sender obeys the suite of the real thing', () => {
  const create = async (): Promise<SenderFixture> => {
    const sender = scriptedSender();
    const partner = sender.at(url);
    const unreachable = (['dns', 'connect', 'tls', 'forbidden_address'] as const).map((reason) => {
      const destination = `https://${reason.replace('_', '-')}.example/`;
      sender.at(destination).otherwise({ fails: reason });
      return { url: destination, reason };
    });
    // Whatever the path, it is one partner to the suite.
    const send: Sender['send'] = (sent) => sender.send(sent);
    sender.at(new URL('/hook%20s?a=b&c=%C3%A9', url).href);
    return {
      sender: { send },
      url,
      unreachable,
      act: (decide) => partner.otherwise(decide),
      received: () => [...partner.posts, ...sender.at(new URL('/hook%20s?a=b&c=%C3%A9', url).href).posts],
    };
  };
  const deviations = {
    'nothing is sent to a non-public address': 'no address is ever looked at: script the failure',
    'nothing is sent once the deadline is over': 'no time passes',
  };
  senderContract({ test, create, deviations });
});
