/**
 * Mounts routes on Express 5.
 * @module
 */
export { type ExpressRouterOptions, expressRouter } from './express-router.ts';
