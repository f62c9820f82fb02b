import { managementExamplesSuite } from '@partnerkit/conformance/http-suite';
import { test } from 'vitest';
import { serve } from './serve.ts';

managementExamplesSuite({ test, start: serve });
