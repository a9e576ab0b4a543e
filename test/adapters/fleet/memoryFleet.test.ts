import { createMemoryFleet } from '../../support/memoryFleet';
import { fleetSuite } from './suite';

fleetSuite('in memory', () => {
  const fleet = createMemoryFleet();
  return Promise.resolve({ fleet, silence: () => fleet.silence() });
});
