import { httpsSender } from '@partnerkit/node';
import { createCertificateAuthority } from '@partnerkit/testing';
import type { Network } from './platform.js';

/** Over TLS with certificate verification, as in production, except that the address is allowed by name. */
export const open = async (): Promise<Network> => {
  const authority = await createCertificateAuthority();
  const tls = await authority.issue({ addresses: ['127.0.0.1'] });
  const sender = httpsSender({ ca: authority.certificate, allow: ['127.0.0.0/8'] });
  return { tls, ca: authority.certificate, sender, close: () => sender.close() };
};
