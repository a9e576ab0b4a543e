import type { Habitat } from './habitat';
import { machines } from './rows/machines';
import { names } from './rows/names';
import { desk } from './rows/desk';
import { projects } from './rows/projects';
import { repositories } from './rows/repositories';
import { toolchains } from './rows/toolchains';

/** Every habitat; a new one is a row in one of these lists. */
export const habitats: readonly Habitat[] = [
  ...machines,
  ...projects,
  ...repositories,
  ...names,
  ...toolchains,
  ...desk,
];
