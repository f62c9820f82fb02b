/**
 * partnerkit as a module of NestJS.
 * @module nestjs
 */
export { Partner, PartnerGuard } from './partner-guard.ts';
export {
  type AnyPartnerkit,
  InjectPartnerkit,
  type Mount,
  PARTNERKIT,
  PartnerkitModule,
  type PartnerkitModuleAsyncOptions,
  type PartnerkitModuleOptions,
} from './partnerkit-module.ts';
