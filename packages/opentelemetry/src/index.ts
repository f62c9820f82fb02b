/**
 * Traces and metrics of partnerkit, on the OpenTelemetry API.
 * @module opentelemetry
 */
export { type OpenTelemetry, type OpenTelemetryOptions, openTelemetry } from './open-telemetry.ts';
