import type { HttpResponse } from '@partnerkit/core';
import { inProcess } from '../../../testing/src/scripted/in-process.ts';
import type { Platform } from '../../src/http-suite/partner/platform.ts';
import type { HttpCase } from '../../src/http-suite/support/http-case.ts';

/** Sends the request of a case to a platform, without a socket. */
export const ask = (platform: Platform, { request }: HttpCase): Promise<HttpResponse> => {
  const { method, target, headers = {}, body = '' } = request(platform);
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return inProcess(platform.routes)(method, target, { headers: lowered, body });
};
