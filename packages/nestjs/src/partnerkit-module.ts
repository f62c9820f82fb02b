import {
  type DynamicModule,
  Inject,
  type InjectionToken,
  Module,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { HandlersOption, Partnerkit, Route, Worker, WorkerOptions } from '@partnerkit/core';

/** A kit of any objects and transactions. @public */
// biome-ignore lint/suspicious/noExplicitAny: the module uses nothing that depends on them.
export type AnyPartnerkit = Partnerkit<any, any>;

/** Mounts routes: `expressRouter`, or `fastifyRoutes`. @public */
export type Mount =
  | ((routes: readonly Route[]) => unknown)
  // biome-ignore lint/suspicious/noExplicitAny: the scope is Fastify's own.
  | ((scope: any, options: { readonly routes: readonly Route[] }) => Promise<void>);

/** Options of the module. @public */
export interface PartnerkitModuleOptions {
  readonly kit: AnyPartnerkit;
  /** The adapter of the platform: `expressRouter` or `fastifyRoutes`. */
  readonly mount: Mount;
  /** All routes of the host. @defaultValue `kit.routes` */
  readonly routes?: readonly Route[];
  /** Options of the worker, which runs as long as the application. `false`: none runs here. @defaultValue `{}` */
  // biome-ignore lint/suspicious/noExplicitAny: the transactions of the kit.
  readonly worker?: (WorkerOptions & HandlersOption<any>) | false;
  /** Closes what the kit uses, after the worker has stopped. @defaultValue nothing is closed */
  readonly close?: () => Promise<void>;
}

/** Options of the module, from a factory. @public */
export interface PartnerkitModuleAsyncOptions extends Pick<ModuleMetadata, 'imports'> {
  /** What the factory gets. @defaultValue nothing */
  readonly inject?: readonly InjectionToken[];
  /** Makes the options. */
  // biome-ignore lint/suspicious/noExplicitAny: NestJS does not type what it injects.
  readonly useFactory: (...injected: any[]) => PartnerkitModuleOptions | Promise<PartnerkitModuleOptions>;
}

const optionsToken = Symbol('partnerkit options');

/** The injection token of the kit. @public */
export const PARTNERKIT: unique symbol = Symbol.for('partnerkit.kit');

/**
 * Injects the kit into a constructor.
 * @example
 * class Payments {
 *   constructor(@InjectPartnerkit() kit: Partnerkit<object, ObjectDefinition>) {
 *     kit.nudge();
 *   }
 * }
 * @public
 */
export const InjectPartnerkit = (): ParameterDecorator & PropertyDecorator => Inject(PARTNERKIT);

interface Platform {
  getType(): string;
  use(router: unknown): void;
  register(plugin: unknown, options: object): unknown;
}

/**
 * A global module of NestJS 11. It mounts the routes, runs a worker from start to shutdown, and provides the kit to
 * `@InjectPartnerkit()` and `PartnerGuard`.
 * @example
 * const partnerkit = PartnerkitModule.forRootAsync({
 *   inject: ['kit'],
 *   useFactory: (kit: AnyPartnerkit) => ({ kit, mount: expressRouter }),
 * });
 * @public
 */
export class PartnerkitModule implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #worker: Worker | undefined;
  readonly #close: PartnerkitModuleOptions['close'];

  /** NestJS calls it, before it adds body parsers: they would take the bodies away. */
  constructor({ kit, mount, routes = kit.routes, worker, close }: PartnerkitModuleOptions, host: HttpAdapterHost) {
    this.#worker = worker === false ? undefined : kit.worker(worker);
    this.#close = close;
    // An application of workers alone has no server. The type of NestJS lacks `register`, which only Fastify has.
    const platform = host.httpAdapter as unknown as Platform | undefined;
    if (platform?.getType() === 'fastify') platform.register(mount, { routes });
    else platform?.use((mount as (routes: readonly Route[]) => unknown)(routes));
  }

  /** Makes the module from options. */
  static forRoot(options: PartnerkitModuleOptions): DynamicModule {
    return PartnerkitModule.forRootAsync({ useFactory: () => options });
  }

  /** Makes the module from a factory, which may get providers of `imports`. */
  static forRootAsync({ imports = [], inject = [], useFactory }: PartnerkitModuleAsyncOptions): DynamicModule {
    return {
      module: PartnerkitModule,
      global: true,
      imports,
      providers: [
        { provide: optionsToken, useFactory, inject: [...inject] },
        { provide: PARTNERKIT, useFactory: ({ kit }: PartnerkitModuleOptions) => kit, inject: [optionsToken] },
      ],
      exports: [PARTNERKIT],
    };
  }

  /** Starts the worker. */
  onApplicationBootstrap(): void {
    this.#worker?.start();
  }

  /** Waits for the attempts in flight, then closes what the kit uses. */
  async onApplicationShutdown(): Promise<void> {
    await this.#worker?.stop();
    await this.#close?.();
  }
}

// Decorators called as functions: runtimes that strip types have no syntax for them.
Module({})(PartnerkitModule);
Inject(optionsToken)(PartnerkitModule, undefined, 0);
Inject(HttpAdapterHost)(PartnerkitModule, undefined, 1);
