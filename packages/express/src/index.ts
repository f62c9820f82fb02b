/**
 * Mounts routes on Express 5.
 * @module express
 */
export { type ExpressRouterOptions, expressRouter } from './express-router.ts';
