import { randomBytes } from 'node:crypto';
import { type PortalKit, portalRoutes } from '@partnerkit/portal';
import type { FastifyInstance } from 'fastify';

const all = { keys: 'write', webhooks: 'write', deliveries: 'write' } as const;

/** The web interface of the platform, with one person who logs in by a secret address. */
export const createPortal = (kit: PortalKit) => {
  const [token, session] = [16, 16].map((size) => randomBytes(size).toString('base64url'));
  return {
    routes: portalRoutes(kit, {
      loginUrl: '/log-in',
      authorize: ({ headers }) =>
        String(headers['cookie']).split('; ').includes(`session=${session}`)
          ? { accountId: 'org_main', userId: 'zoe', can: all }
          : undefined,
    }),
    register: (app: FastifyInstance): void => {
      app.get<{ Querystring: { token?: string } }>('/log-in', async ({ query }, reply) =>
        query.token === token
          ? reply
              .header('set-cookie', `session=${session}; HttpOnly; SameSite=Lax; Path=/`)
              .redirect('/partner-portal#/webhooks')
          : reply.code(403).send('Open the address of the portal that was printed.'),
      );
    },
    path: `/log-in?token=${token}`,
  };
};
