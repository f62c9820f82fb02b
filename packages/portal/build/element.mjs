// The element, for who works on this repository; hosts get the bundle.
import '../src/element/index.ts';
