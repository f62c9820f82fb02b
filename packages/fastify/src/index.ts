/**
 * Mounts routes on Fastify 5.
 * @module fastify
 */
export { type FastifyRoutesOptions, fastifyRoutes } from './fastify-routes.ts';
export type { FastifyBodyDone, FastifyReplyLike, FastifyRequestLike, FastifyScope } from './fastify-scope.ts';
