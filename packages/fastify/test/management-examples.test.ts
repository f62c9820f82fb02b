import { managementExamplesSuite } from '@partnerkit/conformance/http-suite';
import { test } from 'vitest';
import { serve } from './support/serve.ts';

managementExamplesSuite({ test, start: serve });
