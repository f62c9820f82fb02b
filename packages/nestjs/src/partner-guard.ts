import { type CanActivate, createParamDecorator, type ExecutionContext, HttpException, Inject } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Caller, RequestHead } from '@partnerkit/core';
import { repeatedHeaders } from '@partnerkit/core/adapter';
import { type AnyPartnerkit, PARTNERKIT } from './partnerkit-module.ts';

/** The members of a request of Node.js that hold each line of its headers. */
interface RawHeaders {
  readonly rawHeaders: readonly string[];
}

/** A request of Express is one of Node.js; a request of Fastify holds one. */
interface PlatformRequest extends Pick<RequestHead, 'method' | 'headers'>, Partial<RawHeaders> {
  readonly raw?: RawHeaders;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
}

const callers = new WeakMap<object, Caller>();

/**
 * Admits partners to handlers of controllers, by access token and by `:organisationId` in the path. It refuses with the
 * response of an account route. Paths below `basePath` of the kit are not for controllers: add an `accountRoute` there.
 * @example
 * @Controller('organisations/:organisationId/notes')
 * @UseGuards(PartnerGuard)
 * class Notes {
 *   @Get()
 *   list(@Partner() { account }: Caller) {
 *     return notes.of(account.id);
 *   }
 * }
 * @public
 */
export class PartnerGuard implements CanActivate {
  readonly #kit: AnyPartnerkit;
  readonly #host: HttpAdapterHost;

  /** NestJS calls it. */
  constructor(kit: AnyPartnerkit, host: HttpAdapterHost) {
    [this.#kit, this.#host] = [kit, host];
  }

  /** Admits a caller. @throws HttpException that refuses it. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<PlatformRequest>();
    const { method, url: target, params } = request;
    const headers = repeatedHeaders(request.headers, (request.raw ?? request).rawHeaders ?? []);
    const { organisationId } = params;
    if (organisationId === undefined) throw new TypeError('PartnerGuard: the path has no ":organisationId".');
    const admitted = await this.#kit.authenticate({ method, target, headers }, organisationId);
    if (admitted.isErr()) {
      const { response } = admitted.error;
      for (const [name, value] of Object.entries(response.headers))
        this.#host.httpAdapter.setHeader(http.getResponse(), name, value);
      throw new HttpException(JSON.parse(response.body), response.status);
    }
    callers.set(request, admitted.value);
    return true;
  }
}

Inject(PARTNERKIT)(PartnerGuard, undefined, 0);
Inject(HttpAdapterHost)(PartnerGuard, undefined, 1);

/**
 * The caller that `PartnerGuard` admitted, as a parameter of a handler.
 * @example
 * @Controller('organisations/:organisationId/visits')
 * @UseGuards(PartnerGuard)
 * class Visits {
 *   @Get()
 *   list(@Partner() { account, clientId }: Caller) {
 *     return [account.id, clientId];
 *   }
 * }
 * @public
 */
export const Partner: () => ParameterDecorator = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callers.get(context.switchToHttp().getRequest()),
);
