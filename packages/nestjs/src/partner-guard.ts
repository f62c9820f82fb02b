import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  HttpException,
  Inject,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Caller, NeededRight, RequestHead } from '@partnerkit/core';
import { repeatedHeaders } from '@partnerkit/core/adapter';
import { type AnyPartnerkit, PARTNERKIT } from './partnerkit-module.ts';

/** The members of a request of Node.js that hold each line of its headers. */
interface RawHeaders {
  readonly rawHeaders: readonly string[];
}

/** A request of Express is one of Node.js; a request of Fastify holds one. */
interface PlatformRequest extends Pick<RequestHead, 'method' | 'headers'>, Partial<RawHeaders> {
  readonly raw?: RawHeaders;
  /** The address of the caller, behind the proxies that the application trusts. */
  readonly ip?: string;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
}

const callers = new WeakMap<object, Caller>();

/** The guard of a right. */
const guardOf = (right: NeededRight): Type<CanActivate> => {
  class Guard implements CanActivate {
    readonly #kit: AnyPartnerkit;
    readonly #host: HttpAdapterHost;

    constructor(kit: AnyPartnerkit, host: HttpAdapterHost) {
      [this.#kit, this.#host] = [kit, host];
    }

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const http = context.switchToHttp();
      const request = http.getRequest<PlatformRequest>();
      const { method, url: target, params, ip: remoteAddress } = request;
      const headers = repeatedHeaders(request.headers, (request.raw ?? request).rawHeaders ?? []);
      const { organisationId } = params;
      if (organisationId === undefined) throw new TypeError('PartnerGuard: the path has no ":organisationId".');
      const admitted = await this.#kit.authenticate({ method, target, headers, remoteAddress }, organisationId, right);
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
  Inject(PARTNERKIT)(Guard, undefined, 0);
  Inject(HttpAdapterHost)(Guard, undefined, 1);
  return Guard;
};

/** One class for each right: NestJS makes one guard of it. */
const guards = new Map<NeededRight, Type<CanActivate>>();

/**
 * A guard that admits partners to handlers of controllers, by access token, by `:organisationId` in the path, and by
 * the right of the API key. It refuses with the response of an account route. Paths below `basePath` of the kit are not
 * for controllers: add an `accountRoute` there. The networks of API keys are compared with `request.ip`: the proxies
 * that it believes are those of `trust proxy` or `trustProxy` of the application.
 * @example
 * @Controller('organisations/:organisationId/notes')
 * class Notes {
 *   @Get()
 *   @UseGuards(PartnerGuard('notes:read'))
 *   list(@Partner() { account }: Caller) {
 *     return notes.of(account.id);
 *   }
 * }
 * @public
 */
export const PartnerGuard = (right: NeededRight): Type<CanActivate> => {
  const known = guards.get(right) ?? guardOf(right);
  guards.set(right, known);
  return known;
};

/**
 * The caller that `PartnerGuard` admitted, as a parameter of a handler.
 * @example
 * @Controller('organisations/:organisationId/visits')
 * @UseGuards(PartnerGuard('visits:read'))
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
