/**
 * The web interface of partnerkit: a custom element for API keys, webhooks and deliveries, and the routes that serve
 * it. For mails and chats, the texts of what happened.
 * @module portal
 */
export { type AlertEvent, type AlertText, type AlertTextOptions, alertText } from './alerts/alert-text.ts';
export type { PortalKit, PortalOptions } from './portal-options.ts';
export { portalRoutes } from './portal-routes.ts';
