/**
 * The web interface of partnerkit: a custom element for API keys, webhooks and deliveries, and the routes that serve
 * it.
 * @module portal
 */
export type { PortalKit, PortalOptions } from './portal-options.ts';
export { portalRoutes } from './portal-routes.ts';
