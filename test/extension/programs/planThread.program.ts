// The product's thread entry, built with the tests: what is tested is what these sources say.
import '../../../src/extension/plans/thread';
