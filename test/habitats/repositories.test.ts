import { others } from './chosen';
import { lookAround } from './look';
import { repositories } from './rows/repositories';

lookAround('repositories', others(repositories));
